//! Independent parts of a map's indices: atoms, and components of them.
//!
//! ```text
//! cuts(dim)  = the divisors and divisor * size of all digits of the coordinate, sorted
//! good cuts  = multiples of the lcm of the cuts below that divide the gcd of the cuts above
//! atoms      = digits of the coordinate between good cuts
//! components = atoms that a digit of a merged coordinate, or a digit with an end that is no good
//!     cut, touches together
//! ```
//!
//! A digit between good cuts is linear over atoms, and so touches each of them alone. So a map is
//! its constant plus a sum of functions of one component each. All indices whose other components
//! are 0 are in bounds, also where the most major atom of a dimension is not complete, because such
//! an index is less than the whole one.

use crate::list::List;
use crate::map::at_least_one;
use crate::number::{gcd, lcm};
use crate::term::{Digit, Source};
use crate::{MAX_DIMENSIONS, MAX_SUMS, Map, Result};

/// How many atoms there is room for: a mask has a bit for each.
pub(crate) const MAX_ATOMS: usize = 128;

/// How many cuts there is room for.
const MAX_CUTS: usize = 256;

/// A digit of a coordinate that no good cut divides.
#[derive(Clone, Copy)]
pub(crate) struct Atom {
    pub(crate) dim: usize,
    /// A step of the atom, in the coordinate.
    pub(crate) unit: u64,
    /// Where the atom ends in the coordinate: the next cut, or the extent.
    end: u64,
    /// How many values it has.
    pub(crate) size: u64,
    /// A step of the atom, in the row-major index.
    pub(crate) place: u64,
}

/// All atoms, the most minor ones first.
pub(crate) struct Atoms {
    pub(crate) list: [Atom; MAX_ATOMS],
    pub(crate) len: usize,
    /// The atoms of each dimension.
    of_dim: [u128; MAX_DIMENSIONS],
    /// The atoms of dimensions whose most major atom is not complete.
    pub(crate) ragged: u128,
}

impl Atoms {
    /// The atoms of maps with equal extents, all above 0.
    pub(crate) const fn of<const T: usize>(maps: &[&Map<T>]) -> Result<Self> {
        let mut next = Atom {
            dim: 0,
            unit: 1,
            end: 1,
            size: 1,
            place: 1,
        };
        let mut atoms = Self {
            list: [next; MAX_ATOMS],
            len: 0,
            of_dim: [0; MAX_DIMENSIONS],
            ragged: 0,
        };
        let mut cuts = List::<_, MAX_CUTS>::new((0, 0));
        each!(map, &maps, {
            each!(term, &map.all_terms(), {
                if let Source::Coordinate(dim) = term.digit.source {
                    let extent = map.extents[dim as usize] as u128;
                    let ends = &[term.digit.divisor as u128, end_of(&term.digit)];
                    each!(cut, ends, {
                        let last = cuts.list[cuts.len.saturating_sub(1)];
                        let new = last.0 != dim as i64 || last.1 as u128 != *cut;
                        if new && *cut > 1 && *cut < extent {
                            if cuts.len == MAX_CUTS {
                                cuts.sort();
                            }
                            tri!(cuts.push((dim as i64, *cut as u64)));
                        }
                    });
                }
            });
        });
        cuts.sort();
        next.dim = maps[0].rank;
        while next.dim > 0 {
            next.dim -= 1;
            next.end = maps[0].extents[next.dim];
            let mut first = cuts.len;
            while first > 0 && cuts.list[first - 1].0 == next.dim as i64 {
                first -= 1;
            }
            tri!(atoms.add(next, cuts.as_slice().split_at(first).1));
            cuts.len = first;
            next.place *= next.end;
        }
        Ok(atoms)
    }

    /// The atoms of a dimension.
    const fn add(&mut self, mut next: Atom, cuts: &[(i64, u64)]) -> Result<()> {
        let mut good = [true; MAX_CUTS + 1];
        let mut above = 0_u64;
        let mut i = cuts.len();
        while i > 0 {
            i -= 1;
            good[i] = above.is_multiple_of(cuts[i].1);
            above = gcd(above, cuts[i].1);
        }
        let mut below = 1;
        let extent = next.end;
        each!(i, 0..cuts.len() + 1, {
            let mut end = extent;
            if i < cuts.len() {
                end = cuts[i].1;
                good[i] = good[i] && end.is_multiple_of(below);
                below = lcm(below, end);
            }
            if good[i] && end > next.unit {
                ensure!(self.len < MAX_ATOMS, TooManyTerms { limit: MAX_ATOMS });
                (next.end, next.size) = (end, end.div_ceil(next.unit));
                self.list[self.len] = next;
                self.of_dim[next.dim] |= 1 << self.len;
                self.len += 1;
                if !end.is_multiple_of(next.unit) {
                    self.ragged |= self.of_dim[next.dim];
                }
                next.place *= end / next.unit;
                next.unit = end;
            }
        });
        Ok(())
    }

