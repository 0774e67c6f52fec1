//! Layouts that are lowered in few steps, dense and tiled: the constants of their types.
//!
//! The compiler evaluates each constant that the body of another constant names, also in dead
//! branches. It does not interpret a call there. So the general way is a function of its own. A
//! call costs as much as ten steps, and a constant as much as hundreds: there are as few as can be.

use core::marker::PhantomData;

use super::parts::{AttributeValue, Attributes, Dimensions};
use super::spec::{OrderOf, Spec};
use crate::dims::Dim;
use crate::element::DType;
use crate::modes::{Digits, Mode, StaticTable, dense_strides};

/// The bytes of one element, which all layouts of this element type share.
struct BytesOf<E>(PhantomData<E>);

impl<E: DType> BytesOf<E> {
    const BYTES: Option<usize> = match E::TYPE.bytes() {
        Some(bytes) => Some(bytes as usize),
        None => None,
    };
}

impl<E: DType, D: Dimensions, O: OrderOf, A: Attributes> Spec<E, D, O, A> {
    /// The table in few steps, as long as the layout needs, where the layout is dense or tiled.
    pub(super) const SHORT: &'static StaticTable = {
        // A constant that is named in many arms is looked up for each of them.
        let dims = D::DIMS;
        let minor_to_major = O::MINOR_TO_MAJOR;
        let attributes = A::LIST;
        let bytes = BytesOf::<E>::BYTES;
        macro_rules! dense {
            ($rank:expr, $($n:literal)*) => {
                match $rank {
                    $($n => &StaticTable::<[Mode; $n]>::dense(dims, minor_to_major, bytes),)*
                    _ => &StaticTable::<[Mode; 0]>::GENERAL,
                }
            };
        }
        macro_rules! tiled {
            ($digits:expr, $($most:literal)*) => {
                match $digits {
                    $($most => &tiles::<$most>(dims, minor_to_major, attributes, bytes),)*
                    _ => &StaticTable::<[Mode; 0]>::GENERAL,
                }
            };
        }
        match attributes {
            [] => dense!(dims.len(), 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16),
            _ => tiled!(digits(dims, attributes), 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16),
        }
    };

    /// The stride of each dimension in elements, where every dimension has one.
    pub(super) const STRIDES: Option<&'static [usize]> = {
        let dims = D::DIMS;
        let minor_to_major = O::MINOR_TO_MAJOR;
        macro_rules! dense {
            ($rank:expr, $($n:literal)*) => {
                match $rank {
                    // In braces: Rust 1.88 lets only these values live as long as the constant.
                    $($n => Some { 0: &dense_strides::<$n>(dims, minor_to_major) },)*
                    // `dense` takes at most 16 dimensions.
                    _ => unreachable!(),
                }
            };
        }
        if !Self::SHORT.taken {
            let table = Self::general();
            if table.strided {
                Some(table.strides.split_at(dims.len()).0)
            } else {
                None
            }
        } else if A::LIST.is_empty() {
            dense!(dims.len(), 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16)
        } else {
            // `tiles` takes no layout with strides.
            None
        }
    };
}

/// Cuts by each tile.
const fn tiles<const N: usize>(
    dims: &[Dim],
    minor_to_major: &[i64],
    attributes: &[AttributeValue],
    element_bytes: Option<usize>,
) -> StaticTable<[Mode; N]> {
    let Some(mut digits) = Digits::new(dims, minor_to_major) else {
        return StaticTable::<[Mode; N]>::GENERAL;
    };
    each!(attribute, attributes, {
        match *attribute {
            AttributeValue::TileSizes(tile) if digits.cut(tile) => {}
            _ => return StaticTable::<[Mode; N]>::GENERAL,
        }
    });
    digits.table(dims, element_bytes)
}

/// The most digits that a layout with tiles and nothing else has. 0 with another attribute.
const fn digits(dims: &[Dim], attributes: &[AttributeValue]) -> usize {
    let mut digits = dims.len();
    each!(attribute, attributes, {
        let AttributeValue::TileSizes(tile) = attribute else {
            return 0;
        };
        digits += tile.len();
    });
    digits
}

#[cfg(test)]
mod tests;
