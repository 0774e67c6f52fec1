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
        // A constant that is named in the loop is looked up each time.
        let max = MAX as u128;
        let mut modes = [Mode::NONE; N];
        // 0 for a dimension that is not listed yet.
        let mut strides = [0; N];
        let mut used = 0;
        let mut total = 1_u128;
        let rank = N as u64;
        let mut rest = minor_to_major;
        while let [number, more @ ..] = rest {
            rest = more;
            // A negative number becomes a large one.
            let number = *number as u64;
            if number >= rank {
                return None;
            }
            let dim = number as usize;
            if strides[dim] != 0 {
                return None;
            }
            let size = match dims[dim] {
                Dim::Static(n) | Dim::Bounded(n) => n,
                Dim::Unbounded => return None,
            };
            let stride = total as usize;
            strides[dim] = stride;
            if size > 1 {
                modes[used] = Mode {
                    dim,
                    divisor: 1,
                    size: size as usize,
                    stride,
                    top: true,
                    run_time: 0,
                };
                used += 1;
                // Both factors are below 2^63.
                total *= size as u128;
                if total > max {
                    return None;
                }
            } else if size < 1 {
                return None;
            }
        }
        let bytes = total * element_bytes as u128;
        if bytes > max {
            return None;
        }
        let buffer_len = total as usize;
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
