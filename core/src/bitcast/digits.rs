//! A memory map as digits of the row-major index.
//!
//! A reshape keeps the row-major index `k` of every element. With both index spaces written as `k`,
//! a memory map is a function of one number, and each mode takes a digit of it:
//!
//! > linear index = Σ `(k % period) / start % (end / start) × stride`
//!
//! where `period` is the end of the digit itself, unless a tile does not divide its dimension: then
//! it is where the dimension ends. Digits that continue each other are one digit; after that the
//! list is canonical: maps are equal when their lists are.
//!
//! Why: the first `k` for which a map is not `k` times its value at 1 is the end of its first digit.
//! So equal maps have equal first digits; where that digit divides all that is more major, the map
//! in steps of its end is a map with one digit less, and so on. Where a tile hangs over the edge of
//! a dimension, that dimension has to end in both shapes: there the index space falls into two
//! parts, and so does the map. (That no other dimensions do for it is not proven here but tried,
//! on eight million pairs of equal maps.)
//!
//! A `*` over padding, or a tile that does not divide the tile before it, leaves a merged coordinate
//! behind. It is such a sum, too. Where that is a single digit of `k`, its digits are digits of `k`;
//! elsewhere the maps are taken for equal when these sums are, which may miss an equality.

use crate::modes::{MemoryMap, Mode};

/// `(k % period) / start % (end / start) × stride`
#[derive(Clone, Copy)]
struct Digit {
    start: usize,
    end: usize,
    period: usize,
    stride: usize,
}

impl Digit {
    /// The coordinate of a dimension. No overflow here and below: all numbers but strides are at
    /// most the number of elements.
    #[inline]
    const fn of_dimension(dim: usize, sizes: &[usize]) -> Self {
        let mut start = 1;
        let mut d = sizes.len();
        while d > dim + 1 {
            d -= 1;
            start *= sizes[d];
        }
        let end = start * sizes[dim];
        Self {
            start,
            end,
            period: end,
            stride: 1,
        }
    }

    /// The digit that a mode takes of this one, if it is a digit of `k`.
    #[inline]
    const fn part(&self, mode: &Mode) -> Option<Self> {
        let Some(start) = self.start.checked_mul(mode.divisor) else {
            return None;
        };
        let end = match start.checked_mul(mode.size) {
            Some(end) if !mode.top && end < self.end => end,
            _ => self.end,
        };
        // Where this digit begins anew before its period is over, the part must begin with it.
        let anew = self.period != self.end;
        if anew && !(self.end.is_multiple_of(end) && end.is_multiple_of(start)) {
            return None;
        }
        let period = if self.period.is_multiple_of(end) {
            end
        } else {
            self.period
        };
        Some(Self {
            start,
            end,
            period,
            stride: mode.stride,
        })
    }

    #[inline]
    const fn precedes(&self, other: &Self) -> bool {
        self.start < other.start || (self.start == other.start && self.stride < other.stride)
    }

    #[inline]
    const fn equals(&self, other: &Self) -> bool {
        self.start == other.start
            && self.end == other.end
            && self.period == other.period
            && self.stride == other.stride
    }

    /// This digit and the next as one, where that one continues this one.
    #[inline]
    const fn with_next(&self, next: &Self) -> Option<Self> {
        if self.end != next.start || !self.end.is_multiple_of(self.start) {
            return None;
        }
        match self.stride.checked_mul(self.end / self.start) {
            Some(stride) if stride == next.stride => {}
            _ => return None,
        }
        let divides = self.period == self.end && next.period.is_multiple_of(self.end);
        if self.period != next.period && !divides {
            return None;
        }
        Some(Self {
            start: self.start,
            stride: self.stride,
            ..*next
        })
    }
}

/// The sum that is the linear index; the others are the numbers of merged coordinates.
const LINEAR: usize = usize::MAX;

/// How many merged coordinates are looked at; all further ones count as sums of several digits.
const COORDINATES: usize = 32;

