//! Dense layouts: the constants of their types.
//!
//! The compiler evaluates each constant that the body of another one names, in dead branches, too;
//! it does not interpret a call there. So each rank and the general way are functions of their own.
//! A call costs as much as ten steps: there are as few as can be.

use core::marker::PhantomData;

use super::parts::{Attributes, Dimensions};
use super::spec::{OrderOf, Spec};
use crate::element::DType;
use crate::modes::{Dense, Lowered, Mode, NO_TERMS};

/// The bytes of one element, which all layouts of this element type share.
pub(super) struct BytesOf<E>(PhantomData<E>);

impl<E: DType> BytesOf<E> {
    pub(super) const BYTES: Option<usize> = match E::TYPE.bytes() {
        Some(bytes) => Some(bytes as usize),
        None => None,
    };
}

/// A dense layout of rank `N`.
pub(super) struct DenseOf<E, D, O, const N: usize>(PhantomData<(E, D, O)>);

impl<E: DType, D: Dimensions, O: OrderOf, const N: usize> DenseOf<E, D, O, N> {
    const TABLE: &'static Option<Dense<N>> =
        &Dense::new(D::DIMS, O::MINOR_TO_MAJOR, BytesOf::<E>::BYTES);

    /// `None` where the general way is needed.
    pub(super) const fn lowered() -> Option<Lowered> {
        let Some(table) = Self::TABLE else {
            return None;
        };
        let mut modes: &'static [Mode] = &table.modes;
        let mut left = table.ones;
        while left > 0
            && let [used @ .., _] = modes
        {
            modes = used;
            left -= 1;
        }
        Some(Lowered {
            modes,
            terms: NO_TERMS,
            strides: Some(&table.strides),
            numbers: table.numbers,
            bytes: table.bytes,
        })
    }
}

pub(super) const fn general<E: DType, D: Dimensions, O: OrderOf, A: Attributes>() -> Lowered {
    Lowered::general(Spec::<E, D, O, A>::TABLE, D::DIMS.len())
}
