//! Operations that pass memory on: asynchronous ones, loops, branches, and joins of adjacent
//! arrays.

use super::super::stop::{Fault, NO_ITEM, NO_OPERAND, OTHER_OPERANDS, Stop};
use super::step::{Branches, Loop, NextStep, Wait};
use super::{At, Follow, Made, Next, Places, flat};
use crate::opcode::Opcode;
use crate::tally::Leaf;

impl<'a> Follow<'a> {
    /// The TPU's custom call that joins adjacent arrays: its result has the memory of the operands.
    pub(super) fn joined(&mut self, at: At<'_>, operands: &[Places]) -> Made {
        let places = self.made(at)?;
        // Only operands that are single arrays count.
        let parts: Vec<u32> = operands
            .iter()
            .filter(|operand| operand.len() == 1)
            .filter_map(|operand| operand[0])
            .collect();
        if let [Some(whole)] = *places {
            let bytes = parts
                .iter()
                .map(|&part| self.walk.values[part as usize].bytes);
            let sum = bytes.fold(0, u64::saturating_add);
            let value = &mut self.walk.values[whole as usize];
            value.bytes = value.bytes.saturating_sub(sum);
            self.room(parts.len())?;
            self.in_parts += parts.len();
            self.parts.push((whole, parts));
        }
        Ok(places)
    }

    /// Begins an asynchronous operation: one item of its result consists of its operands, the
    /// others are new.
    pub(super) fn start(&mut self, at: At<'a>, operands: &[Places], item: u32) -> Made {
        operands.iter().for_each(|operand| self.use_all(operand));
        let leaves = self.module.leaves(at.instruction);
        let passed: Vec<Option<u32>> = flat(operands).collect();
        let range = self.item(at.instruction.shape, item);
        self.check(range.is_some(), at.by, NO_ITEM)?;
        let fits = range.clone().filter(|range| range.len() == passed.len());
        let is_same = fits.clone().is_none_or(|range| {
            let given = (0..operands.len())
                .filter_map(|k| at.shape_of(self.module, k))
                .flat_map(|shape| self.module.shapes.leaves(shape));
            leaves[range]
                .iter()
                .zip(given)
                .all(|(&a, b)| self.size(a) == self.size(b))
        });
        let is_whole = fits.is_some() == range.is_some();
        self.check(is_whole && is_same, at.by, OTHER_OPERANDS)?;
        let begin = fits.map_or(usize::MAX, |range| range.start);
        let passed = |k: usize| passed.get(k.checked_sub(begin)?).copied();
        let in_place = self.in_place(at, operands, &leaves)?;
        self.filled(at.by, leaves, |k| {
            passed(k).or_else(|| in_place[k].map(Some))
        })
    }

    /// The bytes of the elements of an array; `None` if known only at run time.
    fn size(&self, leaf: Leaf) -> Option<u64> {
        match leaf {
            Leaf::Array(number) => Some(self.tally.arrays[number as usize].logical),
            Leaf::WithoutLayout(bytes) => Some(bytes),
            Leaf::WithoutSize | Leaf::NoArray => None,
        }
    }

    /// Ends an asynchronous operation: its result is an item of the tuple at its beginning.
    pub(super) fn done(&mut self, at: At<'_>, operands: &[Places], item: u32) -> Made {
        let tuple = self.first(at.by, operands)?;
        self.use_all(&tuple);
        let range = at
            .shape_of(self.module, 0)
            .and_then(|shape| self.item(shape, item));
        let item = range.and_then(|range| tuple.get(range));
        let leaves = self.module.leaves(at.instruction);
        self.check(item.is_some(), at.by, NO_ITEM)?;
        if let Some(item) = item {
            // The token of `recv` is outside that item.
            let token = self.module.opcode(at.instruction) == Opcode::Done(&Opcode::Recv);
            self.agree(at.by, item.len() + usize::from(token), leaves.len())?;
        }
        self.filled(at.by, leaves, |k| {
            item?.get(k).filter(|place| place.is_some()).copied()
        })
    }

    /// Begins a loop. Its state has one memory, which is free between the last use in the body and
    /// the new value.
    ///
    /// XLA's `HloDataflowAnalysis` has one value each for the input, the parameter of the body and
    /// the result. A part that the body passes on unchanged remains one value.
    pub(super) fn repeat(&mut self, at: At<'_>, operands: &[Places]) -> Next {
        let init = self.first(at.by, operands)?;
        self.use_all(&init);
        self.agree(
            at.by,
            init.len(),
            self.module.shapes.count(at.instruction.shape),
        )?;
        self.at_most(at.by, operands.len(), 1)?;
        let condition = self.module.called(at.instruction, "condition");
        self.check(condition.is_some(), at.by, Fault::NoCallee("condition"))?;
        match condition {
            Some(condition) => Ok(NextStep::Runs(
                condition,
                vec![init.clone()],
                Wait::Condition(init),
            )),
            None => self.body(at, init),
        }
    }

