//! The two functions of a map, as expressions.
//!
//! ```text
//! linear_index(i):
//!     each sum of the map in its sequence: digits of indices and of earlier sums, times their
//!         weights
//!     swizzle the last one
//! multi_index(linear):
//!     undo the swizzle: it is its own inverse
//!     take_apart(terms of the linear index, linear)
//!     for each merged coordinate, the last one first, because it is made of earlier ones:
//!         take_apart(its terms, its value)
//!     the value of a source is the sum of digit * divisor over all its digits
//! take_apart(terms, value):
//!     where each weight divides the next one, the smallest weight first:
//!         value = value / weight / weights before;  digit = value % (next weight / weight)
//!     otherwise, the largest weight first:
//!         digit = value / weight;  value = value % weight
//! multi_index where no such digits give the index, from the left inverse of the algebra:
//!     undo the swizzle
//!     number = the sums of the inverse, of the linear index;  the row-major digits of the number
//! ```
//!
//! Digits are found the first way if the terms with smaller weights reach less far than the weight.
//! Each lowered layout has this property: law 1 of the modes follows from it. Where each weight
//! divides the next one, it takes fewer instructions, because a processor finds a quotient and its
//! remainder together.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use crate::error::EmitError;
use crate::expression::{Expressions, Id, Node};
use crate::index_map::{IndexMap, Sum, Swizzle, Term};

/// The linear index of an element from its indices, and back.
#[derive(Clone, Debug)]
pub struct Functions {
    pub(crate) map: IndexMap,
    pub(crate) linear_index: Expressions,
    pub(crate) multi_index: MultiIndex,
}

/// The function, or why the code has none.
pub(crate) type MultiIndex = Result<Expressions, String>;

impl Functions {
    /// Both functions, simplified.
    ///
    /// # Errors
    /// If a number may need more than 64 bits.
    pub fn new(map: &IndexMap) -> Result<Self, EmitError> {
        Self::made(map, false)
    }

    /// Both functions, without bit operations where they are affine.
    pub(crate) fn made(map: &IndexMap, affine: bool) -> Result<Self, EmitError> {
        Ok(Self {
            map: map.clone(),
            linear_index: linear_index(map, affine)?,
            multi_index: multi_index(map, affine)?,
        })
    }

    /// What `linear_index` computes, in elements.
    ///
    /// # Panics
    /// If there is not one index for each dimension.
    #[must_use]
    pub fn linear_index(&self, index: &[u64]) -> u64 {
        let rank = self.map.sizes.len();
        assert_eq!(index.len(), rank, "one index for each dimension");
        self.linear_index.evaluate(index)[0]
    }

    /// What `multi_index` computes; `None` if there is no such function, because two elements have
    /// one linear index, or because the inverse needs more terms or larger numbers than there is
    /// room for. In padding lies no element: then some numbers, of which one or more may be beyond
    /// the sizes.
    #[must_use]
    pub fn multi_index(&self, linear: u64) -> Option<Vec<u64>> {
        let function = self.multi_index.as_ref().ok()?;
        Some(function.evaluate(&[linear]))
    }
}

fn linear_index(map: &IndexMap, affine: bool) -> Result<Expressions, EmitError> {
    let mut expressions = Expressions::default();
    let sizes = map.sizes.iter().enumerate();
    let sources =
        sizes.map(|(dimension, size)| expressions.add(Node::Argument(dimension), size - 1));
    let sources = sources.collect();
    let linear = last_sum(&mut expressions, sources, &map.sums)?;
    expressions.results = alloc::vec![swizzled(&mut expressions, linear, map.swizzle, affine)?];
    Ok(expressions)
}

/// The value of the last sum; `sources` are the values of the dimensions.
fn last_sum(
    expressions: &mut Expressions,
    mut sources: Vec<Id>,
    sums: &[Sum],
) -> Result<Id, EmitError> {
    for sum in sums {
        // What is added, and what is subtracted.
        let mut summands = [Vec::new(), Vec::new()];
        // The largest weight first, as people write it.
        let mut terms = sum.terms.clone();
        terms.sort_by_key(|term| core::cmp::Reverse(term.weight));
        for term in &terms {
            let mut digit = expressions.quotient(sources[term.source], term.divisor)?;
            if let Some(modulus) = term.modulus {
                digit = expressions.remainder(digit, modulus)?;
            }
            let summand = expressions.product(digit, term.weight.unsigned_abs())?;
            summands[usize::from(term.weight < 0)].push(summand);
        }
        let constant = expressions.number(sum.constant.unsigned_abs());
        summands[usize::from(sum.constant < 0)].push(constant);
        let added = expressions.sum(&summands[0])?;
        let subtracted = expressions.sum(&summands[1])?;
        sources.push(expressions.difference(added, subtracted, sum.largest));
    }
    Ok(sources[sources.len() - 1])
}

/// The linear index as an argument, without the swizzle.
fn begin(map: &IndexMap, affine: bool) -> Result<(Expressions, Id), EmitError> {
    let mut expressions = Expressions::default();
    let linear = expressions.add(Node::Argument(0), map.allocated - 1);
    let linear = swizzled(&mut expressions, linear, map.swizzle, affine)?;
    Ok((expressions, linear))
}

