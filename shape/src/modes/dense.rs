//! The table of modes of a dense layout: no attributes, and every size known and above 0. The
//! compiler interprets this for each such layout that is a type, so it takes few steps, and its
//! table is as long as the rank.
//!
//! The general way is [`lower`](super::lower::lower). Both give the same table (law 6, tested in
//! `types/dense.rs`). What this one does not take, or finds wrong, it leaves to the general way,
//! which reports errors.

use super::{ElementCounts, MAX, Mode};
use crate::dims::Dim;

/// The table of a layout that is a type, as long as the layout needs: `M` is an array of modes.
/// Without its length, `M` is a slice.
pub struct StaticTable<M: ?Sized = [Mode]> {
    /// False where the general way is needed. Then nothing else here has a meaning.
    pub taken: bool,
    /// How many modes at the end have no meaning.
    pub unused: usize,
    pub numbers: ElementCounts,
    /// The bytes that memory is allocated for.
    pub bytes: usize,
    pub modes: M,
}

impl<const N: usize> StaticTable<[Mode; N]> {
    /// The general way is needed.
    pub const GENERAL: Self = Self {
        taken: false,
        unused: N,
        numbers: ElementCounts {
            elements: 0,
            buffer_len: 0,
            element_bits: 0,
        },
        bytes: 0,
        modes: [Mode::NONE; N],
    };

    /// The table of a dense layout of rank `N`. Not taken is a layout that is not dense, not valid,
    /// or too large.
    ///
    /// Invariant `INSIDE` (`inside.rs`): each stride is the product of the sizes of all more minor
    /// dimensions. So the sum of `(size - 1) * stride` is the product of all sizes, less 1.
    pub const fn dense(dims: &[Dim], minor_to_major: &[i64], element_bytes: Option<usize>) -> Self {
        let Some(element_bytes) = element_bytes else {
            return Self::GENERAL;
        };
        if dims.len() != N || minor_to_major.len() != N || N > 16 {
            return Self::GENERAL;
        }
        // A constant that is named in the loop is looked up each time.
        let max = MAX as u128;
        let mut modes = [Mode::NONE; N];
        // A bit for each dimension that was listed.
        let mut listed = 0_u32;
        let mut used = 0;
        let mut total = 1_u128;
        let rank = N as u64;
        let mut rest = minor_to_major;
        while let [number, more @ ..] = rest {
            rest = more;
            // A negative number becomes a large one.
            let number = *number as u64;
            if number >= rank {
                return Self::GENERAL;
            }
            let bit = 1 << number;
            if listed & bit != 0 {
                return Self::GENERAL;
            }
            listed |= bit;
            let dim = number as usize;
            let size = match dims[dim] {
                Dim::Static(n) | Dim::Bounded(n) => n,
                Dim::Unbounded => return Self::GENERAL,
            };
            if size > 1 {
                modes[used] = Mode {
                    dim,
                    divisor: 1,
                    size: size as usize,
                    stride: total as usize,
                    top: true,
                    run_time: 0,
                };
                used += 1;
                // Both factors are below 2^63.
                total *= size as u128;
                if total > max {
                    return Self::GENERAL;
                }
            } else if size < 1 {
                return Self::GENERAL;
            }
        }
        let bytes = total * element_bytes as u128;
        if bytes > max {
            return Self::GENERAL;
        }
        let buffer_len = total as usize;
        Self {
            taken: true,
            unused: N - used,
            numbers: ElementCounts {
                elements: buffer_len,
                buffer_len,
                element_bits: 8 * element_bytes,
            },
            bytes: bytes as usize,
            modes,
        }
    }
}

impl StaticTable {
    /// The modes that have a meaning.
    #[inline]
    pub const fn used(&self) -> &[Mode] {
        let mut modes = &self.modes;
        let mut unused = self.unused;
        while unused > 0
            && let [used @ .., _] = modes
        {
            modes = used;
            unused -= 1;
        }
        modes
    }
}

/// The strides of a dense layout of rank `N`, one for each dimension: what all more minor
/// dimensions hold. The list is a permutation, and the product of all sizes is small enough.
pub const fn dense_strides<const N: usize>(dims: &[Dim], minor_to_major: &[i64]) -> [usize; N] {
    let mut strides = [1; N];
    let mut total = 1;
    each!(dim, minor_to_major, {
        let dim = *dim as usize;
        strides[dim] = total;
        if let Dim::Static(n) | Dim::Bounded(n) = dims[dim] {
            total *= n as usize;
        }
    });
    strides
}