    /// The atoms of a dimension that begin below `end`.
    const fn below(&self, dim: u8, end: u128) -> u128 {
        let all = self.of_dim[dim as usize];
        let mut low = all.trailing_zeros();
        let mut high = 128 - all.leading_zeros();
        while low < high {
            let middle = (low + high) / 2;
            if (self.list[middle as usize].unit as u128) < end {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        all & !u128::MAX.unbounded_shl(low)
    }

    /// The atoms that a digit touches, if the sums touch these.
    const fn touched(&self, digit: &Digit, sums: &[u128; MAX_SUMS]) -> u128 {
        match digit.source {
            Source::Sum(sum) => sums[sum as usize],
            Source::Coordinate(dim) => {
                let begun = self.below(dim, digit.divisor as u128 + 1);
                // The last one that begins at or below the divisor ends above it.
                self.below(dim, end_of(digit)) & !(begun & begun >> 1)
            }
        }
    }

    /// Whether a digit is one of a coordinate and linear over each of these neighbours.
    const fn is_linear(&self, digit: &Digit, atoms: u128) -> bool {
        matches!(digit.source, Source::Coordinate(_))
            && (atoms == 0
                || (self.list[atoms.trailing_zeros() as usize].unit).is_multiple_of(digit.divisor)
                    && self.list[127 - atoms.leading_zeros() as usize].end as u128 <= end_of(digit))
    }

    /// A step of an atom, the least one of these, in the row-major index.
    #[cfg(feature = "operations")]
    pub(crate) const fn place_of(&self, atoms: u128) -> i64 {
        self.list[atoms.trailing_zeros() as usize].place as i64
    }

    /// Joins the components of these atoms.
    pub(crate) const fn unite(&self, components: &mut [u128; MAX_ATOMS], atoms: u128) {
        let mut all = 0;
        each!(i, 0..self.len, {
            if components[i] & atoms != 0 {
                all |= components[i];
            }
        });
        each!(i, 0..self.len, {
            if all >> i & 1 == 1 {
                components[i] = all;
            }
        });
    }

    /// Each atom alone.
    pub(crate) const fn separate(&self) -> [u128; MAX_ATOMS] {
        let mut components = [0; MAX_ATOMS];
        each!(i, 0..self.len, {
            components[i] = 1 << i;
        });
        components
    }

    /// A map with the extents of the atoms, whose cuts are among theirs.
    pub(crate) const fn cut<'a, const T: usize>(&'a self, map: &'a Map<T>) -> Cut<'a, T> {
        let mut cut = Cut {
            map,
            atoms: self,
            linear: !u128::MAX.unbounded_shl(self.len as u32),
            weights: [0; MAX_ATOMS],
            sums: [0; MAX_SUMS],
        };
        each!(number, 0..map.count - 1, {
            each!(term, &map.sum_terms(number), {
                cut.sums[number] |= self.touched(&term.digit, &cut.sums);
            });
        });
        each!(term, &map.terms(), {
            let mut rest = self.touched(&term.digit, &cut.sums);
            if !self.is_linear(&term.digit, rest) {
                cut.linear &= !rest;
                continue;
            }
            while rest != 0 {
                let i = rest.trailing_zeros() as usize;
                let steps = self.list[i].unit / term.digit.divisor;
                // The whole fits in 64 bits, so it is right even where a part of it wraps.
                let weight = term.weight.wrapping_mul(steps as i64);
                cut.weights[i] = cut.weights[i].wrapping_add(weight);
                rest &= rest - 1;
            }
        });
        cut
    }
}

/// A map over atoms.
pub(crate) struct Cut<'a, const T: usize> {
    pub(crate) map: &'a Map<T>,
    pub(crate) atoms: &'a Atoms,
    /// The atoms over which the map is linear, whatever the others are.
    pub(crate) linear: u128,
    /// How far the map moves with a step of each of these atoms.
    pub(crate) weights: [i64; MAX_ATOMS],
    /// The atoms that each merged coordinate touches.
    sums: [u128; MAX_SUMS],
}

impl<const T: usize> Cut<'_, T> {
    /// Joins the atoms that depend on each other: each atom's entry is the mask of its component.
    pub(crate) const fn join(&self, components: &mut [u128; MAX_ATOMS]) {
        if self.is_linear() {
            return;
        }
        each!(term, &self.map.terms(), {
            let touched = self.atoms.touched(&term.digit, &self.sums);
            if !self.atoms.is_linear(&term.digit, touched) {
                self.atoms.unite(components, touched);
            }
        });
    }

