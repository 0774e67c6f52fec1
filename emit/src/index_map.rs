//! What is emitted: where each element of an array lies.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use xlayout_algebra::{Bits, Budget, Map, MapError, Source, gcd};
use xlayout_core::{ArrayLayout, DynLayout};
use xlayout_shape::Mode;

use crate::error::EmitError;

/// One summand: `(source / divisor) % size * weight`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Term {
    /// A dimension, or behind the dimensions a sum of the map, which is before the one with the
    /// digit.
    pub(crate) source: usize,
    pub(crate) divisor: u64,
    /// The number after `%`; `None` for the most major digit of a source.
    pub(crate) modulus: Option<u64>,
    /// How many values the digit takes.
    pub(crate) size: u64,
    pub(crate) weight: i64,
}

/// A constant and terms, whose value is never negative.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Sum {
    pub(crate) constant: i64,
    pub(crate) terms: Vec<Term>,
    pub(crate) largest: u64,
}

impl Sum {
    /// The terms that have more than one value, the smallest weight first.
    pub(crate) fn by_weight(&self) -> Vec<Term> {
        let terms = self.terms.iter().copied().filter(|term| term.size > 1);
        let mut terms: Vec<Term> = terms.collect();
        terms.sort_by_key(|term| term.weight.unsigned_abs());
        terms
    }
}

/// The bits, the base and the shift of CuTe's `Swizzle<bits, base, shift>`, applied to the linear
/// index.
pub(crate) type Swizzle = (u32, u32, i32);

/// Where each element of an array lies: a sum of weighted digits of its indices, in elements.
///
/// ```
/// use xlayout_core::DynLayout;
/// use xlayout_emit::{Functions, IndexMap};
///
/// let layout: DynLayout = "f32[8,8]{1,0}".parse().unwrap();
/// let swizzled = IndexMap::of(&layout)?.swizzled(3, 0, 3)?;
/// let functions = Functions::new(&swizzled)?;
/// assert_eq!(functions.linear_index(&[3, 5]), 3 * 8 + (5 ^ 3));
/// # Ok::<(), xlayout_emit::EmitError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IndexMap {
    /// What the comment of the code calls it.
    pub(crate) title: String,
    pub(crate) sizes: Vec<u64>,
    /// Merged coordinates, each a sum, and the linear index behind them.
    pub(crate) sums: Vec<Sum>,
    pub(crate) swizzle: Option<Swizzle>,
    /// Used where digits do not give the index: the sums that give the element's number, or why the
    /// algebra has no inverse.
    pub(crate) inverse: Option<Result<Vec<Sum>, MapError>>,
    /// How many linear indices there are, from 0 to the last element, or to the end of the memory.
    pub(crate) allocated: u64,
}

impl IndexMap {
    /// The map of a layout.
    ///
    /// # Errors
    /// If the array has no elements.
    pub fn of(layout: &DynLayout) -> Result<Self, EmitError> {
        if layout.elements() == 0 {
            return Err(EmitError::NoElements);
        }
        let rank = layout.dims().len();
        let term = |digit: &Mode| Term {
            source: digit.dim,
            divisor: digit.divisor as u64,
            modulus: (!digit.top).then_some(digit.size as u64),
            size: digit.size as u64,
            // Strides fit in `isize`: lowering checks it.
            weight: digit.stride as i64,
        };
        let merged = layout.terms().iter().map(|term| term.coordinate + 1 - rank);
        let mut sums = alloc::vec![Vec::new(); merged.max().unwrap_or(0)];
        for summand in layout.terms() {
            sums[summand.coordinate - rank].push(term(&summand.digit));
        }
        sums.push(layout.mode_table().iter().map(term).collect());
        let largest_of = |term: &Term| (term.size - 1) * term.weight as u64;
        let sum = |terms: Vec<Term>| Sum {
            constant: 0,
            // The linear index is below the number of allocated elements, and so are the numbers
            // that it is made of.
            largest: terms.iter().map(largest_of).sum(),
            terms,
        };
        Ok(Self {
            title: layout.array_shape().to_string(),
            sizes: layout.dims().iter().map(|&size| size as u64).collect(),
            sums: sums.into_iter().map(sum).collect(),
            swizzle: None,
            inverse: None,
            allocated: layout.buffer_len() as u64,
        })
    }

