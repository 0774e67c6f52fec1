//! What does not cross the boundary, and what to do about it.

mod kind;

use super::Library;
use xlayout_core::{DynLayout, LayoutError};
use xlayout_shape::error::{self, Attribute, Excerpt};
use xlayout_shape::{ArrayShape, ElementType, ErrorKind, INLINE_RANK, Layout, List, NotLowered};

pub use kind::{BoundaryError, LayoutPart, StrideUnit};

use BoundaryError as B;

/// What is wrong in or with another library's description of an array.
pub type Error = error::ParseError<BoundaryError>;

/// What a printer answers: why the notation has no text, or what became of writing it.
pub(super) type Printed = Result<core::fmt::Result, Error>;

/// What validation says of a shape.
pub(super) fn invalid(error: error::ParseError) -> Error {
    error.map(B::Shape)
}

/// A list that cannot grow: more dimensions than this build holds.
pub(super) fn full(_: error::ParseError) -> Error {
    let limit = INLINE_RANK;
    B::TooManyDimensions { limit }.into()
}

/// A shape with this layout, if it may have it.
pub(super) fn shaped(
    element_type: ElementType,
    dims: &[i64],
    layout: Layout,
) -> Result<ArrayShape, Error> {
    let mut shape = ArrayShape::new(element_type, dims).map_err(full)?;
    shape.layout = Some(layout);
    shape.validate().map_err(invalid)?;
    Ok(shape)
}

/// The shape lowered: it is validated, then lowered, and each of both has its own errors.
pub(super) fn lowered(shape: &ArrayShape) -> Result<DynLayout, Error> {
    DynLayout::new(shape.clone()).map_err(|layout_error| match layout_error {
        LayoutError::Invalid(error) => invalid(error),
        LayoutError::Lower(error) => B::Shape(ErrorKind::Lower(error)).into(),
        other => unreachable!("a shape is validated, then lowered: {other}"),
    })
}

/// An error about a part of a text.
pub(super) fn about(text: &str, part: &str, kind: BoundaryError) -> Error {
    let start = part.as_ptr().addr() - text.as_ptr().addr();
    Error::new(kind, Some((start, start + part.len())))
}

/// Something else is written in a part of a text.
pub(super) fn expected(library: Library, text: &str, part: &str, expected: &'static str) -> Error {
    let found = Excerpt::new(part);
    let kind = B::Expected {
        library,
        expected,
        found,
    };
    about(text, part, kind)
}

/// A part of a text is a form that is not read.
pub(super) fn unread(library: Library, text: &str, part: &str, form: &'static str) -> Error {
    let found = Excerpt::new(part);
    let kind = B::Unread {
        library,
        form,
        found,
    };
    about(text, part, kind)
}

/// Items of which there is about one for each dimension.
pub(super) type Items<T> = List<T, INLINE_RANK>;

/// A number for each dimension.
pub(super) type Numbers = Items<i64>;

/// The items as a list, if they are no more than this build holds.
pub(super) fn list<T: Copy + Default>(
    items: impl IntoIterator<Item = T>,
) -> Result<Items<T>, Error> {
    List::try_from_iter(items).map_err(full)
}

/// Adds an item, if this build holds so many.
pub(super) fn push<T: Copy>(list: &mut Items<T>, item: T) -> Result<(), Error> {
    list.try_push(item).map_err(full)
}

/// The notation cannot say a part of the layout.
pub(super) fn no_place(library: Library, part: LayoutPart) -> Error {
    B::NoPlace { library, part }.into()
}

/// The notation cannot say the first one of these parts that the layout has.
pub(super) fn has_place(library: Library, parts: &[(bool, LayoutPart)]) -> Result<(), Error> {
    let part = parts.iter().find(|part| part.0);
    part.map_or(Ok(()), |&(_, part)| Err(no_place(library, part)))
}

/// The notation cannot say the first one of these attributes that the layout has.
pub(super) fn has_no_number(
    library: Library,
    layout: &Layout,
    is_refused: fn(Attribute) -> bool,
) -> Result<(), Error> {
    for &(attribute, _, words) in Attribute::ALL {
        if is_refused(attribute) && layout.number(attribute).is_some() {
            return Err(B::NoAttribute {
                library,
                attribute,
                words,
            }
            .into());
        }
    }
    Ok(())
}

/// Strides or sizes that come to more than 64 bits count.
pub(super) fn too_large() -> Error {
    B::Shape(ErrorKind::Lower(NotLowered::TooLarge)).into()
}
