//! Independent parts of a map's indices: atoms, and components of them.
//!
//! ```text
//! cuts(dim)  = the divisors and divisor * size of all digits of the coordinate
//! good cuts  = those that divide, or are divided by, each other cut
//! atoms      = digits of the coordinate between good cuts
//! components = atoms that a digit of a merged coordinate, or a digit with an end that is no good cut, touches together
//! ```
//!
//! A digit between good cuts is linear over atoms, and so touches each of them alone. So a map is its constant plus a sum of
//! functions of one component each. All indices whose other components are 0 are in bounds, also where the most major
//! atom of a dimension is not complete, because such an index is less than the whole one.

use crate::number::gcd;
use crate::term::{Digit, Source};
use crate::{MAX_DIMENSIONS, MAX_SUMS, Map, MapError};

/// How many atoms there is room for: a mask has a bit for each.
pub(crate) const MAX_ATOMS: usize = 128;

/// A digit of a coordinate that no good cut divides.
#[derive(Clone, Copy)]
pub(crate) struct Atom {
    pub(crate) dim: usize,
    /// A step of the atom, in the coordinate.
    pub(crate) unit: u64,
    /// Where the atom ends in the coordinate: the next cut, or the extent.
    pub(crate) end: u64,
    /// How many values it has.
    pub(crate) size: u64,
    /// A step of the atom, in the row-major index.
    pub(crate) place: u64,
}

/// All atoms, the most minor ones first.
#[derive(Clone, Copy)]
pub(crate) struct Atoms {
    pub(crate) list: [Atom; MAX_ATOMS],
    pub(crate) len: usize,
    /// The atoms of dimensions whose most major atom is not complete.
    pub(crate) ragged: u128,
}

impl Atoms {
    /// The atoms of maps with the same extents, of which none is 0.
    pub(crate) const fn of<const T: usize>(maps: &[&Map<T>]) -> Result<Self, MapError> {
        let empty = Atom {
            dim: 0,
            unit: 1,
            end: 1,
            size: 1,
            place: 1,
        };
        let mut atoms = Self {
            list: [empty; MAX_ATOMS],
            len: 0,
            ragged: 0,
        };
        let (mut dim, mut place) = (maps[0].rank, 1);
        while dim > 0 {
            dim -= 1;
            let extent = maps[0].extents[dim];
            if extent > 1 {
                let cuts = tri!(Cuts::of(maps, dim, extent));
                tri!(atoms.add(&cuts, dim, extent, place));
            }
            place *= extent;
        }
        Ok(atoms)
    }

    /// The atoms of a dimension.
    const fn add(
        &mut self,
        cuts: &Cuts,
        dim: usize,
        extent: u64,
        place: u64,
    ) -> Result<(), MapError> {
        let (first, mut unit, mut next) = (self.len, 1, 0);
        while unit < extent {
            while next < cuts.len && !cuts.is_good(next) {
                next += 1;
            }
            let end = if next < cuts.len {
                cuts.list[next]
            } else {
                extent
            };
            next += 1;
            if self.len == MAX_ATOMS {
                return Err(MapError::TooManyTerms { limit: MAX_ATOMS });
            }
            self.list[self.len] = Atom {
                dim,
                unit,
                end,
                size: end.div_ceil(unit),
                place: place * unit,
            };
            self.len += 1;
            if !end.is_multiple_of(unit) {
                self.ragged |= mask_of(first, self.len);
            }
            unit = end;
        }
        Ok(())
    }

    /// The atoms that each merged coordinate of a map touches.
    const fn touched_by_sums<const T: usize>(&self, map: &Map<T>) -> [u128; MAX_SUMS] {
        let (mut masks, mut number) = ([0; MAX_SUMS], 0);
        while number + 1 < map.count {
            let (terms, mut i) = (map.sum_terms(number), 0);
            while i < terms.len() {
                masks[number] |= self.touched(&terms[i].digit, &masks);
                i += 1;
            }
            number += 1;
        }
        masks
    }

    /// The atoms that a digit touches.
    const fn touched(&self, digit: &Digit, sums: &[u128; MAX_SUMS]) -> u128 {
        match digit.source {
            Source::Sum(sum) => sums[sum as usize],
            Source::Coordinate(dim) => {
                let end = end_of(digit);
                let (mut mask, mut i) = (0, 0);
                while i < self.len {
                    let atom = &self.list[i];
                    if atom.dim == dim as usize
                        && atom.end > digit.divisor
                        && (atom.unit as u128) < end
                    {
                        mask |= 1 << i;
                    }
                    i += 1;
                }
                mask
            }
        }
    }