    /// A map of the algebra. `title` is what the comment of the code calls it.
    ///
    /// ```
    /// use xlayout_algebra::Map;
    /// use xlayout_emit::{Functions, IndexMap};
    ///
    /// // Rows backwards: the first one lies last.
    /// let reversed = Map::<8>::strided(&[4, 8], &[-8, 1]).unwrap().scale(1, 24).unwrap();
    /// let functions = Functions::new(&IndexMap::of_map("rows backwards", &reversed)?)?;
    /// assert_eq!(functions.linear_index(&[3, 5]), 5);
    /// assert_eq!(functions.multi_index(5), Some(vec![3, 5]));
    /// # Ok::<(), xlayout_emit::EmitError>(())
    /// ```
    ///
    /// Where the digits of a linear index do not give the index, `multi_index` is
    /// [`Map::left_inverse`]:
    ///
    /// ```
    /// # use xlayout_algebra::Map;
    /// # use xlayout_emit::{Functions, IndexMap};
    /// // No stride is above what the other one reaches: 3 * 6 > 7 and 7 * 2 > 3.
    /// let crossed = Map::<16>::strided(&[7, 3], &[3, 7])?;
    /// let index_map = IndexMap::of_map("strides that cross", &crossed).unwrap();
    /// let functions = Functions::new(&index_map).unwrap();
    /// assert_eq!(functions.multi_index(5 * 3 + 2 * 7), Some(vec![5, 2]));
    /// # Ok::<(), xlayout_algebra::MapError>(())
    /// ```
    ///
    /// # Errors
    /// If there are no elements, or if a linear index may be negative.
    pub fn of_map<const T: usize>(title: &str, map: &Map<T>) -> Result<Self, EmitError> {
        if map.size() == 0 {
            return Err(EmitError::NoElements);
        }
        let (least, largest) = map.range();
        // The terms of a swizzle allow negative offsets, which it does not have.
        if least < 0 && Bits::of_map(map, Budget::DEFAULT).is_err() {
            return Err(EmitError::Negative { least });
        }
        let mut this = Self {
            title: title.to_string(),
            sizes: map.extents().to_vec(),
            sums: sums_of(map, u64::MAX)?,
            swizzle: None,
            inverse: None,
            allocated: largest.unsigned_abs() + 1,
        };
        if !has_digits_apart(&this) {
            this.inverse = Some(match map.left_inverse(Budget::DEFAULT) {
                Ok(inverse) => Ok(sums_of(&inverse, map.size() - 1)?),
                Err(reason) => Err(reason),
            });
        }
        Ok(this)
    }

    /// The same map, and then CuTe's `Swizzle<bits, base, shift>` of the linear index: `bits` bits
    /// from `base + shift` on are combined by exclusive or with those from `base` on.
    ///
    /// Source: `include/cute/swizzle.hpp` of CUTLASS.
    ///
    /// # Errors
    /// If the shift is shorter than the bits, or bits are beyond the 63rd one.
    pub fn swizzled(mut self, bits: u32, base: u32, shift: i32) -> Result<Self, EmitError> {
        let distance = shift.unsigned_abs();
        let end = u64::from(bits) + u64::from(base) + u64::from(distance);
        if distance < bits || end > 63 {
            return Err(EmitError::Swizzle { bits, base, shift });
        }
        self.title = alloc::format!("Swizzle<{bits},{base},{shift}> of {}", self.title);
        // Both halves of the bits may change a block of this length, and nothing beyond it.
        let block = 1_u64 << end;
        if bits > 0 {
            let blocks = self.allocated.div_ceil(block);
            let whole = blocks.checked_mul(block);
            self.allocated = whole.ok_or(EmitError::TooLarge { bits: 64 })?;
        }
        self.swizzle = Some((bits, base, shift));
        Ok(self)
    }
}

