//! An exact search: is there a digit for each stride so that the sum of the products is a target?
//!
//! ```text
//! solve(strides ascending, ranges of digits, target):
//!   from the greatest stride down, with the rest t, which is the target at first:
//!     for each digit e for which t - e * stride is within the reach of the smaller strides, and a
//!         multiple of their greatest common divisor:
//!       go down with t - e * stride
//!   a state (stride, t) that failed is not tried again
//! ```
//!
//! The question is NP-complete, also for digits of -1, 0 and 1 (Equal Subset Sum; Woeginger and Yu,
//! 1992). If each stride is greater than the reach of the smaller ones, each state has at most two
//! digits.

use crate::atoms::Cut;
use crate::equal::Work;
use crate::groups::{Groups, MAX_GROUPS};
use crate::number::gcd;
use crate::{MAX_DIMENSIONS, MapError};

/// How many failed states are remembered. A state that is forgotten is tried again.
const REMEMBERED: usize = 256;

/// A stride, and the state of the search at it.
#[derive(Clone, Copy)]
struct Level {
    stride: i128,
    /// The digit that is tried.
    digit: i64,
    /// The least and the greatest digit.
    least: i64,
    greatest: i64,
    /// What is left of the target for this stride and the smaller ones.
    rest: i128,
    /// Whether a digit of a greater stride is not 0.
    nonzero: bool,
    /// The least and the greatest sum that the smaller strides reach.
    low_below: i128,
    high_below: i128,
    /// The greatest common divisor of the smaller strides.
    divisor_below: u64,
}

impl Level {
    const NONE: Self = Self {
        stride: 1,
        digit: 0,
        least: 0,
        greatest: 0,
        rest: 0,
        nonzero: false,
        low_below: 0,
        high_below: 0,
        divisor_below: 0,
    };
}

struct Search<'a, const T: usize> {
    cuts: [&'a Cut<'a, T>; 2],
    /// Whether both are the same map, and two different indices of it are searched. Then each digit
    /// is the difference of a digit of the first index and one of the second. Not all differences
    /// are 0, and the first that is not is above 0: the indices may change places.
    is_same: bool,
    groups: &'a Groups,
    /// For each group: its level.
    levels: [Level; MAX_GROUPS],
    /// States that failed: the number of the level plus 1, `nonzero`, and the rest. All 0 where
    /// there is none.
    failed: [(usize, bool, i128); REMEMBERED],
}