    /// Whether a digit of a coordinate is linear over each of these atoms.
    const fn is_linear(&self, digit: &Digit, atoms: u128) -> bool {
        let mut i = 0;
        while i < self.len {
            let atom = &self.list[i];
            if atoms & (1 << i) != 0
                && (!atom.unit.is_multiple_of(digit.divisor) || end_of(digit) < atom.end as u128)
            {
                return false;
            }
            i += 1;
        }
        true
    }

    /// Joins the atoms that depend on each other in a map: each atom's entry is the mask of its component.
    pub(crate) const fn join<const T: usize>(
        &self,
        map: &Map<T>,
        components: &mut [u128; MAX_ATOMS],
    ) {
        let sums = self.touched_by_sums(map);
        let (terms, mut i) = (map.terms(), 0);
        while i < terms.len() {
            self.unite(components, self.coupled(&terms[i].digit, &sums));
            i += 1;
        }
    }

    /// The atoms that depend on each other in a digit; none if it is linear over each of them.
    const fn coupled(&self, digit: &Digit, sums: &[u128; MAX_SUMS]) -> u128 {
        let touched = self.touched(digit, sums);
        match digit.source {
            Source::Coordinate(_) if self.is_linear(digit, touched) => 0,
            _ => touched,
        }
    }

    /// Joins the components of these atoms.
    pub(crate) const fn unite(&self, components: &mut [u128; MAX_ATOMS], atoms: u128) {
        let (mut all, mut i) = (0, 0);
        while i < self.len {
            if components[i] & atoms != 0 {
                all |= components[i];
            }
            i += 1;
        }
        let mut i = 0;
        while i < self.len {
            if all & (1 << i) != 0 {
                components[i] = all;
            }
            i += 1;
        }
    }

    /// Each atom alone.
    pub(crate) const fn separate(&self) -> [u128; MAX_ATOMS] {
        let (mut components, mut i) = ([0; MAX_ATOMS], 0);
        while i < self.len {
            components[i] = 1 << i;
            i += 1;
        }
        components
    }

    /// The atoms over which a map is linear, whatever the others are.
    pub(crate) const fn linear<const T: usize>(&self, map: &Map<T>) -> u128 {
        let sums = self.touched_by_sums(map);
        let (terms, mut i, mut linear) = (map.terms(), 0, mask_of(0, self.len));
        while i < terms.len() {
            linear &= !self.coupled(&terms[i].digit, &sums);
            i += 1;
        }
        linear
    }

    /// The components of a map. Atoms of a dimension whose most major one is not complete depend on each other.
    #[cfg(feature = "operations")]
    pub(crate) const fn components<const T: usize>(&self, map: &Map<T>) -> [u128; MAX_ATOMS] {
        let (mut components, mut dim) = (self.separate(), 0);
        self.join(map, &mut components);
        while dim < map.rank {
            let (mut mask, mut i) = (0, 0);
            while i < self.len {
                if self.list[i].dim == dim {
                    mask |= 1 << i;
                }
                i += 1;
            }
            self.unite(&mut components, self.ragged & mask);
            dim += 1;
        }
        components
    }

    /// How far a map moves with a step of an atom from 0.
    #[cfg(feature = "operations")]
    pub(crate) const fn weight<const T: usize>(&self, map: &Map<T>, atom: usize) -> i64 {
        let mut coordinates = [0; MAX_DIMENSIONS];
        let zero = map.value(&coordinates);
        coordinates[self.list[atom].dim] = self.list[atom].unit;
        map.value(&coordinates).wrapping_sub(zero)
    }

    /// How many steps of an atom change a map by a number that does not depend on the other atoms; 0 if that is not known.
    pub(crate) const fn period<const T: usize>(&self, map: &Map<T>, atom: usize) -> u64 {
        let sums = self.touched_by_sums(map);
        let here = 1_u128 << atom;
        let (terms, mut i, mut period) = (map.terms(), 0, 1_u64);
        while i < terms.len() {
            let digit = &terms[i].digit;
            let touched = self.touched(digit, &sums) & here;
            match digit.source {
                _ if touched == 0 => {}
                Source::Coordinate(_) => {
                    if !self.is_linear(digit, here) {
                        return 0;
                    }
                }
                Source::Sum(number) => {
                    let size = if digit.modulus() == 0 {
                        1
                    } else {
                        digit.modulus()
                    };
                    let Some(modulus) = digit.divisor.checked_mul(size) else {
                        return 0;
                    };
                    let (inner, mut j) = (map.sum_terms(number as usize), 0);
                    while j < inner.len() {
                        let base = &inner[j].digit;
                        if self.touched(base, &sums) & here != 0 {
                            if matches!(base.source, Source::Sum(_)) || !self.is_linear(base, here)
                            {
                                return 0;
                            }
                            let step = inner[j].weight.unsigned_abs() as u128
                                * (self.list[atom].unit / base.divisor) as u128;
                            let step = (step % modulus as u128) as u64;
                            let own = modulus / gcd(modulus, step);
                            period = match (period / gcd(period, own)).checked_mul(own) {
                                Some(period) => period,
                                None => return 0,
                            };
                        }
                        j += 1;
                    }
                }
            }
            i += 1;
        }
        period
    }
}

