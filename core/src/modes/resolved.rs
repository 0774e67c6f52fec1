//! A table of modes at run time, all numbers known: the arithmetic of every layout that is not
//! known at compile time, and the rarer questions of those that are.

use super::{CONST_MODES, ElementCounts, Mode, Term, walk};
use crate::coordinates::{Coordinates, below};
use crate::list::List;

/// Modes with the sizes that they are for. No run-time extents are left.
///
/// Public only as far as the sealed trait `ArrayLayout` needs it; nothing outside can name it.
#[derive(Clone, Copy)]
pub struct Resolved<'a> {
    pub sizes: &'a [usize],
    pub modes: &'a [Mode],
    pub terms: &'a [Term],
    pub numbers: ElementCounts,
}

impl Resolved<'_> {
    /// The linear index of an index in bounds.
    #[inline]
    pub(crate) fn linear_index(&self, index: &[usize]) -> usize {
        let mut linear = 0_usize;
        for mode in self.modes {
            let coordinate = if mode.dim < index.len() {
                index[mode.dim]
            } else {
                merged_coordinate(self.terms, index, mode.dim)
            };
            // No overflow in bounds: the sum is below the number of places.
            linear = linear.wrapping_add(mode.digit(coordinate).wrapping_mul(mode.stride));
        }
        linear
    }

    /// The linear index of an index in bounds, for constants.
    #[inline]
    pub(crate) const fn linear_index_in_const(&self, index: &[usize]) -> usize {
        let rank = index.len();
        let mut merged = [0; CONST_MODES];
        each!(term, self.terms, {
            let Term {
                coordinate, digit, ..
            } = *term;
            // A merged coordinate is made of dimensions and of earlier ones, which are complete.
            let source = if digit.dim < rank {
                index[digit.dim]
            } else {
                merged[digit.dim - rank]
            };
            merged[coordinate - rank] += digit.digit(source) * digit.stride;
        });
        let mut linear = 0;
        each!(mode, self.modes, {
            let coordinate = if mode.dim < rank {
                index[mode.dim]
            } else {
                merged[mode.dim - rank]
            };
            linear += mode.digit(coordinate) * mode.stride;
        });
        linear
    }

    /// The index that lies at this linear index; `None` in padding and beyond the end.
    #[inline]
    pub(crate) fn multi_index<C: Coordinates>(&self, linear: usize) -> Option<C> {
        let mut index = C::origin(self.sizes.len());
        let at = index.as_mut();
        let inside = match self.terms {
            [] => self.split(linear, at, &mut []),
            terms => self.split(linear, at, &mut Merged::new(terms).values),
        };
        (inside && below(at, self.sizes)).then_some(index)
    }

    /// The same, for constants.
    pub(crate) const fn multi_index_in_const<const N: usize>(
        &self,
        linear: usize,
    ) -> Option<[usize; N]> {
        let mut index = [0; N];
        let inside = self.split(linear, &mut index, &mut [0; CONST_MODES]);
        each!(d, 0..N, {
            if index[d] >= self.sizes[d] {
                return None;
            }
        });
        if inside { Some(index) } else { None }
    }

    /// Adds the digits of a linear index to the coordinates of `index`. Whether each digit is one
    /// of its mode. `merged` has a zero for each merged coordinate; what lies in them is added from
    /// the last one on, since a merged coordinate is made of earlier ones.
    #[inline]
    const fn split(&self, linear: usize, index: &mut [usize], merged: &mut [usize]) -> bool {
        if self.numbers.elements == 0 {
            return false;
        }
        let rank = index.len();
        let mut rest = linear;
        let mut m = self.modes.len();
        while m > 0 {
            m -= 1;
            let mode = self.modes[m];
            let digit = rest / mode.stride;
            rest -= digit * mode.stride;
            if digit >= mode.size {
                return false;
            }
            if mode.dim < rank {
                index[mode.dim] += digit * mode.divisor;
            } else {
                merged[mode.dim - rank] += digit * mode.divisor;
            }
        }
        if rest != 0 {
            return false;
        }
        let mut t = self.terms.len();
        while t > 0 {
            let coordinate = self.terms[t - 1].coordinate;
            let mut value = merged[coordinate - rank];
            while t > 0 && self.terms[t - 1].coordinate == coordinate {
                t -= 1;
                let Mode {
                    dim,
                    divisor,
                    size,
                    stride,
                    ..
                } = self.terms[t].digit;
                let digit = value / stride;
                value %= stride;
                if digit >= size {
                    return false;
                }
                if dim < rank {
                    index[dim] += digit * divisor;
                } else {
                    merged[dim - rank] += digit * divisor;
                }
            }
            if value != 0 {
                return false;
            }
        }
        true
    }

    /// Whether the elements lie without a gap from linear index 0 on.
    pub(crate) fn is_contiguous<C: Coordinates>(&self) -> bool {
        let ElementCounts {
            elements,
            buffer_len,
            ..
        } = self.numbers;
        // A repeated dimension: several elements have one place.
        if elements > 0 && self.modes.iter().any(|mode| mode.stride == 0) {
            return false;
        }
        if elements == buffer_len || elements == 0 {
            return true;
        }
        if self.terms.is_empty() {
            let per_dimension = (0..self.sizes.len()).map(|dim| self.largest(dim));
            return elements == per_dimension.sum::<usize>() + 1;
        }
        // Merged coordinates: look for the first gap and, at the same time, for the last element,
        // since either may be far away.
        for n in 0..elements {
            if self.multi_index::<C>(n).is_none() {
                return false;
            }
            let last = buffer_len - 1 - n;
            if self.multi_index::<C>(last).is_some() {
                return last + 1 == elements;
            }
        }
        true
    }

    /// The largest that one dimension contributes. The digits of its coordinate need not lie in
    /// the sequence of their weight, so that the last index is not always the farthest: take the
    /// digits of the last index down to some digit, that one less by one, and the largest below.
    #[inline]
    fn largest(&self, dim: usize) -> usize {
        let last = self.sizes[dim] - 1;
        let modes_of_dim = || self.modes.iter().filter(move |mode| mode.dim == dim);
        let whole = modes_of_dim()
            .map(|mode| mode.digit(last) * mode.stride)
            .sum();
        let cut_at = |cut: &Mode| {
            modes_of_dim()
                .map(|mode| {
                    let digit = match mode.divisor.cmp(&cut.divisor) {
                        core::cmp::Ordering::Greater => mode.digit(last),
                        // The mode at which it is cut, whose digit is above 0.
                        core::cmp::Ordering::Equal => mode.digit(last) - 1,
                        core::cmp::Ordering::Less => mode.size - 1,
                    };
                    digit * mode.stride
                })
                .sum::<usize>()
        };
        modes_of_dim()
            .filter(|cut| cut.digit(last) > 0)
            .map(cut_at)
            .fold(whole, usize::max)
    }

    /// Visits every element, in the sequence of memory.
    #[inline]
    pub(crate) fn for_each<C: Coordinates>(&self, mut visit: impl FnMut(&C, usize)) {
        if self.numbers.elements == 0 {
            return;
        }
        if self.terms.is_empty() {
            walk(self.modes, self.sizes, visit);
            return;
        }
        // Merged coordinates: look at every place up to the last element.
        let mut left = self.numbers.elements;
        for linear in 0..self.numbers.buffer_len {
            if let Some(index) = self.multi_index(linear) {
                visit(&index, linear);
                left -= 1;
                if left == 0 {
                    return;
                }
            }
        }
    }
}

