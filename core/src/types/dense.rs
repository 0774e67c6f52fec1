//! Layouts that are lowered in few steps, dense and tiled: the constants of their types.
//!
//! The compiler evaluates each constant that the body of another one names, in dead branches, too;
//! it does not interpret a call there. So each rank and the general way are functions of their own.
//! A call costs as much as ten steps: there are as few as can be.

use core::marker::PhantomData;

use super::parts::{AttributeValue, Attributes, Dimensions};
use super::spec::{OrderOf, Spec};
use crate::dims::Dim;
use crate::element::DType;
use crate::modes::{Dense, Digits, Mode, NO_TERMS, StaticTable, Tiled};

/// The bytes of one element, which all layouts of this element type share.
pub(super) struct BytesOf<E>(PhantomData<E>);

impl<E: DType> BytesOf<E> {
    pub(super) const BYTES: Option<usize> = match E::TYPE.bytes() {
        Some(bytes) => Some(bytes as usize),
        None => None,
    };
}

/// A dense layout of rank `N`.
pub(super) struct DenseOf<E, D, O, A, const N: usize>(PhantomData<(E, D, O, A)>);

impl<E: DType, D: Dimensions, O: OrderOf, A: Attributes, const N: usize> DenseOf<E, D, O, A, N> {
    #[expect(
        clippy::let_and_return,
        reason = "without the `let` the compiler evaluates the table as one more constant"
    )]
    const TABLE: &'static Option<Dense<N>> = &{
        let table = Dense::new(D::DIMS, O::MINOR_TO_MAJOR, BytesOf::<E>::BYTES);
        table
    };

    /// The table, by the general way where that is needed.
    pub(super) const fn lowered() -> StaticTable {
        match Self::TABLE {
            Some(table) => StaticTable {
                // A call costs more than the comparison.
                modes: if table.ones == 0 {
                    &table.modes
                } else {
                    without(&table.modes, table.ones)
                },
                terms: NO_TERMS,
                strides: Some(&table.strides),
                numbers: table.numbers,
                bytes: table.bytes,
            },
            None => general::<E, D, O, A>(),
        }
    }
}

/// A list without its last items.
#[inline]
const fn without(mut modes: &'static [Mode], mut last: usize) -> &'static [Mode] {
    while last > 0
        && let [used @ .., _] = modes
    {
        modes = used;
        last -= 1;
    }
    modes
}

/// A layout with tiles and no other attribute, of `N` digits at most.
struct TiledOf<E, D, O, A, const N: usize>(PhantomData<(E, D, O, A)>);

impl<E: DType, D: Dimensions, O: OrderOf, A: Attributes, const N: usize> TiledOf<E, D, O, A, N> {
    #[expect(clippy::let_and_return, reason = "as in `DenseOf`")]
    const TABLE: &'static Option<Tiled<N>> = &{
        let table = tiles(D::DIMS, O::MINOR_TO_MAJOR, A::LIST, BytesOf::<E>::BYTES);
        table
    };

    const fn lowered() -> StaticTable {
        match Self::TABLE {
            Some(table) => StaticTable {
                modes: if table.unused == 0 {
                    &table.modes
                } else {
                    without(&table.modes, table.unused)
                },
                terms: NO_TERMS,
                strides: None,
                numbers: table.numbers,
                bytes: table.bytes,
            },
            None => general::<E, D, O, A>(),
        }
    }
}

/// Cuts by each tile.
const fn tiles<const N: usize>(
    dims: &[Dim],
    minor_to_major: &[i64],
    attributes: &[AttributeValue],
    element_bytes: Option<usize>,
) -> Option<Tiled<N>> {
    let Some(mut digits) = Digits::new(dims, minor_to_major) else {
        return None;
    };
    let mut k = 0;
    while k < attributes.len() {
        match attributes[k] {
            AttributeValue::TileSizes(tile) if digits.cut(tile) => {}
            _ => return None,
        }
        k += 1;
    }
    digits.table(dims, element_bytes)
}

/// The table of a layout with attributes, by the general way where that is needed.
pub(super) const fn tiled<E: DType, D: Dimensions, O: OrderOf, A: Attributes>() -> StaticTable {
    let mut digits = D::DIMS.len();
    let mut k = 0;
    while k < A::LIST.len() {
        let AttributeValue::TileSizes(tile) = A::LIST[k] else {
            return general::<E, D, O, A>();
        };
        digits += tile.len();
        k += 1;
    }
    macro_rules! of_digits {
        ($($most:literal)*) => {
            match digits {
                $($most => TiledOf::<E, D, O, A, $most>::lowered(),)*
                _ => general::<E, D, O, A>(),
            }
        };
    }
    of_digits!(2 3 4 5 6 7 8 9 10 11 12 13 14 15 16)
}

pub(super) const fn general<E: DType, D: Dimensions, O: OrderOf, A: Attributes>() -> StaticTable {
    StaticTable::general(Spec::<E, D, O, A>::TABLE, D::DIMS.len())
}

#[cfg(test)]
mod tests;