/// Two indices that share an offset: one of each map, or with `is_same` two different ones of the
/// same map. `None` if no two do. The maps are linear over their atoms: each group is one atom, and
/// its gap is the stride.
pub(crate) const fn search<const T: usize>(
    cuts: [&Cut<'_, T>; 2],
    is_same: bool,
    groups: &Groups,
    work: &mut Work,
) -> Result<Option<(u64, u64)>, MapError> {
    let mut search = Search::begin(cuts, is_same, groups);
    let ragged = cuts[0].atoms.ragged | cuts[1].atoms.ragged;
    let end = groups.len();
    if end == 0 {
        let found = search.levels[0].rest == 0;
        return Ok(if found { Some((0, 0)) } else { None });
    }
    let mut level = end - 1;
    loop {
        tri!(work.step());
        search.levels[level].digit += 1;
        let current = search.levels[level];
        let rest = current.rest - current.digit as i128 * current.stride;
        if current.digit > current.greatest || rest < current.low_below {
            // All digits were tried. The state has failed, unless a pair that it led to was out of
            // bounds: that depends on the digits of greater strides, too. Only incomplete atoms
            // lead out of bounds.
            if ragged == 0 {
                let state = (level + 1, current.nonzero, current.rest);
                search.failed[slot(level, current.rest)] = state;
            }
            level += 1;
            if level == end {
                return Ok(None);
            }
            continue;
        }
        let nonzero = current.nonzero || current.digit != 0;
        let is_reversed = is_same && !current.nonzero && current.digit < 0;
        if rest > current.high_below || is_reversed {
            continue;
        }
        if level == 0 {
            if rest == 0
                && (nonzero || !is_same)
                && let Some(pair) = search.pair()
            {
                return Ok(Some(pair));
            }
            continue;
        }
        let (known_level, known_nonzero, known_rest) = search.failed[slot(level - 1, rest)];
        let failed = known_level == level && known_nonzero == nonzero && known_rest == rest;
        if rest % current.divisor_below as i128 == 0 && !failed {
            level -= 1;
            search.enter(level, rest, nonzero);
        }
    }
}

impl<'a, const T: usize> Search<'a, T> {
    /// The search at the greatest stride, with the whole target as its rest.
    const fn begin(cuts: [&'a Cut<'a, T>; 2], is_same: bool, groups: &'a Groups) -> Self {
        let [first, second] = cuts;
        let mut next = Level::NONE;
        let mut search = Self {
            cuts,
            is_same,
            groups,
            levels: [Level::NONE; MAX_GROUPS],
            failed: [(0, false, 0); REMEMBERED],
        };
        let mut target = second.map.origin() as i128 - first.map.origin() as i128;
        each!(i, 0..groups.len(), {
            let group = groups.at(i);
            let steps = (group.span / group.gap) as i64;
            next.stride = group.gap as i128;
            // Digits of the second map count down.
            next.least = if is_same || group.second { -steps } else { 0 };
            next.greatest = if is_same || !group.second { steps } else { 0 };
            search.levels[i] = next;
            next.low_below += next.stride * next.least as i128;
            next.high_below += next.stride * next.greatest as i128;
            next.divisor_below = gcd(next.divisor_below, group.gap);
            if !is_same {
                // Each digit counts steps from the group's lowest offset.
                let low = group.low as i128;
                target += if group.second { low } else { -low };
            }
        });
        search.enter(groups.len().saturating_sub(1), target, false);
        search
    }

    /// Begins with the digits of a level.
    const fn enter(&mut self, level: usize, rest: i128, nonzero: bool) {
        let entered = &mut self.levels[level];
        // The least digit whose rest the smaller strides may reach.
        let reaching = -(entered.high_below - rest).div_euclid(entered.stride);
        let least = entered.least as i128;
        let end = entered.greatest as i128 + 1;
        let first = if reaching > least { reaching } else { least };
        // The search counts up before it looks.
        entered.digit = (if first < end { first } else { end } - 1) as i64;
        entered.rest = rest;
        entered.nonzero = nonzero;
    }

    /// The row-major indices in both maps that the digits stand for; `None` if one is out of
    /// bounds. A difference is a digit of one index, and the other index has 0 there.
    const fn pair(&self) -> Option<(u64, u64)> {
        let mut coordinates = [[0; MAX_DIMENSIONS]; 2];
        let mut indices = [0, 0];
        each!(i, 0..self.groups.len(), {
            let group = self.groups.at(i);
            let digit = self.levels[i].digit;
            // Whether the weight is below 0: the offset falls where the atom's digit rises.
            let falls = group.low < 0;
            let is_second = if self.is_same {
                (digit > 0) == falls
            } else {
                group.second
            };
            let side = is_second as usize;
            let atom = &self.cuts[side].atoms.list[group.atoms.trailing_zeros() as usize];
            let mut steps = digit.unsigned_abs();
            if falls && !self.is_same {
                // These are steps from the lowest offset, which the greatest digit has.
                steps = atom.size - 1 - steps;
            }
            coordinates[side][atom.dim] += steps * atom.unit;
            indices[side] += steps * atom.place;
        });
        let [first, second] = self.cuts;
        let inside = first.map.holds(&coordinates[0]) && second.map.holds(&coordinates[1]);
        let pair = (indices[0], indices[1]);
        if inside { Some(pair) } else { None }
    }
}

/// Where a failed state is remembered: a hash of its level and its rest.
const fn slot(level: usize, rest: i128) -> usize {
    let mixed = (rest as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15)
        ^ (level as u64).wrapping_mul(0xD1B5_4A32_D192_ED03);
    (mixed >> 40) as usize % REMEMBERED
}
