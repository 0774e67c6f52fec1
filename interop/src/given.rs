//! What is known of an array beside the text of its layout.

use super::blocked::BlockedLayout;
use super::error::Error;
use super::{BoundaryError, Library};
use xlayout_shape::{ArrayShape, Dim, ElementType};

/// What a text may leave out: most notations describe a layout, not the array that has it.
///
/// What the text says itself must be what is given, where both are there.
#[derive(Clone, Copy, Debug, Default)]
pub struct Given<'a> {
    /// The sizes of the array, dimension 0 first.
    pub sizes: Option<&'a [i64]>,
    /// The type of an element.
    pub element_type: Option<ElementType>,
    /// The capital letter of each dimension in TVM's text, dimension 0 first: `NCHW`.
    pub axes: Option<&'a str>,
}

impl<'a> Given<'a> {
    /// The axes by which a layout of this rank is printed for TVM where none are given.
    ///
    /// ```
    /// use xlayout_interop::Given;
    /// assert_eq!(Given::axes_of(4), Some("NCHW"));
    /// assert_eq!(Given::axes_of(6), None);
    /// ```
    #[must_use]
    pub fn axes_of(rank: usize) -> Option<&'static str> {
        ["", "N", "NC", "NCW", "NCHW", "NCDHW"].get(rank).copied()
    }

    /// The sizes and the type, of a text that has neither.
    pub(super) fn both(&self, library: Library) -> Result<(&'a [i64], ElementType), Error> {
        let sizes = self.sizes.ok_or(BoundaryError::NoSizes { library })?;
        let unknown = BoundaryError::NoElementType { library };
        Ok((sizes, self.element_type.ok_or(unknown)?))
    }

    /// What a text says, and beside it what it leaves out.
    pub(super) fn beside(&self, sizes: Option<&'a [i64]>, ty: Option<ElementType>) -> Self {
        Self {
            sizes: sizes.or(self.sizes),
            element_type: ty.or(self.element_type),
            axes: None,
        }
    }

    pub(super) fn shape(
        &self,
        library: Library,
        blocked: &BlockedLayout,
    ) -> Result<ArrayShape, Error> {
        let (sizes, element_type) = self.both(library)?;
        blocked.to_shape(element_type, sizes)
    }

    /// Whether a shape is what is given.
    pub(super) fn check(&self, library: Library, shape: &ArrayShape) -> Result<(), Error> {
        let own = self.element_type.unwrap_or(shape.element_type);
        let sizes = |sizes: &[i64]| {
            let sizes = sizes.iter().map(|&n| Dim::Static(n));
            sizes.eq(shape.dims.iter().copied())
        };
        let what = if own != shape.element_type {
            "type"
        } else if !self.sizes.is_none_or(sizes) {
            "size"
        } else {
            return Ok(());
        };
        Err(BoundaryError::OtherGiven { library, what }.into())
    }
}
