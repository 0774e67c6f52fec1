//! The strides of layouts and of their parts, from what the type says and from the table of modes.

use crate::array_layout::{ArrayLayout, sealed};
use crate::coordinates::Coordinates;
use crate::dims::Dim;
use crate::shape::ArrayShape;

/// The shape of a part: the sizes of the part with the layout of the whole.
#[inline]
pub(crate) fn shape_of_part(mut shape: ArrayShape, sizes: &[usize]) -> ArrayShape {
    for (dim, &size) in shape.dims.iter_mut().zip(sizes) {
        *dim = Dim::Static(size as i64);
    }
    shape
}

/// Whether the type says that each dimension has a stride: each mode is a whole dimension.
pub(crate) const fn is_strided<L: ArrayLayout>() -> bool {
    let modes = L::KNOWN_MODES;
    let mut m = 0;
    while m < modes.len() && modes[m].divisor == 1 && modes[m].top {
        m += 1;
    }
    m > 0 && m == modes.len()
}

/// The strides of a part with these sizes, if the type says that there are some; 0 for a dimension
/// of one coordinate, and for all of a part without elements. The answer is that of
/// [`strides_in_part`], and no table is made for it.
pub(crate) fn known_strides<L: ArrayLayout>(
    whole: &L,
    sizes: &L::Coordinates,
) -> Option<L::Coordinates> {
    if const { !is_strided::<L>() } {
        return None;
    }
    let mut strides = L::Coordinates::origin(whole.rank());
    if !sizes.as_ref().contains(&0) {
        for mode in L::KNOWN_MODES {
            if sizes.coordinate(mode.dim) > 1 {
                strides.set(mode.dim, whole.stride_of(mode));
            }
        }
    }
    Some(strides)
}

/// The stride of each dimension of a part, if it has one there; a dimension of size 1 gets stride
/// 0.
pub(crate) fn strides_in_part<L: ArrayLayout>(part: &L) -> Option<L::Coordinates> {
    match known_strides(part, &part.shape()) {
        Some(strides) => Some(strides),
        None => strides_in_table(part),
    }
}

pub(crate) fn strides_in_table<L: ArrayLayout>(part: &L) -> Option<L::Coordinates> {
    let mut strides = L::Coordinates::origin(part.rank());
    let strided = part.with_resolved(sealed::Token, |resolved| {
        for mode in resolved.modes {
            if mode.dim >= resolved.sizes.len()
                || mode.divisor != 1
                || strides.coordinate(mode.dim) != 0
            {
                return false;
            }
            strides.set(mode.dim, mode.stride);
        }
        true
    });
    strided.then_some(strides)
}

/// The stride of each dimension of a part, if it has one and no dimension is reversed.
pub(crate) fn forward_strides<L: ArrayLayout>(part: &L) -> Option<L::Coordinates> {
    if L::REVERSES && (0..part.rank()).any(|dim| part.is_reversed(dim)) {
        return None;
    }
    strides_in_part(part)
}

/// The stride of each dimension of a layout without its sign, if it has one.
pub(crate) fn widths_of<L: ArrayLayout>(layout: &L) -> Option<L::Coordinates> {
    if L::REVERSES {
        strides_in_part(layout)
    } else {
        layout.strides()
    }
}
