//! Visiting elements in memory order: one loop for each mode, the most minor one innermost.
//!
//! No division happens inside: whole tiles are visited, then their inside. Loops over an array in
//! logical order divide in the innermost loop when the layout is tiled, and are seven times slower.

use super::{CONST_MODES, Mode};
use crate::list::List;

/// The elements of so many bits that share a byte; 1 of those that do not.
#[inline]
pub(crate) const fn in_byte(element_bits: usize) -> usize {
    match element_bits {
        1..8 => 8 / element_bits,
        _ => 1,
    }
}

/// How many loops are written out. Layouts with more modes (rank 4 with three tile levels has 8)
/// take the general way, which is slower but right.
pub(crate) const MAX_LOOPS: usize = 10;

/// One loop: a mode with its numbers at hand.
#[derive(Clone, Copy)]
pub(crate) struct Loop {
    pub(crate) dim: usize,
    pub(crate) divisor: usize,
    pub(crate) size: usize,
    pub(crate) stride: usize,
    /// The size of the dimension where digits can run past it (a tile hangs over the edge); 0
    /// where they cannot.
    pub(crate) edge: usize,
}

impl Loop {
    pub(crate) const NONE: Self = Self {
        dim: 0,
        divisor: 0,
        size: 1,
        stride: 0,
        edge: 0,
    };

    /// How often the loop runs, the digits outside it being `coordinate`.
    #[inline(always)]
    pub(crate) fn count(&self, coordinate: usize) -> usize {
        if self.edge == 0 {
            self.size
        } else {
            // `coordinate < edge`: the loops outside stop at the edge, too.
            let left = self.edge - coordinate;
            let steps = if self.divisor == 1 {
                left
            } else {
                left.div_ceil(self.divisor)
            };
            if steps < self.size { steps } else { self.size }
        }
    }

    /// The loops of the modes, the most minor first. `sizes` are the sizes of the dimensions.
    #[inline]
    pub(crate) const fn all(modes: &[Mode], sizes: &[usize]) -> [Self; MAX_LOOPS] {
        let mut loops = [Self::NONE; MAX_LOOPS];
        each!(k, 0..MAX_LOOPS, {
            loops[k] = Self::of(modes, k, sizes);
        });
        loops
    }

    /// The loop of `modes[k]`, its numbers final.
    #[inline]
    const fn of(modes: &[Mode], k: usize, sizes: &[usize]) -> Self {
        if k >= modes.len() {
            return Self::NONE;
        }
        let mode = modes[k];
        let size = sizes[mode.dim];
        // The digits of this dimension run over all combinations: more than `size` of them?
        let mut combinations = 1_u128;
        each!(other, modes, {
            if other.dim == mode.dim {
                combinations = combinations.saturating_mul(other.size as u128);
            }
        });
        Self {
            dim: mode.dim,
            divisor: mode.divisor,
            size: mode.size,
            stride: mode.stride,
            edge: if combinations == size as u128 {
                0
            } else {
                size
            },
        }
    }
}

/// The innermost modes of a table that are one run of memory: a single loop visits them, and takes
/// the digits from the bits of its counter. Without it, a tile whose innermost digit has two values
/// would be visited by loops of two rounds.
#[derive(Clone, Copy)]
pub(crate) struct Run {
    /// How many modes; 0 where there is nothing to join.
    pub(crate) modes: usize,
    /// How many elements, when no edge cuts the run.
    pub(crate) len: usize,
}

impl Run {
    /// The rounds of a loop that is fast alone. Longer runs would save the start of the loop. But a
    /// body that uses the index loses more, because it takes digits from bits.
    const LONG: usize = 32;

    pub(crate) const NONE: Self = Self { modes: 0, len: 1 };

    #[inline]
    pub(crate) const fn of(modes: &[Mode]) -> Self {
        let mut run = Self::NONE;
        while run.modes < modes.len()
            && modes[run.modes].stride == run.len
            && run.len.is_power_of_two()
            && run.len < Self::LONG
        {
            run.len *= modes[run.modes].size;
            run.modes += 1;
        }
        if run.modes > 1 { run } else { Self::NONE }
    }

    /// How far the run reaches along the dimension of the `k`-th mode: the last coordinate in it,
    /// plus one.
    #[inline]
    pub(crate) const fn reach(self, modes: &[Mode], k: usize) -> usize {
        let mut reach = 1;
        each!(m, 0..self.modes, {
            if modes[m].dim == modes[k].dim {
                reach += (modes[m].size - 1) * modes[m].divisor;
            }
        });
        reach
    }
}

/// The general way: any number of modes, none of them of a merged coordinate. It is inlined so that
/// what `visit` changes stays in registers.
#[inline]
pub(crate) fn walk<C: crate::Coordinates>(
    modes: &[Mode],
    sizes: &[usize],
    mut visit: impl FnMut(&C, usize),
) {
    let mut at = C::origin(sizes.len());
    let mut linear = 0;
    let Some((inner, outer)) = modes.split_first() else {
        visit(&at, 0);
        return;
    };
    let inner_loop = Loop::of(modes, 0, sizes);
    let mut digits: List<usize, CONST_MODES> = List::new();
    for _ in outer {
        digits.push(0);
    }
    loop {
        let count = inner_loop.count(at.as_ref()[inner.dim]);
        for _ in 0..count {
            visit(&at, linear);
            at.as_mut()[inner.dim] += inner.divisor;
            linear += inner.stride;
        }
        at.as_mut()[inner.dim] -= count * inner.divisor;
        linear -= count * inner.stride;
        let digits = outer.iter().zip(digits.iter_mut());
        if !advance(digits, sizes, at.as_mut(), &mut linear) {
            return;
        }
    }
}

/// Moves to the next element: the first digit that can grow grows, and those below it begin again.
/// Whether there was one.
#[inline(always)]
pub(crate) fn advance<'a>(
    digits: impl Iterator<Item = (&'a Mode, &'a mut usize)>,
    sizes: &[usize],
    at: &mut [usize],
    linear: &mut usize,
) -> bool {
    for (mode, digit) in digits {
        let coordinate = &mut at[mode.dim];
        if *digit + 1 < mode.size && *coordinate + mode.divisor < sizes[mode.dim] {
            *digit += 1;
            *coordinate += mode.divisor;
            *linear += mode.stride;
            return true;
        }
        *coordinate -= *digit * mode.divisor;
        *linear -= *digit * mode.stride;
        *digit = 0;
    }
    false
}

#[cfg(all(test, feature = "alloc"))]
mod tests;
