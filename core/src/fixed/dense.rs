//! Which way a layout's type is lowered.
//!
//! The compiler evaluates each constant that the body of another one names, in dead branches, too;
//! it does not interpret a call there. So each way is a function of its own.

use core::marker::PhantomData;

use super::parts::{Attributes, Dimensions};
use super::spec::{OrderOf, Spec};
use crate::element::DType;
use crate::modes::{Dense, Lowered};

/// The table of a layout's type: the short way where it is dense, else the general way.
pub(super) const fn lowered<E: DType, D: Dimensions, O: OrderOf, A: Attributes>() -> Lowered {
    let dense = if A::LIST.is_empty() {
        dense::<E, D, O>()
    } else {
        None
    };
    match dense {
        Some(lowered) => lowered,
        None => general::<E, D, O, A>(),
    }
}

const fn general<E: DType, D: Dimensions, O: OrderOf, A: Attributes>() -> Lowered {
    Lowered::general(Spec::<E, D, O, A>::TABLE, D::DIMS.len())
}

/// The bytes of one element, which all layouts of this element type share.
struct BytesOf<E>(PhantomData<E>);

impl<E: DType> BytesOf<E> {
    const BYTES: Option<usize> = match E::TYPE.bytes() {
        Some(bytes) => Some(bytes as usize),
        None => None,
    };
}

/// A dense layout of rank `N`.
struct DenseOf<E, D, O, const N: usize>(PhantomData<(E, D, O)>);

impl<E: DType, D: Dimensions, O: OrderOf, const N: usize> DenseOf<E, D, O, N> {
    const TABLE: &'static Option<Dense<N>> =
        &Dense::new(D::DIMS, O::MINOR_TO_MAJOR, BytesOf::<E>::BYTES);

    const fn lowered() -> Option<Lowered> {
        match Self::TABLE {
            Some(table) => Some(table.as_lowered()),
            None => None,
        }
    }
}

/// `None` where the layout is not dense or not valid.
const fn dense<E: DType, D: Dimensions, O: OrderOf>() -> Option<Lowered> {
    macro_rules! of_rank {
        ($($rank:literal)*) => {
            match D::DIMS.len() {
                $($rank => DenseOf::<E, D, O, $rank>::lowered(),)*
                _ => None,
            }
        };
    }
    of_rank!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16)
}
