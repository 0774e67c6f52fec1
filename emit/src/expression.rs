//! Expressions over unsigned integers, each made once.
//!
//! ```text
//! add(node):
//!     simplify by the largest value of each operand:
//!         x / d = 0 and x % d = x       where x < d
//!         x / d / e = x / (d * e)       for powers of two; for others a compiler takes `x / d` and
//!                                       `x % d` of one division, so `x / d` stays
//!         x % m % n = x % n             where n divides m
//!         x % m / d = x / d % (m / d)   where d divides m
//!         (d * x + y) / d = x + y / d
//!         (d * x + y) % d = y % d
//!     the same node again has the same number
//! ```
//!
//! An operand has a smaller number than the expression that it is in, so one pass in this sequence
//! computes all of them.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;

use crate::error::EmitError;

/// The number of an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Id(usize);

/// One operation. All values are 0 or more.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Node {
    /// An argument of the function, counted from 0.
    Argument(usize),
    Number(u64),
    /// At least two summands.
    Sum(Vec<Id>),
    /// The first one is never less than the second one.
    Difference([Id; 2]),
    Product(Id, u64),
    Quotient(Id, u64),
    Remainder(Id, u64),
    /// The bits that the mask has.
    Masked(Id, u64),
    ExclusiveOr([Id; 2]),
}

impl Node {
    pub(crate) fn operands(&self) -> &[Id] {
        match self {
            Self::Argument(_) | Self::Number(_) => &[],
            Self::Sum(summands) => summands,
            Self::Difference(both) | Self::ExclusiveOr(both) => both,
            Self::Product(a, _)
            | Self::Quotient(a, _)
            | Self::Remainder(a, _)
            | Self::Masked(a, _) => core::slice::from_ref(a),
        }
    }

    /// Whether it is a name or a number, which costs nothing to repeat.
    pub(crate) const fn is_leaf(&self) -> bool {
        matches!(self, Self::Argument(_) | Self::Number(_))
    }
}

/// All expressions of a function, and those that are its results.
#[derive(Clone, Debug, Default)]
pub(crate) struct Expressions {
    nodes: Vec<Node>,
    /// The largest value of each node.
    largest: Vec<u64>,
    numbers: BTreeMap<Node, Id>,
    pub(crate) results: Vec<Id>,
}

impl Expressions {
    pub(crate) fn node(&self, id: Id) -> &Node {
        &self.nodes[id.0]
    }

    pub(crate) fn largest(&self, id: Id) -> u64 {
        self.largest[id.0]
    }

    pub(crate) fn number(&mut self, value: u64) -> Id {
        self.add(Node::Number(value), value)
    }

    /// # Errors
    /// If the sum may have more than 64 bits, as for the other operations.
    pub(crate) fn sum(&mut self, summands: &[Id]) -> Result<Id, EmitError> {
        let mut constant = 0_u64;
        let mut largest = 0_u64;
        let mut terms = Vec::new();
        for &summand in summands {
            largest = fits(largest.checked_add(self.largest(summand)))?;
            match self.node(summand) {
                Node::Number(value) => constant += value,
                _ => terms.push(summand),
            }
        }
        if constant != 0 || terms.is_empty() {
            let constant = self.number(constant);
            terms.push(constant);
        }
        Ok(match *terms.as_slice() {
            [only] => only,
            _ => self.add(Node::Sum(terms), largest),
        })
    }

    /// `a - b`, if the caller knows that the result is from 0 to `largest`.
    pub(crate) fn difference(&mut self, a: Id, b: Id, largest: u64) -> Id {
        match self.node(b) {
            Node::Number(0) => a,
            _ => self.add(Node::Difference([a, b]), largest),
        }
    }

    pub(crate) fn product(&mut self, a: Id, factor: u64) -> Result<Id, EmitError> {
        let largest = fits(self.largest(a).checked_mul(factor))?;
        Ok(match *self.node(a) {
            Node::Number(value) => self.number(value * factor),
            _ if factor == 0 => self.number(0),
            _ if factor == 1 => a,
            _ => self.add(Node::Product(a, factor), largest),
        })
    }

    pub(crate) fn quotient(&mut self, a: Id, divisor: u64) -> Result<Id, EmitError> {
        let largest = self.largest(a);
        match divisor {
            1 => return Ok(a),
            _ if largest < divisor => return Ok(self.number(0)),
            _ => {}
        }
        if let Some((multiples, rest)) = self.split(a, divisor)? {
            let rest = self.quotient(rest, divisor)?;
            return self.sum(&[multiples, rest]);
        }
        Ok(match *self.node(a) {
            Node::Number(value) => self.number(value / divisor),
            Node::Quotient(inner, inner_divisor)
                if inner_divisor.is_power_of_two() && divisor.is_power_of_two() =>
            {
                // Below 2^64: larger divisors have a quotient of 0, which was returned above.
                self.quotient(inner, inner_divisor * divisor)?
            }
            Node::Remainder(inner, modulus) if modulus.is_multiple_of(divisor) => {
                let digit = self.quotient(inner, divisor)?;
                self.remainder(digit, modulus / divisor)?
            }
            _ => self.add(Node::Quotient(a, divisor), largest / divisor),
        })
    }