/// All indices whose atoms outside of a component are 0, ascending.
#[derive(Clone, Copy)]
pub(crate) struct Walk {
    atoms: u128,
    digits: [u64; MAX_ATOMS],
    /// Digits at or above these are left out.
    pub(crate) limits: [u64; MAX_ATOMS],
    pub(crate) coordinates: [u64; MAX_DIMENSIONS],
    pub(crate) index: u64,
}

impl Walk {
    pub(crate) const fn new(atoms: u128) -> Self {
        Self {
            atoms,
            digits: [0; MAX_ATOMS],
            limits: [u64::MAX; MAX_ATOMS],
            coordinates: [0; MAX_DIMENSIONS],
            index: 0,
        }
    }

    /// Goes to the next index; `false` if there is none.
    pub(crate) const fn advance(&mut self, all: &Atoms, extents: &[u64; MAX_DIMENSIONS]) -> bool {
        let mut i = 0;
        while i < all.len {
            if self.atoms & (1 << i) != 0 {
                let atom = &all.list[i];
                let next = self.digits[i] + 1;
                if next < atom.size
                    && next < self.limits[i]
                    && self.coordinates[atom.dim] + atom.unit < extents[atom.dim]
                {
                    self.digits[i] = next;
                    self.coordinates[atom.dim] += atom.unit;
                    self.index += atom.place;
                    return true;
                }
                self.coordinates[atom.dim] -= self.digits[i] * atom.unit;
                self.index -= self.digits[i] * atom.place;
                self.digits[i] = 0;
            }
            i += 1;
        }
        false
    }
}

/// The cuts of a coordinate, ascending.
struct Cuts {
    list: [u64; MAX_ATOMS],
    len: usize,
}

impl Cuts {
    const fn of<const T: usize>(
        maps: &[&Map<T>],
        dim: usize,
        extent: u64,
    ) -> Result<Self, MapError> {
        let mut cuts = Self {
            list: [0; MAX_ATOMS],
            len: 0,
        };
        let mut m = 0;
        while m < maps.len() {
            let (terms, mut i) = (maps[m].all_terms(), 0);
            while i < terms.len() {
                let digit = &terms[i].digit;
                if matches!(digit.source, Source::Coordinate(of) if of as usize == dim) {
                    tri!(cuts.add(digit.divisor as u128, extent));
                    tri!(cuts.add(end_of(digit), extent));
                }
                i += 1;
            }
            m += 1;
        }
        Ok(cuts)
    }

    /// Adds a cut in its place: they ascend.
    const fn add(&mut self, cut: u128, extent: u64) -> Result<(), MapError> {
        if cut <= 1 || cut >= extent as u128 {
            return Ok(());
        }
        let (cut, mut at) = (cut as u64, self.len);
        while at > 0 && self.list[at - 1] > cut {
            at -= 1;
        }
        if at > 0 && self.list[at - 1] == cut {
            return Ok(());
        }
        if self.len == MAX_ATOMS {
            return Err(MapError::TooManyTerms { limit: MAX_ATOMS });
        }
        let mut i = self.len;
        while i > at {
            self.list[i] = self.list[i - 1];
            i -= 1;
        }
        self.list[at] = cut;
        self.len += 1;
        Ok(())
    }

    const fn is_good(&self, at: usize) -> bool {
        let (cut, mut i) = (self.list[at], 0);
        while i < self.len {
            let other = self.list[i];
            let (small, great) = if i < at { (other, cut) } else { (cut, other) };
            if !great.is_multiple_of(small) {
                return false;
            }
            i += 1;
        }
        true
    }
}

/// Where a digit ends in its source.
const fn end_of(digit: &Digit) -> u128 {
    match digit.modulus() {
        0 => u128::MAX,
        size => digit.divisor as u128 * size as u128,
    }
}

const fn mask_of(first: usize, end: usize) -> u128 {
    let (mut mask, mut i) = (0, first);
    while i < end {
        mask |= 1 << i;
        i += 1;
    }
    mask
}