    /// The condition of a loop ran; runs the body.
    pub(super) fn body(&mut self, at: At<'_>, init: Places) -> Next {
        let Some(body) = self.module.called(at.instruction, "body") else {
            self.fault(at.by, Fault::NoCallee("body"))?;
            return Ok(NextStep::Gives(init));
        };
        self.use_all_before(&init);
        let again = |&value: &Option<u32>| self.again(value);
        let carried: Places = init.iter().map(again).collect::<Result<_, _>>()?;
        let held = self.held;
        self.hold(carried.len())?;
        let arguments = vec![carried.clone()];
        let begun = Loop {
            init,
            carried,
            held,
        };
        Ok(NextStep::Runs(body, arguments, Wait::Body(begun)))
    }

    /// The body of a loop ran; ends the loop.
    pub(super) fn repeated(&mut self, at: At<'_>, begun: Loop, next: &Places) -> Next {
        self.held = begun.held;
        self.use_all_before(next);
        let leaves = self.module.leaves(at.instruction);
        self.agree(at.by, next.len(), leaves.len())?;
        let mut places = Vec::with_capacity(leaves.len());
        for (k, leaf) in leaves.into_iter().enumerate() {
            let [before, inside, after] =
                [&begun.init, &begun.carried, next].map(|places| places.get(k).copied().flatten());
            self.share_if_both(before, inside);
            places.push(if inside == after {
                self.walk.identical.extend(before.zip(inside));
                // The next round needs it.
                self.use_all_before(&[inside]);
                inside
            } else {
                let new = self.add(leaf, at.by)?;
                self.share_if_both(new, inside);
                self.share_if_both(new, after);
                new
            });
        }
        Ok(NextStep::Gives(Places::from(&*places)))
    }

    /// Adds a copy of a value, which begins at the next step.
    fn again(&mut self, value: Option<u32>) -> Result<Option<u32>, Stop> {
        let Some(value) = value else {
            return Ok(None);
        };
        let value = self.walk.values[value as usize];
        self.add(value.leaf(), value.by)
    }

    /// Begins a conditional: one of several branches runs. A value that only other branches need is
    /// not alive in it.
    pub(super) fn conditional(&mut self, at: At<'_>, operands: &[Places]) -> Next {
        operands.iter().for_each(|operand| self.use_all(operand));
        let branches = self.module.all_called(at.instruction).len();
        let Some((_, arguments)) = operands.split_first() else {
            self.fault(at.by, NO_OPERAND)?;
            return Ok(NextStep::Gives(self.made(at)?));
        };
        self.check(branches > 0, at.by, Fault::NoCallee("branch_computations"))?;
        let operands = arguments.len();
        self.check(
            branches == operands,
            at.by,
            Fault::Branches { branches, operands },
        )?;
        let begun = Branches {
            arguments: arguments.to_vec(),
            results: Vec::new(),
            begin: self.now(),
            before: Vec::new(),
            held: self.held,
        };
        self.next_branch(at, Box::new(begun))
    }

    /// Runs the next branch, or ends the conditional after the last one.
    fn next_branch(&mut self, at: At<'_>, mut branches: Box<Branches>) -> Next {
        let k = branches.results.len();
        let callee = self.module.all_called(at.instruction).nth(k);
        if let Some(((_, callee), argument)) = callee.zip(branches.arguments.get(k)) {
            branches.begin = self.now();
            self.hold(argument.len())?;
            let used = |&value: &u32| (value, self.walk.values[value as usize].used);
            branches.before = argument.iter().flatten().map(used).collect();
            return Ok(NextStep::Runs(
                callee,
                vec![argument.clone()],
                Wait::Branch(branches),
            ));
        }
        let places = self.made(at)?;
        for (k, &new) in places.iter().enumerate() {
            self.room(branches.results.len())?;
            for result in &branches.results {
                self.share_if_both(new, result.get(k).copied().flatten());
            }
        }
        self.held = branches.held;
        Ok(NextStep::Gives(places))
    }

    /// A branch ran; notes its result.
    pub(super) fn branched(
        &mut self,
        at: At<'_>,
        mut branches: Box<Branches>,
        result: Places,
    ) -> Next {
        let arrays = self.module.shapes.count(at.instruction.shape);
        self.agree(at.by, result.len(), arrays)?;
        self.use_all_before(&result);
        let argument = branches.arguments[branches.results.len()].len();
        self.held -= argument;
        self.room(argument)?;
        for (value, used) in std::mem::take(&mut branches.before) {
            let in_branch = std::mem::replace(&mut self.walk.values[value as usize].used, used);
            if in_branch > used {
                self.walk.branches.push((value, branches.begin, in_branch));
            }
        }
        self.hold(result.len())?;
        branches.results.push(result);
        self.next_branch(at, branches)
    }
}