    pub(crate) fn remainder(&mut self, a: Id, modulus: u64) -> Result<Id, EmitError> {
        if self.largest(a) < modulus {
            return Ok(a);
        }
        if let Some((_, rest)) = self.split(a, modulus)? {
            return self.remainder(rest, modulus);
        }
        Ok(match *self.node(a) {
            Node::Number(value) => self.number(value % modulus),
            Node::Remainder(inner, inner_modulus) if inner_modulus.is_multiple_of(modulus) => {
                self.remainder(inner, modulus)?
            }
            _ => self.add(Node::Remainder(a, modulus), modulus - 1),
        })
    }

    /// `x` and `y` of a sum or a product that is `divisor * x + y`; `None` if no summand is such a
    /// multiple.
    fn split(&mut self, a: Id, divisor: u64) -> Result<Option<(Id, Id)>, EmitError> {
        let summands = match self.node(a) {
            Node::Sum(summands) => summands.clone(),
            Node::Product(..) => alloc::vec![a],
            _ => return Ok(None),
        };
        let mut multiples = Vec::new();
        let mut rest = Vec::new();
        for summand in summands {
            match *self.node(summand) {
                Node::Product(inner, factor) if factor.is_multiple_of(divisor) => {
                    multiples.push(self.product(inner, factor / divisor)?);
                }
                _ => rest.push(summand),
            }
        }
        if multiples.is_empty() {
            return Ok(None);
        }
        Ok(Some((self.sum(&multiples)?, self.sum(&rest)?)))
    }

    pub(crate) fn masked(&mut self, a: Id, mask: u64) -> Id {
        let largest = mask & all_ones(self.largest(a));
        match *self.node(a) {
            Node::Number(value) => self.number(value & mask),
            _ if largest == 0 => self.number(0),
            _ => self.add(Node::Masked(a, mask), largest),
        }
    }

    pub(crate) fn exclusive_or(&mut self, a: Id, b: Id) -> Id {
        let largest = all_ones(self.largest(a) | self.largest(b));
        match (self.node(a), self.node(b)) {
            (_, Node::Number(0)) => a,
            (&Node::Number(a), &Node::Number(b)) => self.number(a ^ b),
            _ => self.add(Node::ExclusiveOr([a, b]), largest),
        }
    }

    pub(crate) fn add(&mut self, node: Node, largest: u64) -> Id {
        if let Some(&id) = self.numbers.get(&node) {
            return id;
        }
        let id = Id(self.nodes.len());
        self.nodes.push(node.clone());
        self.largest.push(largest);
        self.numbers.insert(node, id);
        id
    }

    /// The expressions that the results need, operands first, and how often each is an operand or a
    /// result.
    pub(crate) fn needed(&self) -> Vec<(Id, usize)> {
        let mut uses = alloc::vec![0; self.nodes.len()];
        self.results.iter().for_each(|result| uses[result.0] += 1);
        for (id, node) in self.nodes.iter().enumerate().rev() {
            if uses[id] > 0 {
                let operands = node.operands().iter();
                operands.for_each(|operand| uses[operand.0] += 1);
            }
        }
        let uses = uses.into_iter().enumerate().filter(|&(_, uses)| uses > 0);
        uses.map(|(id, uses)| (Id(id), uses)).collect()
    }

    /// The results for these arguments, as a program computes them that was emitted.
    pub(crate) fn evaluate(&self, arguments: &[u64]) -> Vec<u64> {
        let mut values = Vec::with_capacity(self.nodes.len());
        for node in &self.nodes {
            let result_of = |id: &Id| -> u64 { values[id.0] };
            values.push(match node {
                Node::Argument(number) => arguments[*number],
                Node::Number(value) => *value,
                // They wrap for a linear index that is no element's.
                Node::Sum(summands) => summands.iter().map(result_of).fold(0, u64::wrapping_add),
                Node::Difference([a, b]) => result_of(a).wrapping_sub(result_of(b)),
                Node::Product(a, factor) => result_of(a).wrapping_mul(*factor),
                Node::Quotient(a, divisor) => result_of(a) / divisor,
                Node::Remainder(a, modulus) => result_of(a) % modulus,
                Node::Masked(a, mask) => result_of(a) & mask,
                Node::ExclusiveOr([a, b]) => result_of(a) ^ result_of(b),
            });
        }
        self.results.iter().map(|id| values[id.0]).collect()
    }
}

/// The smallest number of ones in a row that has no fewer bits.
fn all_ones(value: u64) -> u64 {
    u64::MAX.checked_shr(value.leading_zeros()).unwrap_or(0)
}

fn fits(value: Option<u64>) -> Result<u64, EmitError> {
    value.ok_or(EmitError::TooLarge { bits: 64 })
}
