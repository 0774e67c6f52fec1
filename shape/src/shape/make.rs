//! New shapes of arrays.

use super::ArrayShape;
use crate::dims::{Dim, Dims};
use crate::layout::Layout;
use crate::list::{CapacityError, List};
use crate::order::MinorToMajor;
use crate::primitive::PrimitiveType;

impl ArrayShape {
    /// One element without dimensions (XLA: `ShapeUtil::MakeScalarShape`).
    ///
    /// ```
    /// use xlayout_shape::{ArrayShape, PrimitiveType};
    /// assert_eq!(ArrayShape::scalar(PrimitiveType::F32).to_string(), "f32[]");
    /// ```
    #[doc(alias = "MakeScalarShape")]
    #[doc(alias = "MakeValidatedScalarShape")]
    #[must_use]
    #[inline]
    pub fn scalar(element_type: PrimitiveType) -> Self {
        Self {
            element_type,
            dims: List::new(),
            layout: Some(Layout::new(MinorToMajor::from_list(List::new()))),
        }
    }

    /// A shape of these parts. Nothing is checked; see [`validate`](Self::validate).
    ///
    /// ```
    /// use xlayout_shape::{ArrayShape, Layout};
    /// let array: ArrayShape = "f32[2,3]".parse().unwrap();
    /// let layout = Layout::column_major(2).unwrap();
    /// let other = ArrayShape::from_parts(array.element_type, array.dims.clone(), Some(layout));
    /// assert_eq!(other.to_string(), "f32[2,3]{0,1}");
    /// ```
    #[must_use]
    #[inline]
    pub const fn from_parts(
        element_type: PrimitiveType,
        dims: Dims,
        layout: Option<Layout>,
    ) -> Self {
        Self {
            element_type,
            dims,
            layout,
        }
    }

    /// A shape of static and dynamic dimensions with the default layout, row-major and dense
    /// (XLA: `ShapeUtil::MakeShape` with `dynamic_dimensions`). Nothing is checked; see
    /// [`validate`](Self::validate).
    ///
    /// ```
    /// use xlayout_shape::{ArrayShape, Dim, PrimitiveType};
    /// let dims = [Dim::Bounded(8), Dim::Static(3), Dim::Unbounded];
    /// let shape = ArrayShape::with_dims(PrimitiveType::F32, &dims).unwrap();
    /// assert_eq!(shape.to_string(), "f32[<=8,3,?]{2,1,0}");
    /// ```
    ///
    /// # Errors
    /// [`CapacityError`] for a rank above 16 without the feature `alloc`.
    #[inline]
    pub fn with_dims(element_type: PrimitiveType, dims: &[Dim]) -> Result<Self, CapacityError> {
        Ok(Self {
            element_type,
            dims: List::try_from_iter(dims.iter().copied())?,
            layout: Some(Layout::row_major(dims.len())?),
        })
    }
}
