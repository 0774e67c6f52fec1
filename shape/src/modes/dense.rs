//! The table of modes of a dense layout: no attributes, and every size known and above 0. The
//! compiler interprets this for each such layout that is a type, so it takes few steps, and its
//! table is as long as the rank.
//!
//! The general way is [`lower`](super::lower::lower). Both give the same table (law 6, tested in `types/dense.rs`).
//! What this one does not take, or finds wrong, it leaves to the general way, which reports errors.

use super::count::MAX;
use super::{Mode, Numbers, Table, Term};
use crate::dims::Dim;

/// A lowered dense layout of rank `N`.
pub struct Dense<const N: usize> {
    /// The modes, then as many without a meaning as there are dimensions of size 1.
    pub modes: [Mode; N],
    pub ones: usize,
    pub strides: [usize; N],
    pub numbers: Numbers,
    pub bytes: usize,
}

impl<const N: usize> Dense<N> {
    /// `None` where the layout is not dense, not valid, or too large.
    ///
    /// Invariant `INSIDE` (`inside.rs`): each stride is the product of the sizes of all more minor
    /// dimensions. So the sum of `(size - 1) * stride` is the product of all sizes, less 1.
    pub const fn new(
        dims: &[Dim],
        minor_to_major: &[i64],
        element_bytes: Option<usize>,
    ) -> Option<Self> {
        let Some(element_bytes) = element_bytes else {
            return None;
        };
        if dims.len() != N || minor_to_major.len() != N {
            return None;
        }
        let mut modes = [Mode::NONE; N];
        let mut strides = [0; N];
        let mut used = 0;
        // A bit for each dimension that was listed. The rank is 16 at most.
        let mut listed = 0_u32;
        let mut buffer_len = 1_usize;
        let mut k = 0;
        while k < N {
            let number = minor_to_major[k];
            if number < 0 || number >= N as i64 || listed >> number & 1 != 0 {
                return None;
            }
            listed |= 1 << number;
            let dim = number as usize;
            let size = match dims[dim] {
                Dim::Static(n) | Dim::Bounded(n) => n,
                Dim::Unbounded => return None,
            };
            if size < 1 {
                return None;
            }
            strides[dim] = buffer_len;
            if size > 1 {
                modes[used] = Mode {
                    dim,
                    divisor: 1,
                    size: size as usize,
                    stride: buffer_len,
                    top: true,
                    run_time: 0,
                };
                used += 1;
            }
            // Both factors are below 2^63.
            let product = buffer_len as u128 * size as u128;
            if product > MAX as u128 {
                return None;
            }
            buffer_len = product as usize;
            k += 1;
        }
        let bytes = buffer_len as u128 * element_bytes as u128;
        if bytes > MAX as u128 {
            return None;
        }
        Some(Self {
            modes,
            ones: N - used,
            strides,
            numbers: Numbers {
                elements: buffer_len,
                buffer_len,
                element_bits: 8 * element_bytes,
            },
            bytes: bytes as usize,
        })
    }
}

/// The table of a layout that is a type, as long as the layout needs.
#[derive(Clone, Copy)]
pub struct StaticTable {
    pub modes: &'static [Mode],
    pub terms: &'static [Term],
    /// The stride of each dimension, where every dimension has one.
    pub strides: Option<&'static [usize]>,
    pub numbers: Numbers,
    /// The bytes that memory is allocated for.
    pub bytes: usize,
}

/// It depends on no parameter, so that the compiler makes it once.
pub const NO_TERMS: &[Term] = &[];

impl StaticTable {
    /// The used part of a table of the general way.
    #[inline]
    pub const fn general(table: &'static Table, rank: usize) -> Self {
        Self {
            modes: table.modes.split_at(table.filled.modes).0,
            terms: table.terms.split_at(table.filled.terms).0,
            strides: if table.strided {
                Some(table.strides.split_at(rank).0)
            } else {
                None
            },
            numbers: table.numbers,
            bytes: table.numbers.bytes(),
        }
    }
}
