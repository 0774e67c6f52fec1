//! An exact search: is there a digit for each stride so that the sum of the products is a target?
//!
//! ```text
//! solve(strides ascending, ranges of digits, target):
//!   from the greatest stride down, with the rest t:
//!     for digits e for which t - e * stride is within the reach of the smaller strides, and a multiple of their gcd:
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

/// A stride, and what is left for it and the smaller ones.
#[derive(Clone, Copy)]
struct Level {
    stride: i128,
    /// The digit that is tried, and the greatest one.
    digit: i64,
    last: i64,
    least: i64,
    rest: i128,
    /// Whether a digit of a greater stride is not 0.
    nonzero: bool,
    /// What the smaller strides reach, and their greatest common divisor.
    low: i128,
    high: i128,
    divisor: u64,
}

impl Level {
    const NONE: Self = Self {
        stride: 0,
        digit: 0,
        last: 0,
        least: 0,
        rest: 0,
        nonzero: false,
        low: 0,
        high: 0,
        divisor: 0,
    };
}

struct Search<'a, const T: usize> {
    cuts: [&'a Cut<'a, T>; 2],
    /// Whether it is the same map, and its indices are to be different: digits are differences of
    /// those of the two indices, not all 0, the first one above 0.
    same: bool,
    groups: &'a Groups,
    levels: [Level; MAX_GROUPS],
    /// Levels count from 1.
    failed: [(usize, bool, i128); REMEMBERED],
}

/// Two indices that share an offset; `None` if no two do. The strides of the maps, which are linear
/// over their atoms, are the gaps of the groups.
pub(crate) const fn search<const T: usize>(
    cuts: [&Cut<'_, T>; 2],
    same: bool,
    groups: &Groups,
    work: &mut Work,
) -> Result<Option<(u64, u64)>, MapError> {
    let [first, second] = cuts;
    let end = groups.len();
    let mut below = Level::NONE;
    let mut search = Search {
        cuts,
        same,
        groups,
        levels: [Level::NONE; MAX_GROUPS],
        failed: [(0, false, 0); REMEMBERED],
    };
    let mut target = second.map.origin() as i128 - first.map.origin() as i128;
    each!(i, 0..end, {
        let group = groups.at(i);
        let last = (group.span / group.gap) as i64;
        below.stride = group.gap as i128;
        // Digits of the second map count down.
        below.last = if same || !group.second { last } else { 0 };
        below.least = if same || group.second { -last } else { 0 };
        search.levels[i] = below;
        below.low += below.stride * below.least as i128;
        below.high += below.stride * below.last as i128;
        below.divisor = gcd(below.divisor, group.gap);
        if !same {
            let low = group.low as i128;
            target += if group.second { low } else { -low };
        }
    });
    if end == 0 {
        return Ok(if target == 0 { Some((0, 0)) } else { None });
    }
    let mut level = end - 1;
    search.enter(level, target, false);
    loop {
        tri!(work.step());
        search.levels[level].digit += 1;
        let at = search.levels[level];
        let rest = at.rest - at.digit as i128 * at.stride;
        if at.digit > at.last || rest < at.low {
            // Where digits may be refused, states below them have not failed.
            if first.atoms.ragged | second.atoms.ragged == 0 {
                search.failed[slot(level, at.rest)] = (level + 1, at.nonzero, at.rest);
            }
            level += 1;
            if level == end {
                return Ok(None);
            }
            continue;
        }
        let nonzero = at.nonzero || at.digit != 0;
        if rest > at.high || same && !at.nonzero && at.digit < 0 {
            continue;
        }
        if level == 0 {
            if rest == 0
                && (nonzero || !same)
                && let Some(pair) = search.pair()
            {
                return Ok(Some(pair));
            }
            continue;
        }
        let known = search.failed[slot(level - 1, rest)];
        let failed = known.0 == level && known.1 == nonzero && known.2 == rest;
        if rest % at.divisor as i128 == 0 && !failed {
            level -= 1;
            search.enter(level, rest, nonzero);
        }
    }
}

impl<const T: usize> Search<'_, T> {
    const fn enter(&mut self, level: usize, rest: i128, nonzero: bool) {
        let at = &mut self.levels[level];
        // The least digit whose rest the smaller strides may reach.
        let least = -(at.high - rest).div_euclid(at.stride);
        let low = at.least as i128;
        let end = at.last as i128 + 1;
        let first = if least > low { least } else { low };
        // The search counts up before it looks.
        at.digit = (if first < end { first } else { end } - 1) as i64;
        at.rest = rest;
        at.nonzero = nonzero;
    }

    /// The row-major indices that the digits are in both maps; `None` if one is out of bounds. A
    /// difference below 0 is one of the second index.
    const fn pair(&self) -> Option<(u64, u64)> {
        let mut coordinates = [[0; MAX_DIMENSIONS]; 2];
        let mut indices = [0, 0];
        each!(i, 0..self.groups.len(), {
            let group = self.groups.at(i);
            let digit = self.levels[i].digit;
            let (turned, mut steps) = (group.low < 0, digit.unsigned_abs());
            let second = if self.same {
                (digit > 0) == turned
            } else {
                group.second
            };
            let map = second as usize;
            let atom = &self.cuts[map].atoms.list[group.atoms.trailing_zeros() as usize];
            if turned && !self.same {
                steps = atom.size - 1 - steps;
            }
            coordinates[map][atom.dim] += steps * atom.unit;
            indices[map] += steps * atom.place;
        });
        let [first, second] = self.cuts;
        let inside = first.map.holds(&coordinates[0]) && second.map.holds(&coordinates[1]);
        let pair = (indices[0], indices[1]);
        if inside { Some(pair) } else { None }
    }
}

const fn slot(level: usize, rest: i128) -> usize {
    let mixed = (rest as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15)
        ^ (level as u64).wrapping_mul(0xD1B5_4A32_D192_ED03);
    (mixed >> 40) as usize % REMEMBERED
}