/// The sums that a memory map is made of.
struct Sums<'m> {
    map: &'m MemoryMap<'m>,
    /// The merged coordinates that are a single digit of `k`.
    single: [Option<Digit>; COORDINATES],
}

impl<'m> Sums<'m> {
    #[inline]
    const fn new(map: &'m MemoryMap<'m>) -> Self {
        let mut sums = Self {
            map,
            single: [None; COORDINATES],
        };
        let mut c = 0;
        // A merged coordinate is made of earlier ones.
        while c < sums.coordinates() && c < COORDINATES {
            let mut digits = Digits::new(&sums, c);
            let first = digits.next();
            if let Some(digit) = first
                && digit.stride == 1
                && digits.has_all()
                && next_merged(&sums, c, 0).is_none()
            {
                sums.single[c] = first;
            }
            c += 1;
        }
        sums
    }

    /// How many merged coordinates there are.
    #[inline]
    const fn coordinates(&self) -> usize {
        match self.map.table.terms {
            [.., last] => last.coordinate + 1 - self.map.table.sizes.len(),
            [] => 0,
        }
    }

    /// How many modes or terms to look at for a sum.
    #[inline]
    const fn parts(&self, sum: usize) -> usize {
        if sum == LINEAR {
            self.map.table.modes.len()
        } else {
            self.map.table.terms.len()
        }
    }

    /// The `k`-th of them, if it belongs to the sum.
    #[inline]
    const fn part(&self, sum: usize, k: usize) -> Option<Mode> {
        if sum == LINEAR {
            return Some(self.map.table.modes[k]);
        }
        let term = self.map.table.terms[k];
        if term.coordinate == self.map.table.sizes.len() + sum {
            Some(term.digit)
        } else {
            None
        }
    }

    /// What a mode takes, if it is a digit of `k`.
    #[inline]
    const fn digit(&self, mode: &Mode) -> Option<Digit> {
        let sizes = self.map.table.sizes;
        if mode.dim < sizes.len() {
            return Digit::of_dimension(mode.dim, sizes).part(mode);
        }
        let coordinate = mode.dim - sizes.len();
        if coordinate >= COORDINATES {
            return None;
        }
        match &self.single[coordinate] {
            Some(whole) => whole.part(mode),
            None => None,
        }
    }
}

/// The digits of `k` in one sum, in the sequence of their starts; those that continue each other
/// are one.
struct Digits<'s, 'm> {
    sums: &'s Sums<'m>,
    sum: usize,
    last: Option<Digit>,
    taken: usize,
}

impl<'s, 'm> Digits<'s, 'm> {
    #[inline]
    const fn new(sums: &'s Sums<'m>, sum: usize) -> Self {
        Self {
            sums,
            sum,
            last: None,
            taken: 0,
        }
    }

    /// The digit after the last one, as its mode has it.
    #[inline]
    const fn following(&self) -> Option<Digit> {
        let mut found: Option<Digit> = None;
        let mut k = 0;
        while k < self.sums.parts(self.sum) {
            if let Some(mode) = self.sums.part(self.sum, k)
                && let Some(digit) = self.sums.digit(&mode)
            {
                let behind = match &self.last {
                    Some(last) => last.precedes(&digit),
                    None => true,
                };
                let nearer = match &found {
                    Some(found) => digit.precedes(found),
                    None => true,
                };
                if behind && nearer {
                    found = Some(digit);
                }
            }
            k += 1;
        }
        found
    }

    /// The next digit of the canonical list.
    #[inline]
    const fn next(&mut self) -> Option<Digit> {
        let Some(mut digit) = self.following() else {
            return None;
        };
        self.last = Some(digit);
        self.taken += 1;
        while let Some(next) = self.following() {
            let Some(merged) = digit.with_next(&next) else {
                break;
            };
            digit = merged;
            self.last = Some(next);
            self.taken += 1;
        }
        Some(digit)
    }

