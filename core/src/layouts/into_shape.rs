//! What a layout of the run time is made of.

use crate::layout_error::LayoutError;
use crate::shape::ArrayShape;

/// What [`DynLayout::new`](super::DynLayout::new) takes. Sealed: it is not exported.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no shape",
    label = "expected an `ArrayShape`, XLA's text in quotation marks, or a layout that the \
             compiler knows",
    note = "of sizes that the run time knows: `layout!(f32[?,?])([m, n])?` where the type says the \
            rank, or a text: `DynLayout::new(format!(\"f32[{{m}},{{n}}]\"))?`"
)]
#[allow(unreachable_pub, reason = "a public function names it")]
pub trait IntoShape {
    /// The shape.
    ///
    /// # Errors
    /// [`LayoutError::Invalid`] for a text that is not a shape.
    fn into_shape(self) -> Result<ArrayShape, LayoutError>;
}

impl IntoShape for ArrayShape {
    #[inline]
    fn into_shape(self) -> Result<ArrayShape, LayoutError> {
        Ok(self)
    }
}

impl IntoShape for &str {
    fn into_shape(self) -> Result<ArrayShape, LayoutError> {
        Ok(self.parse()?)
    }
}

#[cfg(feature = "alloc")]
impl IntoShape for &alloc::string::String {
    fn into_shape(self) -> Result<ArrayShape, LayoutError> {
        Ok(self.parse()?)
    }
}

#[cfg(feature = "alloc")]
impl IntoShape for alloc::string::String {
    fn into_shape(self) -> Result<ArrayShape, LayoutError> {
        Ok(self.parse()?)
    }
}
