//! What most functions of XLA take: an array, or a shape with arrays inside.

use crate::error::ShapeError;
use xlayout_shape::ArrayShape;
#[cfg(feature = "alloc")]
use xlayout_shape::Shape;

pub(crate) mod sealed {
    pub trait Sealed {}
    impl Sealed for xlayout_shape::Layout {}
    impl Sealed for xlayout_shape::ArrayShape {}
    #[cfg(feature = "alloc")]
    impl Sealed for xlayout_shape::Shape {}
}

/// An [`ArrayShape`], or a `Shape`, whose leaves may be arrays.
///
/// ```
/// use xlayout_shape::{ArrayShape, Shape};
/// use xlayout_xla::layout_util;
/// let mut array: ArrayShape = "f32[2]".parse().unwrap();
/// let mut tuple: Shape = "(f32[2], token[])".parse().unwrap();
/// layout_util::clear_layout(&mut array);
/// layout_util::clear_layout(&mut tuple);
/// assert_eq!(array.to_string(), "f32[2]");
/// assert_eq!(tuple.to_string(), "(f32[2], token[])");
/// ```
pub trait AnyShape: sealed::Sealed + Clone + PartialEq {
    /// Each leaf: an array, or why it is none.
    #[doc(hidden)]
    fn leaf_arrays(&self) -> impl Iterator<Item = Result<&ArrayShape, ShapeError>>;

    /// The array that this shape is.
    #[doc(hidden)]
    fn one_array(&self) -> Result<&ArrayShape, ShapeError>;

    /// Calls `change` for every array inside. Stops at the first error, and returns it.
    #[doc(hidden)]
    fn try_change<E>(
        &mut self,
        change: impl FnMut(&mut ArrayShape) -> Result<(), E>,
    ) -> Result<(), E>;
}

impl AnyShape for ArrayShape {
    fn leaf_arrays(&self) -> impl Iterator<Item = Result<&ArrayShape, ShapeError>> {
        core::iter::once(Ok(self))
    }

    fn one_array(&self) -> Result<&ArrayShape, ShapeError> {
        Ok(self)
    }

    fn try_change<E>(
        &mut self,
        mut change: impl FnMut(&mut ArrayShape) -> Result<(), E>,
    ) -> Result<(), E> {
        change(self)
    }
}

#[cfg(feature = "alloc")]
impl AnyShape for Shape {
    fn leaf_arrays(&self) -> impl Iterator<Item = Result<&ArrayShape, ShapeError>> {
        self.leaves().map(Self::one_array)
    }

    fn one_array(&self) -> Result<&ArrayShape, ShapeError> {
        let found = self.element_type();
        let array = self.as_array_or_buffer();
        array.ok_or(ShapeError::NotAnArray { found })
    }

    fn try_change<E>(
        &mut self,
        mut change: impl FnMut(&mut ArrayShape) -> Result<(), E>,
    ) -> Result<(), E> {
        let leaves = crate::walk::leaf_shapes_mut(self);
        let mut arrays = leaves.filter_map(|(_index, leaf)| leaf.as_array_or_buffer_mut());
        arrays.try_for_each(&mut change)
    }
}

/// Every array inside, without the leaves that are none.
pub(crate) fn arrays(shape: &impl AnyShape) -> impl Iterator<Item = &ArrayShape> {
    shape.leaf_arrays().filter_map(Result::ok)
}

/// Calls `apply` for every array inside.
pub(crate) fn change(shape: &mut impl AnyShape, mut apply: impl FnMut(&mut ArrayShape)) {
    // It cannot fail, so `Ok` is the only case.
    let Ok(()) = shape.try_change(|array| {
        apply(array);
        Ok::<(), core::convert::Infallible>(())
    });
}

/// The same shape after `change` of every array inside.
pub(crate) fn changed<S: AnyShape, E>(
    shape: &S,
    change: impl FnMut(&mut ArrayShape) -> Result<(), E>,
) -> Result<S, E> {
    let mut changed = shape.clone();
    changed.try_change(change)?;
    Ok(changed)
}