    /// The components. Atoms of a dimension whose most major one is not complete depend on each
    /// other.
    #[cfg(feature = "operations")]
    pub(crate) const fn components(&self) -> [u128; MAX_ATOMS] {
        let mut components = self.atoms.separate();
        self.join(&mut components);
        each!(dim, 0..self.map.rank, {
            let ragged = self.atoms.ragged & self.atoms.of_dim[dim];
            self.atoms.unite(&mut components, ragged);
        });
        components
    }

    /// Whether the map is linear over all atoms.
    pub(crate) const fn is_linear(&self) -> bool {
        self.linear.count_ones() as usize == self.atoms.len
    }

    /// How many steps of an atom change the map by a number that does not depend on the other
    /// atoms; the greatest number if that is not known.
    pub(crate) const fn period(&self, atom: usize) -> u64 {
        let atoms = self.atoms;
        let here = 1 << atom;
        let mut period = 1;
        each!(term, &self.map.terms(), {
            let digit = &term.digit;
            if atoms.touched(digit, &self.sums) & here == 0 {
                continue;
            }
            let Source::Sum(number) = digit.source else {
                if !atoms.is_linear(digit, here) {
                    return u64::MAX;
                }
                continue;
            };
            let Some(modulus) = digit.divisor.checked_mul(at_least_one(digit.modulus())) else {
                return u64::MAX;
            };
            each!(term, &self.map.sum_terms(number as usize), {
                if atoms.touched(&term.digit, &self.sums) & here != 0 {
                    if !atoms.is_linear(&term.digit, here) {
                        return u64::MAX;
                    }
                    let steps = (atoms.list[atom].unit / term.digit.divisor) as u128;
                    let step = term.weight.unsigned_abs() as u128 * steps % modulus as u128;
                    period = lcm(period, modulus / gcd(modulus, step as u64));
                }
            });
        });
        period
    }

    /// All indices whose atoms outside of `atoms` are 0.
    pub(crate) const fn walk(&self, atoms: u128) -> Walk<'_, T> {
        Walk {
            cut: self,
            atoms,
            digits: [0; MAX_ATOMS],
            limits: [u64::MAX; MAX_ATOMS],
            coordinates: [0; MAX_DIMENSIONS],
            index: 0,
        }
    }
}

/// All indices whose atoms outside of a component are 0, ascending.
pub(crate) struct Walk<'a, const T: usize> {
    cut: &'a Cut<'a, T>,
    atoms: u128,
    digits: [u64; MAX_ATOMS],
    /// Digits at or above these are left out.
    pub(crate) limits: [u64; MAX_ATOMS],
    pub(crate) coordinates: [u64; MAX_DIMENSIONS],
    pub(crate) index: u64,
}

impl<const T: usize> Walk<'_, T> {
    /// Advances to the next index; returns `false` after the last one.
    pub(crate) const fn advance(&mut self) -> bool {
        each!(i, 0..self.cut.atoms.len, {
            if self.atoms >> i & 1 == 1 {
                let atom = &self.cut.atoms.list[i];
                let next = self.digits[i] + 1;
                let coordinate = &mut self.coordinates[atom.dim];
                if next < atom.size
                    && next < self.limits[i]
                    && *coordinate + atom.unit < self.cut.map.extents[atom.dim]
                {
                    self.digits[i] = next;
                    *coordinate += atom.unit;
                    self.index += atom.place;
                    return true;
                }
                *coordinate -= self.digits[i] * atom.unit;
                self.index -= self.digits[i] * atom.place;
                self.digits[i] = 0;
            }
        });
        false
    }
}

/// Where a digit ends in its source.
const fn end_of(digit: &Digit) -> u128 {
    match digit.modulus() {
        0 => u128::MAX,
        size => digit.divisor as u128 * size as u128,
    }
}