/// The sums of a map whose values are at most `limit`. A merged coordinate that may be negative is
/// moved by a multiple of the steps of its digits: then digits with a `%` stay, and the others
/// change by a constant.
fn sums_of<const T: usize>(map: &Map<T>, limit: u64) -> Result<Vec<Sum>, EmitError> {
    let too_large = EmitError::TooLarge { bits: 64 };
    let mut sums = Vec::<Sum>::new();
    let mut moved = Vec::new();
    for number in 0..map.sum_count() {
        let (least, largest) = map.sum_range(number);
        let last = number + 1 == map.sum_count();
        let distance = if last || least >= 0 {
            0
        } else {
            multiple_of_steps(map, number, least).ok_or(too_large.clone())?
        };
        let sum_limit = if last { limit } else { u64::MAX };
        let mut constant = map.sum_constant(number).checked_add(distance);
        let mut terms = Vec::new();
        for &xlayout_algebra::Term { weight, digit } in map.sum_terms(number) {
            let modulus = digit.size.map(u64::from);
            let (source, most) = match digit.source {
                Source::Coordinate(dimension) => {
                    let dimension = usize::from(dimension);
                    (dimension, map.extents()[dimension] - 1)
                }
                Source::Sum(sum) => {
                    let sum = usize::from(sum);
                    if modulus.is_none() {
                        // The steps are a factor of the distance, which fits in 63 bits.
                        let steps: i64 = moved[sum] / digit.divisor as i64;
                        let change = steps.checked_mul(weight);
                        constant = constant.and_then(|constant| constant.checked_sub(change?));
                    }
                    (map.rank() + sum, sums[sum].largest)
                }
            };
            let last = most / digit.divisor;
            terms.push(Term {
                source,
                divisor: digit.divisor,
                modulus,
                size: modulus.map_or(last, |modulus| last.min(modulus - 1)) + 1,
                weight,
            });
        }
        moved.push(distance);
        sums.push(Sum {
            constant: constant.ok_or(too_large.clone())?,
            terms,
            // Both are below 2^63.
            largest: sum_limit.min(largest.max(0) as u64 + distance as u64),
        });
    }
    Ok(sums)
}

/// The least number from `least` on that all steps of digits of this sum divide; `None` if it does
/// not fit in 63 bits.
fn multiple_of_steps<const T: usize>(map: &Map<T>, sum: usize, least: i64) -> Option<i64> {
    let mut period = 1_u64;
    for term in (sum + 1..map.sum_count()).flat_map(|number| map.sum_terms(number)) {
        let digit = term.digit;
        if digit.source == Source::Sum(u8::try_from(sum).ok()?) {
            let steps = digit.size.map_or(1, u64::from).checked_mul(digit.divisor)?;
            period = (period / gcd(period, steps)).checked_mul(steps)?;
        }
    }
    let distance = least.unsigned_abs().checked_next_multiple_of(period)?;
    i64::try_from(distance).ok()
}

/// Whether each term of a sum weighs more than those with smaller weights reach, and each source is
/// the sum of its digits times their divisors.
fn has_digits_apart(map: &IndexMap) -> bool {
    let mut digits = Vec::new();
    for sum in &map.sums {
        let mut reach = 0_u128;
        for term in sum.by_weight() {
            if u128::from(term.weight.unsigned_abs()) <= reach {
                return false;
            }
            reach += u128::from(term.weight.unsigned_abs()) * u128::from(term.size - 1);
            digits.push((term.source, term.divisor, term.size));
        }
    }
    digits.sort_unstable();
    let merged = map.sums[..map.sums.len() - 1].iter().map(|sum| sum.largest);
    let mut sources = map
        .sizes
        .iter()
        .map(|size| size - 1)
        .chain(merged)
        .enumerate();
    // The digits of a source begin at 1, each begins where the one before it ends, and the last one
    // reaches the largest value.
    sources.all(|(source, largest)| {
        let mut of_source = digits.iter().filter(|digit| digit.0 == source);
        let end = of_source.try_fold(1, |end, &(_, divisor, size)| {
            (end == u128::from(divisor)).then(|| end * u128::from(size))
        });
        end.is_some_and(|end| end > u128::from(largest))
    })
}
