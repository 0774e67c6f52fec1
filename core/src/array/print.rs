//! Arrays as text: the shape and the elements.

use core::fmt;

use super::base::ArrayBase;
use super::index::ViewIndex;
use super::reference::ArrayRef;
use super::storage::Storage;
use super::stored::Stored;
use crate::array_layout::ArrayLayout;
use crate::array_layout::sealed::Token;
use crate::coordinates::Coordinates;

/// Of an array with more elements, the middle of each long dimension is left out.
const ALL: usize = 1000;
/// So many elements are shown at both ends of a dimension then.
const ENDS: usize = 3;

/// The shape, and the elements nested by dimension.
///
/// ```
/// use xlayout_core::{Array, DynLayout, SliceView};
/// let layout: DynLayout = "s32[2,3]{0,1}".parse()?;
/// let array = Array::from_fn(layout, |at| (10 * at[0] + at[1]) as i32)?;
/// assert_eq!(
///     format!("{array:?}"),
///     "Array { shape: s32[2,3]{0,1}, elements: [[0, 1, 2], [10, 11, 12]] }",
/// );
/// let long: DynLayout = "s32[2000]".parse()?;
/// let array = Array::from_fn(long, |at| at[0] as i32)?;
/// assert_eq!(
///     format!("{array:?}"),
///     "Array { shape: s32[2000]{0}, elements: [0, 1, 2, ..., 1997, 1998, 1999] }",
/// );
///
/// // Packed elements are numbers with a sign if the type has one.
/// let view = SliceView::packed("s4[2,2]{1,0:E(4)}".parse::<DynLayout>()?, &[0x10, 0x3f])?;
/// assert_eq!(
///     format!("{view:?}"),
///     "SliceView { shape: s4[2,2]{1,0:E(4)}, elements: [[0, 1], [-1, 3]] }",
/// );
/// # Ok::<(), xlayout_core::LayoutError>(())
/// ```
impl<T: Stored<Number: fmt::Debug>, L: ArrayLayout> fmt::Debug for ArrayRef<T, L> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.debug_as(f, "ArrayRef")
    }
}

impl<T: Stored<Number: fmt::Debug>, L: ArrayLayout> ArrayRef<T, L> {
    fn debug_as(&self, f: &mut fmt::Formatter<'_>, name: &str) -> fmt::Result {
        let element = |at: &L::Coordinates, f: &mut fmt::Formatter<'_>| match at
            .find_in(&self.layout, Token)
        {
            Ok(linear) => fmt::Debug::fmt(&T::number(self.read(linear)), f),
            Err(_) => unreachable!("each coordinate is below the size of its dimension"),
        };
        let elements = Nested {
            sizes: &self.layout.shape(),
            at: L::Coordinates::origin(self.layout.rank()),
            dim: 0,
            all: self.layout.elements() <= ALL,
            element: &element,
        };
        f.debug_struct(name)
            .field("shape", &format_args!("{}", self.layout.array_shape()))
            .field("elements", &elements)
            .finish()
    }
}

impl<S: Storage<Item: Stored<Number: fmt::Debug>>, L: ArrayLayout> fmt::Debug for ArrayBase<S, L> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.debug_as(f, S::NAME)
    }
}

/// The elements whose coordinates before `dim` are those of `at`.
struct Nested<'a, C, F> {
    sizes: &'a C,
    at: C,
    dim: usize,
    /// Whether no element is left out.
    all: bool,
    /// Prints the element at coordinates.
    element: &'a F,
}

impl<C: Coordinates, F> fmt::Debug for Nested<'_, C, F>
where
    F: Fn(&C, &mut fmt::Formatter<'_>) -> fmt::Result,
{
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.dim == self.at.as_ref().len() {
            return (self.element)(&self.at, f);
        }
        let size = self.sizes.coordinate(self.dim);
        let mut list = f.debug_list();
        let mut i = 0;
        while i < size {
            if !self.all && i == ENDS && size > 2 * ENDS + 1 {
                list.entry(&format_args!("..."));
                i = size - ENDS;
            }
            let mut at = self.at.clone();
            at.set(self.dim, i);
            list.entry(&Nested {
                at,
                dim: self.dim + 1,
                ..*self
            });
            i += 1;
        }
        list.finish()
    }
}