/// The value of a merged coordinate.
#[inline]
pub(crate) fn merged_coordinate(terms: &[Term], index: &[usize], coordinate: usize) -> usize {
    let mut values = Merged::new(terms);
    for term in terms
        .iter()
        .take_while(|term| term.coordinate <= coordinate)
    {
        let source = match index.get(term.digit.dim) {
            Some(i) => *i,
            // An earlier one, which is complete.
            None => *values.known(term.digit.dim),
        };
        // No overflow in bounds: the sum is below the width of what was merged.
        let sum = values.known(term.coordinate);
        *sum = sum.wrapping_add(term.digit.digit(source).wrapping_mul(term.digit.stride));
    }
    *values.known(coordinate)
}

/// The values of all merged coordinates, each computed once: one may be made of several earlier
/// ones, so that computing them on demand takes exponential time.
struct Merged {
    /// The number of the first merged coordinate, which is the rank.
    first: usize,
    values: List<usize, CONST_MODES>,
}

impl Merged {
    #[inline]
    fn new(terms: &[Term]) -> Self {
        let first = terms.first().map_or(0, |term| term.coordinate);
        let count = terms.last().map_or(0, |term| term.coordinate - first + 1);
        let mut values = List::new();
        for _ in 0..count {
            values.push(0);
        }
        Self { first, values }
    }

    /// The value of a coordinate that a term or a mode names.
    #[inline]
    fn known(&mut self, coordinate: usize) -> &mut usize {
        match self.of(coordinate) {
            Some(value) => value,
            None => unreachable!("each merged coordinate has terms"),
        }
    }

    #[inline]
    fn of(&mut self, coordinate: usize) -> Option<&mut usize> {
        self.values.get_mut(coordinate.checked_sub(self.first)?)
    }
}
