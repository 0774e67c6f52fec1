//! The table of modes of a layout that has tiles and no other attribute. The tiles have no `*`, are
//! not longer than what they divide, and divide the tile before them. Every size is known, and none
//! is 0. Like a dense layout (`dense.rs`), it is lowered in few steps, because the compiler
//! interprets them: a part that were a function of its own would be a call, as slow as ten steps.
//!
//! The general way is [`lower`](super::lower::lower). Both give the same table (law 6, tested in
//! `types/dense.rs`). All other layouts and all errors are left to the general way.

use super::{ElementCounts, MAX, Mode, StaticTable};
use crate::constant::INLINE_RANK;
use crate::dims::Dim;
use crate::tile::TileDim;

/// One physical dimension while tiles cut: see [`Piece`](super::pieces::Piece).
#[derive(Clone, Copy)]
struct Digit {
    dim: usize,
    divisor: usize,
    range: usize,
    top: bool,
    width: usize,
}

/// The physical dimensions, most major first. There is room for `N`.
pub struct Digits<const N: usize> {
    digits: [Digit; N],
    len: usize,
    elements: usize,
}

impl<const N: usize> Digits<N> {
    /// The dimensions before the first tile; `None` where the general way is needed.
    pub const fn new(dims: &[Dim], minor_to_major: &[i64]) -> Option<Self> {
        let rank = dims.len();
        if minor_to_major.len() != rank || rank > N || rank > INLINE_RANK {
            return None;
        }
        // A constant that is named in a loop is looked up each time.
        let max = MAX as u128;
        let none = Digit {
            dim: 0,
            divisor: 1,
            range: 1,
            top: true,
            width: 1,
        };
        let mut digits = [none; N];
        // A bit for each dimension that was listed.
        let mut listed = 0_u32;
        let mut elements = 1_u128;
        let last = rank.wrapping_sub(1);
        let mut k = rank;
        while k > 0 {
            k -= 1;
            // A negative number becomes a large one.
            let number = minor_to_major[last - k] as u64;
            if number >= rank as u64 {
                return None;
            }
            let bit = 1 << number;
            if listed & bit != 0 {
                return None;
            }
            listed |= bit;
            let dim = number as usize;
            let size = match dims[dim] {
                Dim::Static(n) | Dim::Bounded(n) => n,
                Dim::Unbounded => return None,
            };
            if size < 1 {
                return None;
            }
            // Both factors are below 2^63.
            elements *= size as u128;
            if elements > max {
                return None;
            }
            let size = size as usize;
            digits[k] = Digit {
                dim,
                divisor: 1,
                range: size,
                top: true,
                width: size,
            };
        }
        Some(Self {
            digits,
            len: rank,
            elements: elements as usize,
        })
    }

    /// Cuts the last digits by a tile. False where the general way is needed.
    #[expect(
        clippy::manual_is_multiple_of,
        reason = "the compiler interprets a call as slowly as ten steps"
    )]
    pub const fn cut(&mut self, tile: &[TileDim]) -> bool {
        let entries = tile.len();
        if entries == 0 || entries > self.len || entries > N - self.len {
            return false;
        }
        let mut e = 0;
        while e < entries {
            let size = match tile[e] {
                TileDim::Size(size) if size > 0 && size <= MAX as i64 => size as usize,
                _ => return false,
            };
            let at = self.len - entries + e;
            let digit = self.digits[at];
            // How many tiles. A width is 1 at least.
            let width = (digit.width - 1) / size + 1;
            let mut inside = digit;
            inside.width = size;
            let mut outside = digit;
            outside.width = width;
            if digit.range <= size {
                // One tile holds all.
                outside.range = 1;
            } else {
                if !digit.top && digit.range % size != 0 {
                    return false;
                }
                // Below the size of the dimension, since the range is above `size`.
                outside.divisor = digit.divisor * size;
                outside.range = (digit.range - 1) / size + 1;
                inside.range = size;
                inside.top = false;
            }
            self.digits[at] = outside;
            self.digits[at + entries] = inside;
            e += 1;
        }
        self.len += entries;
        true
    }

    /// The bytes that memory is allocated for, if they can be counted.
    pub const fn bytes(&self, element_bytes: usize) -> Option<usize> {
        let mut bytes = element_bytes;
        let mut k = 0;
        while k < self.len {
            let product = bytes as u128 * self.digits[k].width as u128;
            if product > MAX as u128 {
                return None;
            }
            bytes = product as usize;
            k += 1;
        }
        Some(bytes)
    }

    /// The table. Not taken is one that is too large, or that needs the general way.
    ///
    /// Invariant `INSIDE` (`inside.rs`): a digit has at least as many places as values, and its
    /// stride is the product of the places of all more minor digits.
    pub const fn table(
        &self,
        dims: &[Dim],
        element_bytes: Option<usize>,
    ) -> StaticTable<[Mode; N]> {
        let Some(element_bytes) = element_bytes else {
            return StaticTable::<[Mode; N]>::GENERAL;
        };
        let max = MAX as u128;
        let none = Mode::NONE;
        let mut modes = [none; N];
        let mut used = 0;
        let mut total = 1_u128;
        let mut k = self.len;
        while k > 0 {
            k -= 1;
            let Digit {
                dim,
                divisor,
                range,
                top,
                width,
            } = self.digits[k];
            if range > 1 {
                let buffer_len = total as usize;
                // A digit that continues the one before it is the same digit.
                let before = if used == 0 { none } else { modes[used - 1] };
                // The first two comparisons fail for most digits.
                if before.dim == dim
                    && !before.top
                    && before.divisor * before.size == divisor
                    && before.stride * before.size == buffer_len
                {
                    modes[used - 1].top = top;
                    modes[used - 1].size = match dims[dim] {
                        Dim::Static(n) | Dim::Bounded(n) if top => {
                            (n as usize - 1) / before.divisor + 1
                        }
                        _ => before.size * range,
                    };
                } else {
                    modes[used] = Mode {
                        dim,
                        divisor,
                        size: range,
                        stride: buffer_len,
                        top,
                        run_time: 0,
                    };
                    used += 1;
                }
            }
            // Both factors are below 2^63.
            total *= width as u128;
            if total > max {
                return StaticTable::<[Mode; N]>::GENERAL;
            }
        }
        let bytes = total * element_bytes as u128;
        let mut strided = true;
        let mut m = 0;
        while m < used && strided {
            strided = modes[m].top && modes[m].divisor == 1;
            m += 1;
        }
        // The general way finds the strides.
        if strided || bytes > max {
            return StaticTable::<[Mode; N]>::GENERAL;
        }
        StaticTable {
            taken: true,
            unused: N - used,
            numbers: ElementCounts {
                elements: self.elements,
                buffer_len: total as usize,
                element_bits: 8 * element_bytes,
            },
            bytes: bytes as usize,
            modes,
        }
    }
}
