//! Functions of `ShapeUtil` about shapes whose answers are not those that their documentation
//! promises.

use xlayout::ArrayShape;
use xlayout::shape::Shape;
use xlayout_xla::{ShapeError, shape_util};

/// `ReorderLogicalDimensions` up to TensorFlow 2.21: each entry `d` of minor_to_major becomes
/// `permutation[d]`, as if the permutation were its inverse.
pub(crate) fn reorder_logical_dimensions(
    shape: &ArrayShape,
    permutation: &[i64],
) -> Result<ArrayShape, ShapeError> {
    let mut reordered = shape_util::permute_dimensions_ignoring_layout(shape, permutation)?;
    if let Some(layout) = &mut reordered.layout {
        for d in layout.minor_to_major.iter_mut() {
            *d = permutation[*d as usize];
        }
    }
    Ok(reordered)
}

/// `DynamicShapeIsCompatible`: only dynamic arrays are compared, by sizes in which `?` is the least
/// number. `None` where XLA aborts, because a dynamic array is compared with a token or an opaque
/// value.
pub(crate) fn dynamic_shape_is_compatible(shape: &Shape, bounded: &Shape) -> Option<bool> {
    for (path, shape) in shape_util::subshapes(shape) {
        let Ok(bounded) = shape_util::subshape(bounded, &path) else {
            return Some(false);
        };
        if shape.is_tuple() != bounded.is_tuple() {
            return Some(false);
        }
        let dynamic = shape
            .as_array_or_buffer()
            .filter(|array| array.is_dynamic());
        if let Some(array) = dynamic {
            let bounded = bounded.as_array_or_buffer()?;
            let mut pairs = array.dims.iter().zip(&bounded.dims);
            if array.rank() != bounded.rank()
                || !pairs.all(|(size, bound)| size.to_xla() <= bound.to_xla())
            {
                return Some(false);
            }
        }
    }
    Some(true)
}
