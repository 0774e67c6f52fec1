//! New shapes of arrays.

use super::ArrayShape;
use crate::dims::Dims;
use crate::element_type::ElementType;
use crate::layout::Layout;
use crate::list::List;
use crate::order::MinorToMajor;

impl ArrayShape {
    /// One element without dimensions (XLA: `ShapeUtil::MakeScalarShape`).
    ///
    /// ```
    /// use xlayout_shape::{ArrayShape, ElementType};
    /// assert_eq!(ArrayShape::scalar(ElementType::F32).to_string(), "f32[]");
    /// ```
    #[doc(alias("MakeScalarShape", "MakeValidatedScalarShape"))]
    #[must_use]
    #[inline]
    pub fn scalar(element_type: ElementType) -> Self {
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
    pub const fn from_parts(element_type: ElementType, dims: Dims, layout: Option<Layout>) -> Self {
        Self {
            element_type,
            dims,
            layout,
        }
    }
}
