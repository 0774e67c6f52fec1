//! Operations that pass memory on: asynchronous ones, loops, branches, and arrays that are taken for one.

use super::super::super::graph::{Computation, Instruction};
use super::super::super::tally::Leaf;
use super::super::stop::{Fault, Stop};
use super::{Follow, Places, Step, Wait, items};

impl Follow<'_> {
    /// The TPU's custom call that takes adjacent arrays for one: the operands are its memory.
    pub(super) fn joined(
        &mut self,
        instruction: &Instruction,
        by: (u32, u32),
        operands: &[Places],
    ) -> Result<Places, Stop> {
        let places = self.made(instruction.shape, by)?;
        // The operands are arrays, no tuples.
        let parts: Vec<u32> = operands
            .iter()
            .filter_map(|of| match **of {
                [part] => part,
                _ => None,
            })
            .collect();
        let sum: u64 = parts
            .iter()
            .map(|&part| self.walk.values[part as usize].bytes)
            .fold(0, u64::saturating_add);
        if let [Some(whole)] = *places {
            let value = &mut self.walk.values[whole as usize];
            value.bytes = value.bytes.saturating_sub(sum);
            self.room(parts.len())?;
            self.in_parts += parts.len();
            self.parts.push((whole, parts));
        }
        Ok(places)
    }

    /// An asynchronous operation begins: one item of its result is its operands, the others are new.
    pub(super) fn start(
        &mut self,
        instruction: &Instruction,
        by: (u32, u32),
        operands: &[Places],
        at: u32,
    ) -> Result<Places, Stop> {
        for operand in operands {
            self.use_all(operand);
        }
        let leaves = self.module.leaves(instruction);
        let range = self.item(instruction.shape, at);
        match &range {
            None => self.fault(by, Fault::NoItem)?,
            Some(range) if range.len() != items(operands) => {
                self.fault(by, Fault::OtherOperands)?;
            }
            Some(range) => {
                let passed: Vec<Leaf> = self.passed(instruction, by, operands.len());
                let mut pairs = leaves[range.clone()].iter().zip(passed);
                if !pairs.all(|(&item, operand)| self.size(item) == self.size(operand)) {
                    self.fault(by, Fault::OtherOperands)?;
                }
            }
        }
        let range = range.filter(|range| range.len() == items(operands));
        let begin = range.as_ref().map_or(usize::MAX, |range| range.start);
        let passed: Vec<Option<u32>> = match range {
            Some(_) => operands.iter().flat_map(|of| of.iter().copied()).collect(),
            None => Vec::new(),
        };
        let mut places = Vec::with_capacity(leaves.len());
        for (k, leaf) in leaves.into_iter().enumerate() {
            let passed = k.checked_sub(begin).and_then(|k| passed.get(k));
            places.push(match passed {
                Some(&passed) => passed,
                None => self.add(leaf, by)?,
            });
        }
        Ok(places.into())
    }

    /// The arrays of the first operands of an instruction.
    fn passed(&self, instruction: &Instruction, by: (u32, u32), count: usize) -> Vec<Leaf> {
        let computation = &self.module.computations[by.0 as usize];
        let operands = self.module.operands(instruction).iter().take(count);
        operands
            .flat_map(|&of| self.module.leaves(&computation.instructions[of as usize]))
            .collect()
    }

    /// The bytes of the elements of an array; none where only the run time knows them.
    fn size(&self, leaf: Leaf) -> Option<u64> {
        match leaf {
            Leaf::Array(number) => Some(self.tally.arrays[number as usize].logical),
            Leaf::WithoutLayout(bytes) => Some(bytes),
            Leaf::WithoutSize | Leaf::NoArray => None,
        }
    }

    /// An asynchronous operation ends: its result is an item of the tuple that it began with.
    pub(super) fn done(
        &mut self,
        computation: &Computation,
        instruction: &Instruction,
        by: (u32, u32),
        operands: &[Places],
        at: u32,
    ) -> Result<Places, Stop> {
        let Some((tuple, &start)) = operands
            .first()
            .zip(self.module.operands(instruction).first())
        else {
            self.fault(by, Fault::NoOperand)?;
            return self.made(instruction.shape, by);
        };
        self.use_all(tuple);
        let shape = computation.instructions[start as usize].shape;
        let item = self.item(shape, at).and_then(|range| tuple.get(range));
        let leaves = self.module.leaves(instruction);
        match item {
            None => self.fault(by, Fault::NoItem)?,
            Some(item) => {
                // `recv` has its token outside of the item.
                let token = self.module.opcode(instruction) == "recv-done";
                self.agree(by, item.len() + usize::from(token), leaves.len())?;
            }
        }
        let mut places = Vec::with_capacity(leaves.len());
        for (k, leaf) in leaves.into_iter().enumerate() {
            places.push(match item.and_then(|item| *item.get(k)?) {
                Some(value) => Some(value),
                None => self.add(leaf, by)?,
            });
        }
        Ok(places.into())
    }

    /// A loop. What it carries has one memory; between its last use in the body and the new value this memory is free.
    ///
    /// XLA's `HloDataflowAnalysis` has a value for what comes in, one for the parameter of the body and one for the
    /// result. What the body passes on as it is remains one value.
    pub(super) fn repeat(
        &mut self,
        instruction: &Instruction,
        by: (u32, u32),
        init: Places,
    ) -> Result<Step, Stop> {
        let module = self.module;
        self.use_all(&init);
        self.agree(by, init.len(), module.shapes.count(instruction.shape))?;
        self.one_operand(instruction, by)?;
        match module.called(instruction, "condition") {
            Some(condition) => {
                let arguments = vec![init.clone()];
                Ok(Step::Runs(condition, arguments, Wait::Condition(init)))
            }
            None => {
                self.fault(by, Fault::NoCallee("condition"))?;
                self.body(instruction, by, init)
            }
        }
    }

    /// The condition of a loop ran, and the body is next.
    pub(super) fn body(
        &mut self,
        instruction: &Instruction,
        by: (u32, u32),
        init: Places,
    ) -> Result<Step, Stop> {
        let Some(body) = self.module.called(instruction, "body") else {
            self.fault(by, Fault::NoCallee("body"))?;
            return Ok(Step::Gives(init));
        };
        self.use_all_before(&init);
        let carried: Places = (init.iter())
            .map(|&value| self.again(value))
            .collect::<Result<_, _>>()?;
        let held = self.held;
        self.hold(carried.len())?;
        let arguments = vec![carried.clone()];
        let begun = Loop {
            init,
            carried,
            held,
        };
        Ok(Step::Runs(body, arguments, Wait::Body(begun)))
    }

    /// The body of a loop ran.
    pub(super) fn repeated(
        &mut self,
        instruction: &Instruction,
        by: (u32, u32),
        begun: Loop,
        next: &Places,
    ) -> Result<Step, Stop> {
        let Loop {
            init,
            carried,
            held,
        } = begun;
        self.held = held;
        self.use_all_before(next);
        let leaves = self.module.leaves(instruction);
        self.agree(by, next.len(), leaves.len())?;
        let mut places = Vec::with_capacity(leaves.len());
        for (k, leaf) in leaves.into_iter().enumerate() {
            let before = init.get(k).copied().flatten();
            let inside = carried.get(k).copied().flatten();
            let after = next.get(k).copied().flatten();
            self.share_if_both(before, inside);
            places.push(match inside == after {
                true => {
                    self.walk.identical.extend(before.zip(inside));
                    // It is needed by the next round.
                    self.use_all_before(&[inside]);
                    inside
                }
                false => {
                    let new = self.add(leaf, by)?;
                    for other in [inside, after] {
                        self.share_if_both(new, other);
                    }
                    new
                }
            });
        }
        Ok(Step::Gives(places.into()))
    }

    /// A value in the memory of another value. It begins at the step that runs next.
    fn again(&mut self, value: Option<u32>) -> Result<Option<u32>, Stop> {
        let Some(value) = value else {
            return Ok(None);
        };
        let value = self.walk.values[value as usize];
        self.add(value.leaf(), value.by)
    }

    /// One of several branches runs. What only the others need is not alive in it.
    pub(super) fn conditional(
        &mut self,
        instruction: &Instruction,
        by: (u32, u32),
        operands: &[Places],
    ) -> Result<Step, Stop> {
        for operand in operands {
            self.use_all(operand);
        }
        let module = self.module;
        let branches = module.all_called(instruction).len();
        let Some((_, arguments)) = operands.split_first() else {
            self.fault(by, Fault::NoOperand)?;
            return Ok(Step::Gives(self.made(instruction.shape, by)?));
        };
        if branches == 0 {
            self.fault(by, Fault::NoCallee("branch_computations"))?;
        }
        let given = arguments.len();
        if branches != given {
            let operands = given;
            self.fault(by, Fault::Branches { branches, operands })?;
        }
        let begun = Branches {
            arguments: arguments.to_vec(),
            results: Vec::new(),
            begin: self.now(),
            before: Vec::new(),
            held: self.held,
        };
        self.next_branch(instruction, by, Box::new(begun))
    }

    /// Runs the branch behind those that ran, or ends the conditional.
    fn next_branch(
        &mut self,
        instruction: &Instruction,
        by: (u32, u32),
        mut branches: Box<Branches>,
    ) -> Result<Step, Stop> {
        let module = self.module;
        let k = branches.results.len();
        let callee = module.all_called(instruction).nth(k);
        if let Some(((_, callee), argument)) = callee.zip(branches.arguments.get(k)) {
            branches.begin = self.now();
            self.hold(argument.len())?;
            branches.before = argument
                .iter()
                .flatten()
                .map(|&value| (value, self.walk.values[value as usize].used))
                .collect();
            let arguments = vec![argument.clone()];
            return Ok(Step::Runs(callee, arguments, Wait::Branch(branches)));
        }
        let leaves = module.leaves(instruction);
        let mut places = Vec::with_capacity(leaves.len());
        for (k, leaf) in leaves.into_iter().enumerate() {
            let new = self.add(leaf, by)?;
            self.room(branches.results.len())?;
            for result in &branches.results {
                let one = result.get(k).copied().flatten();
                self.share_if_both(new, one);
            }
            places.push(new);
        }
        self.held = branches.held;
        Ok(Step::Gives(places.into()))
    }

    /// A branch ran.
    pub(super) fn branched(
        &mut self,
        instruction: &Instruction,
        by: (u32, u32),
        mut branches: Box<Branches>,
        result: Places,
    ) -> Result<Step, Stop> {
        let arrays = self.module.shapes.count(instruction.shape);
        self.agree(by, result.len(), arrays)?;
        self.use_all_before(&result);
        let argument = branches.arguments[branches.results.len()].len();
        self.held -= argument;
        self.room(argument)?;
        for (value, used) in std::mem::take(&mut branches.before) {
            let in_branch = std::mem::replace(&mut self.walk.values[value as usize].used, used);
            if in_branch > used {
                let begin = branches.begin;
                self.walk.branches.push((value, begin, in_branch));
            }
        }
        self.hold(result.len())?;
        branches.results.push(result);
        self.next_branch(instruction, by, branches)
    }
}

/// A loop of which the body runs.
pub(super) struct Loop {
    /// What comes in.
    init: Places,
    /// The parameter of the body.
    carried: Places,
    /// How many items were held before.
    held: usize,
}

/// A conditional of which a branch runs.
pub(super) struct Branches {
    /// Of each branch.
    arguments: Vec<Places>,
    /// Of the branches that ran.
    results: Vec<Places>,
    /// The step at which the branch begins that runs.
    begin: u32,
    /// The values in its argument, and their last uses before it.
    before: Vec<(u32, u32)>,
    /// How many items were held before the first branch.
    held: usize,
}