    /// Whether every digit was taken. (One would not be that starts where another does with the
    /// same stride; lowering makes none.)
    #[inline]
    const fn has_all(&self) -> bool {
        let mut digits = 0;
        let mut k = 0;
        while k < self.sums.parts(self.sum) {
            if let Some(mode) = self.sums.part(self.sum, k) {
                digits += self.sums.digit(&mode).is_some() as usize;
            }
            k += 1;
        }
        self.taken == digits
    }
}

/// Whether the maps are equal as functions of the row-major index. Both have equally many elements.
#[inline]
pub(super) const fn equal_by_row_major_index(a: &MemoryMap<'_>, b: &MemoryMap<'_>) -> bool {
    if a.table.numbers.elements == 0 {
        return true;
    }
    let (a, b) = (Sums::new(a), Sums::new(b));
    if !same_sum(&a, LINEAR, &b, LINEAR) {
        return false;
    }
    let (mut i, mut j) = (next_composite(&a, 0), next_composite(&b, 0));
    while i < a.coordinates() && j < b.coordinates() {
        if !same_sum(&a, i, &b, j) {
            return false;
        }
        i = next_composite(&a, i + 1);
        j = next_composite(&b, j + 1);
    }
    i == a.coordinates() && j == b.coordinates()
}

/// The next merged coordinate that is no single digit.
#[inline]
const fn next_composite(sums: &Sums<'_>, mut c: usize) -> usize {
    while c < sums.coordinates() && c < COORDINATES && sums.single[c].is_some() {
        c += 1;
    }
    c
}

/// The number of a merged coordinate among those that are no single digit.
#[inline]
const fn number_of(sums: &Sums<'_>, coordinate: usize) -> usize {
    let mut number = 0;
    let mut c = next_composite(sums, 0);
    while c < coordinate {
        number += 1;
        c = next_composite(sums, c + 1);
    }
    number
}

/// Whether two sums take the same digits of the index and of merged coordinates.
#[inline]
const fn same_sum(a: &Sums<'_>, sum_a: usize, b: &Sums<'_>, sum_b: usize) -> bool {
    let (mut of_a, mut of_b) = (Digits::new(a, sum_a), Digits::new(b, sum_b));
    loop {
        match (of_a.next(), of_b.next()) {
            (Some(x), Some(y)) if x.equals(&y) => {}
            (None, None) => break,
            _ => return false,
        }
    }
    if !of_a.has_all() || !of_b.has_all() {
        return false;
    }
    let (mut i, mut j) = (0, 0);
    loop {
        match (next_merged(a, sum_a, i), next_merged(b, sum_b, j)) {
            (Some((x, next_i)), Some((y, next_j))) if same_merged(a, &x, b, &y) => {
                (i, j) = (next_i, next_j);
            }
            (None, None) => return true,
            _ => return false,
        }
    }
}

/// Whether two modes take the same digit of the same merged coordinate.
#[inline]
const fn same_merged(a: &Sums<'_>, x: &Mode, b: &Sums<'_>, y: &Mode) -> bool {
    let (rank_a, rank_b) = (a.map.table.sizes.len(), b.map.table.sizes.len());
    // A digit of a dimension that is not a digit of `k` does not exist.
    x.dim >= rank_a
        && y.dim >= rank_b
        && number_of(a, x.dim - rank_a) == number_of(b, y.dim - rank_b)
        && x.divisor == y.divisor
        && x.size == y.size
        && x.top == y.top
        && x.stride == y.stride
}

/// The next mode from `k` on that takes no digit of the index, and where to go on.
#[inline]
const fn next_merged(sums: &Sums<'_>, sum: usize, mut k: usize) -> Option<(Mode, usize)> {
    while k < sums.parts(sum) {
        if let Some(mode) = sums.part(sum, k)
            && sums.digit(&mode).is_none()
        {
            return Some((mode, k + 1));
        }
        k += 1;
    }
    None
}