/// The index from the number that the sums of an inverse give.
fn inverse(map: &IndexMap, sums: &[Sum], affine: bool) -> Result<Expressions, EmitError> {
    let (mut expressions, linear) = begin(map, affine)?;
    let mut number = last_sum(&mut expressions, alloc::vec![linear], sums)?;
    for (dimension, &size) in map.sizes.iter().enumerate().rev() {
        let digit = match dimension {
            0 => number,
            _ => expressions.remainder(number, size)?,
        };
        expressions.results.push(digit);
        number = expressions.quotient(number, size)?;
    }
    expressions.results.reverse();
    Ok(expressions)
}

fn multi_index(map: &IndexMap, affine: bool) -> Result<MultiIndex, EmitError> {
    Ok(match &map.inverse {
        None => Ok(digits(map, affine)?),
        Some(Ok(sums)) => inverse(map, sums, affine).map_err(|error| error.message().to_string()),
        Some(Err(reason)) => Err(reason.message().to_string()),
    })
}

/// The index from the digits of the linear index.
fn digits(map: &IndexMap, affine: bool) -> Result<Expressions, EmitError> {
    let (mut expressions, linear) = begin(map, affine)?;
    let rank = map.sizes.len();
    // The summands of each dimension, and of each sum.
    let mut parts: Vec<Vec<Id>> = alloc::vec![Vec::new(); rank + map.sums.len()];
    parts[rank + map.sums.len() - 1].push(linear);
    for (number, sum) in map.sums.iter().enumerate().rev() {
        let value = expressions.sum(&parts[rank + number])?;
        for (term, digit) in take_apart(&mut expressions, sum, value)? {
            let part = expressions.product(digit, term.divisor)?;
            parts[term.source].push(part);
        }
    }
    for parts in &parts[..rank] {
        let index = expressions.sum(parts)?;
        expressions.results.push(index);
    }
    Ok(expressions)
}

/// The digits that a value is the weighted sum of, the smallest weight first.
fn take_apart(
    expressions: &mut Expressions,
    sum: &Sum,
    value: Id,
) -> Result<Vec<(Term, Id)>, EmitError> {
    let terms = sum.by_weight();
    // A digit with a negative weight is taken as `size - 1 - digit`, with a positive weight.
    let mut least = i128::from(sum.constant);
    for term in terms.iter().filter(|term| term.weight < 0) {
        least += i128::from(term.weight) * i128::from(term.size - 1);
    }
    // The range of the sum has been checked: it is in 64 bits, and not negative.
    let least = u64::try_from(least).map_err(|_| EmitError::TooLarge { bits: 64 })?;
    let least = expressions.number(least);
    let mut rest = expressions.difference(value, least, expressions.largest(value));
    let mut digits = Vec::new();
    let weight = |term: &Term| term.weight.unsigned_abs();
    let chain = |pair: &[Term]| weight(&pair[1]).is_multiple_of(weight(&pair[0]));
    if terms.windows(2).all(chain) {
        let mut before = 1;
        for (k, &term) in terms.iter().enumerate() {
            rest = expressions.quotient(rest, weight(&term) / before)?;
            before = weight(&term);
            let digit = match terms.get(k + 1) {
                None => rest,
                Some(next) => expressions.remainder(rest, weight(next) / weight(&term))?,
            };
            digits.push((term, digit));
        }
    } else {
        for &term in terms.iter().rev() {
            digits.push((term, expressions.quotient(rest, weight(&term))?));
            rest = expressions.remainder(rest, weight(&term))?;
        }
        digits.reverse();
    }
    for (term, digit) in &mut digits {
        if term.weight < 0 {
            let last = expressions.number(term.size - 1);
            *digit = expressions.difference(last, *digit, term.size - 1);
        }
    }
    Ok(digits)
}

/// `x ^ ((x & mask) >> shift)`, where the mask has `bits` ones from `base + shift` on; with `<<`
/// for a negative shift.
fn swizzled(
    expressions: &mut Expressions,
    value: Id,
    swizzle: Option<Swizzle>,
    affine: bool,
) -> Result<Id, EmitError> {
    let Some((count @ 1.., base, shift)) = swizzle else {
        return Ok(value);
    };
    let distance = shift.unsigned_abs();
    // The lowest bit that changes, and the lowest one that changes it.
    let (low, from) = match shift {
        0.. => (base, base + distance),
        _ => (base + distance, base),
    };
    let ones = (1_u64 << count) - 1;
    if !affine {
        let masked = expressions.masked(value, ones << from);
        let moved = match shift {
            0.. => expressions.quotient(masked, 1 << distance)?,
            _ => expressions.product(masked, 1 << distance)?,
        };
        return Ok(expressions.exclusive_or(value, moved));
    }
    // Bit by bit: the exclusive or of two bits is their sum modulo 2.
    let above = expressions.quotient(value, 1 << (low + count))?;
    let mut summands = alloc::vec![expressions.product(above, 1 << (low + count))?];
    for bit in (0..count).rev() {
        let changed = expressions.quotient(value, 1 << (low + bit))?;
        let source_bit = expressions.quotient(value, 1 << (from + bit))?;
        let sum = expressions.sum(&[changed, source_bit])?;
        let exclusive_or = expressions.remainder(sum, 2)?;
        summands.push(expressions.product(exclusive_or, 1 << (low + bit))?);
    }
    summands.push(expressions.remainder(value, 1 << low)?);
    expressions.sum(&summands)
}
