//! The values of a walk: their limits, their uses, and the pairs that share memory; and checks of
//! an instruction, because a text may lack what a compiler always writes.

use std::num::NonZero;

use super::super::stop::{Fault, MOST_ARRAYS, NO_OPERAND, PAIRS, Stop};
use super::{At, Follow, Made, Places, Value};
use crate::tally::Leaf;

impl Follow<'_> {
    /// The number of the next step.
    pub(super) fn now(&self) -> u32 {
        self.walk.steps.len() as u32
    }

    pub(super) fn use_at(&mut self, value: u32, at: u32) {
        let value = &mut self.walk.values[value as usize];
        value.used = value.used.max(at);
    }

    pub(super) fn use_all(&mut self, all: &[Option<u32>]) {
        self.use_all_at(all, self.now());
    }

    /// Notes a use before the next step, whose results may take the same memory.
    pub(super) fn use_all_before(&mut self, all: &[Option<u32>]) {
        self.use_all_at(all, self.now().saturating_sub(1));
    }

    fn use_all_at(&mut self, all: &[Option<u32>], at: u32) {
        for &value in all.iter().flatten() {
            self.use_at(value, at);
        }
    }

    /// Returns an error unless `more` items of lists, or pairs, may be added.
    pub(super) fn room(&self, more: usize) -> Result<(), Stop> {
        let walk = &self.walk;
        let pairs = walk.same.len() + walk.identical.len() + walk.reuse.len();
        let pairs = pairs + walk.branches.len();
        let items = pairs + self.in_parts + self.held;
        if items.saturating_add(more) > PAIRS * MOST_ARRAYS {
            Err(Stop::Many(MOST_ARRAYS))
        } else {
            Ok(())
        }
    }

    /// Counts a list of `items` items as held. The code that drops the list subtracts it again.
    pub(super) fn hold(&mut self, items: usize) -> Result<(), Stop> {
        self.room(items)?;
        self.held += items;
        Ok(())
    }

    /// Notes that two values share one memory, and returns whether they do: values in different
    /// memory spaces do not.
    pub(super) fn share(&mut self, first: u32, second: u32) -> bool {
        let [a, b] = [first, second].map(|value| self.walk.values[value as usize].space);
        if a == b {
            self.walk.same.push((first, second));
        }
        a == b
    }

    pub(super) fn share_if_both(&mut self, first: Option<u32>, second: Option<u32>) {
        if let (Some(first), Some(second)) = (first, second) {
            self.share(first, second);
        }
    }

    pub(super) fn add(&mut self, leaf: Leaf, by: (u32, u32)) -> Result<Option<u32>, Stop> {
        let (space, bytes) = match leaf {
            Leaf::Array(number) => {
                let array = &self.tally.arrays[number as usize];
                (array.memory_space, array.allocated)
            }
            Leaf::WithoutLayout(bytes) => (0, bytes),
            Leaf::WithoutSize => {
                self.walk.without_size += 1;
                return Ok(None);
            }
            Leaf::NoArray => return Ok(None),
        };
        if self.walk.values.len() >= MOST_ARRAYS {
            return Err(Stop::Many(MOST_ARRAYS));
        }
        let now = self.now();
        let number = self.walk.values.len() as u32;
        self.walk.values.push(Value {
            array: leaf
                .array()
                .and_then(|number| NonZero::new(number.wrapping_add(1))),
            space,
            bytes,
            by,
            made: now,
            used: now,
            fixed: false,
            in_entry: false,
        });
        Ok(Some(number))
    }

    /// Adds a value for each array of a result.
    pub(super) fn made(&mut self, at: At<'_>) -> Made {
        self.filled(at.by, self.module.leaves(at.instruction), |_| None)
    }

    /// Returns a place for each array of a result: the known one, or a new value.
    pub(super) fn filled(
        &mut self,
        by: (u32, u32),
        leaves: Vec<Leaf>,
        known: impl Fn(usize) -> Option<Option<u32>>,
    ) -> Made {
        let all = leaves.into_iter().enumerate();
        all.map(|(k, leaf)| known(k).map_or_else(|| self.add(leaf, by), Ok))
            .collect()
    }

    /// Returns the fault of an instruction that is not as a compiler writes it, unless `is_right`.
    /// In a damaged text the reader reported it, and the missing part is skipped.
    pub(super) fn check(&self, is_right: bool, by: (u32, u32), fault: Fault) -> Result<(), Stop> {
        if is_right || self.module.is_damaged {
            Ok(())
        } else {
            Err(Stop::Instruction(Box::new((by, fault))))
        }
    }

    pub(super) fn fault(&self, by: (u32, u32), fault: Fault) -> Result<(), Stop> {
        self.check(false, by, fault)
    }

    /// Checks that an instruction gives as many arrays as its shape has.
    pub(super) fn agree(&self, by: (u32, u32), given: usize, shape: usize) -> Result<(), Stop> {
        self.check(given == shape, by, Fault::Arrays { given, shape })
    }

    /// Checks that an instruction has at most as many operands as its computation, or a loop,
    /// takes.
    pub(super) fn at_most(&self, by: (u32, u32), given: usize, taken: usize) -> Result<(), Stop> {
        self.check(given <= taken, by, Fault::Operands { given, taken })
    }

    /// The first operand.
    pub(super) fn first(&self, by: (u32, u32), operands: &[Places]) -> Made {
        self.check(!operands.is_empty(), by, NO_OPERAND)?;
        Ok(operands.first().cloned().unwrap_or_default())
    }
}
