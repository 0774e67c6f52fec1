//! How often a loop runs.
//!
//! XLA writes `known_trip_count` into backend_config. Without it, the count follows from a
//! condition `item < constant`, a body that adds a constant to this item, and an initial value that
//! is a constant. For `item < constant & …` the count is an upper bound, unless the count of each
//! part follows.
//!
//! ```text
//! value of an instruction: open = [the instruction]
//! while an instruction is open, for the last one:
//!     if it needs the value of another instruction, which is not known: open that
//!         a sum needs its operands, a fusion the root of its body, a parameter of such a body the
//!             operand of the fusion
//!     else: note its value, and close it
//! ```
//!
//! The body of a fusion is evaluated once for each fusion that runs it. The stack of open
//! instructions is on the heap.

use hashbrown::HashMap;

use crate::graph::{Computation, Instruction, Module};
use crate::opcode::Opcode;

/// A scalar in the computation of a loop.
#[derive(Clone, Copy)]
struct Scalar {
    /// The item of the loop state to which `plus` is added; `None` for a constant.
    item: Option<u32>,
    plus: i64,
}

/// An instruction: the place of its computation, an index of `LoopSearch::places`, and its number
/// in the computation.
type InstructionAt = (usize, u32);

/// The largest number of instructions that the search visits: fusions of fusions may run any number
/// of them. A count that needs more is unknown.
const MOST_VISITS: u32 = 4096;

/// The places of the condition and the body of the loop, and of the computation that the loop is
/// in. The bodies of fusions follow.
const CONDITION: usize = 0;
const BODY: usize = 1;
const CALLER: usize = 2;

/// The state of the search in one loop.
struct LoopSearch<'a> {
    module: &'a Module,
    /// Each computation with the fusion whose body it is. A body that several fusions run has a
    /// place for each of them.
    places: Vec<(&'a Computation, Option<InstructionAt>)>,
    /// The place of the body of each fusion.
    bodies: HashMap<InstructionAt, usize>,
    /// The values that were noted; `None` where a value does not follow.
    known: HashMap<InstructionAt, Option<Scalar>>,
    /// The initial state of the loop, and the state that its body returns.
    state: [InstructionAt; 2],
    /// How many instructions the search may still visit.
    visits_left: u32,
}

/// Returns how often the body of a `while` runs, if known, and whether this is an upper bound.
pub(super) fn count(
    module: &Module,
    caller: &Computation,
    loop_instruction: &Instruction,
) -> Option<(u64, bool)> {
    if let Some(count) = module.attribute(loop_instruction, "known_trip_count") {
        return Some((count.parse().ok()?, false));
    }
    let [condition, body] = ["condition", "body"].map(|role| module.called(loop_instruction, role));
    let [condition, body] = [condition?, body?].map(|number| &module.computations[number as usize]);
    let mut search = LoopSearch {
        module,
        places: [condition, body, caller]
            .map(|computation| (computation, None))
            .to_vec(),
        bodies: HashMap::new(),
        known: HashMap::new(),
        state: [
            (CALLER, *module.operands(loop_instruction).first()?),
            (BODY, body.root),
        ],
        visits_left: MOST_VISITS,
    };
    let counts = search.counts((CONDITION, condition.root));
    let least = counts.iter().flatten().min()?;
    Some((*least, counts.contains(&None)))
}

/// The sum or the difference of two scalars.
fn sum_or_difference(a: Scalar, b: Scalar, is_sum: bool) -> Option<Scalar> {
    let item = match (a.item, b.item) {
        (item, None) => item,
        (None, item) if is_sum => item,
        _ => return None,
    };
    let plus = if is_sum {
        a.plus.checked_add(b.plus)
    } else {
        a.plus.checked_sub(b.plus)
    };
    Some(Scalar { item, plus: plus? })
}

impl<'a> LoopSearch<'a> {
    /// Returns, for each comparison that must hold while the loop runs (also inside fusions), how
    /// often it holds; `None` for a comparison whose count is unknown and for any other part of the
    /// condition.
    fn counts(&mut self, condition: InstructionAt) -> Vec<Option<u64>> {
        let mut counts = Vec::new();
        let mut parts = vec![condition];
        while let Some(at) = parts.pop() {
            let operands = [self.operand(at, 0), self.operand(at, 1)];
            match self.visit(at) {
                None => {
                    counts.push(None);
                    break;
                }
                Some(Opcode::Compare) => counts.push(self.rounds(at)),
                Some(Opcode::And) if operands[0].is_some() => {
                    parts.extend(operands.into_iter().flatten())
                }
                Some(_) => match self.original(at) {
                    Some(original) => parts.push(original),
                    None => counts.push(None),
                },
            }
        }
        counts
    }

    /// How often a comparison holds before it first fails, if known.
    fn rounds(&mut self, at: InstructionAt) -> Option<u64> {
        let (left, left_step) = self.side(at, 0)?;
        let (right, right_step) = self.side(at, 1)?;
        let lead = left - right;
        let step = left_step - right_step;
        // The comparison fails as soon as the steps together are at least the distance.
        let (distance, step) = match self.module.attribute(self.instruction(at), "direction")? {
            "LT" => (-lead, step),
            "LE" => (1 - lead, step),
            "GT" => (lead, -step),
            "GE" => (1 + lead, -step),
            "NE" if lead.checked_rem(step) == Some(0) => return u64::try_from(-lead / step).ok(),
            _ => return None,
        };
        match step {
            1.. => u64::try_from((distance.max(0) + step - 1) / step).ok(),
            _ => None,
        }
    }

    /// A side of a comparison in the first round, and what each round adds to it.
    fn side(&mut self, comparison: InstructionAt, number: u32) -> Option<(i128, i128)> {
        let side = self.scalar(self.operand(comparison, number)?)?;
        let mut first = i128::from(side.plus);
        let mut step = 0;
        if side.item.is_some() {
            let [init, next] = self.state.map(|state| {
                let item = self.operand(state, side.item?)?;
                let is_tuple = self.opcode(state) == Opcode::Tuple;
                self.scalar(item).filter(|_| is_tuple)
            });
            let init = init.filter(|init| init.item.is_none())?;
            let next = next.filter(|next| next.item == side.item)?;
            first += i128::from(init.plus);
            step += i128::from(next.plus);
        }
        Some((first, step))
    }

    /// The value of an instruction; `None` if it does not follow, or if the search would visit too
    /// many instructions.
    fn scalar(&mut self, wanted: InstructionAt) -> Option<Scalar> {
        let mut open = vec![wanted];
        while let Some(&at) = open.last() {
            let opcode = self.opcode(at);
            let needed = match opcode {
                Opcode::Add | Opcode::Subtract => [self.operand(at, 0), self.operand(at, 1)],
                _ => [self.original(at), None],
            };
            let mut all_needed = needed.into_iter().flatten();
            if let Some(unknown) = all_needed.find(|needed| !self.known.contains_key(needed)) {
                self.visit(unknown)?;
                open.push(unknown);
                continue;
            }
            let [a, b] = needed.map(|needed| *self.known.get(&needed?)?);
            let value = match opcode {
                Opcode::Add | Opcode::Subtract => {
                    let is_sum = opcode == Opcode::Add;
                    a.zip(b).and_then(|(a, b)| sum_or_difference(a, b, is_sum))
                }
                _ => a.or_else(|| self.constant_or_item(at)),
            };
            self.known.insert(at, value);
            open.pop();
        }
        *self.known.get(&wanted)?
    }

    /// A constant, or an item of the state, which is the parameter of the condition or of the body.
    fn constant_or_item(&self, at: InstructionAt) -> Option<Scalar> {
        let instruction = self.instruction(at);
        let (place, _) = at;
        let is_of_loop = place == CONDITION || place == BODY;
        let (item, plus) = match self.opcode(at) {
            Opcode::Constant => (None, self.module.value(instruction)?.parse().ok()?),
            Opcode::GetTupleElement
                if is_of_loop && self.opcode(self.operand(at, 0)?) == Opcode::Parameter =>
            {
                (Some(self.module.index(instruction)?), 0)
            }
            _ => return None,
        };
        Some(Scalar { item, plus })
    }

    /// The instruction whose value this one passes on: an operand, an item of a tuple, or what a
    /// fusion returns.
    fn original(&mut self, at: InstructionAt) -> Option<InstructionAt> {
        let module = self.module;
        let instruction = self.instruction(at);
        match module.opcode(instruction) {
            Opcode::Copy
            | Opcode::Bitcast
            | Opcode::Start(Opcode::Copy)
            | Opcode::Done(Opcode::Copy)
            | Opcode::Convert
            | Opcode::Reshape => self.operand(at, 0),
            Opcode::Parameter => {
                let (place, _) = at;
                let (_, fusion) = self.places[place];
                self.operand(fusion?, module.parameter(instruction)?)
            }
            Opcode::GetTupleElement => {
                let tuple = self.operand(at, 0)?;
                self.operand(tuple, module.index(instruction)?)
                    .filter(|_| self.opcode(tuple) == Opcode::Tuple)
            }
            Opcode::Fusion => {
                let body = &module.computations[module.called(instruction, "calls")? as usize];
                let place = *self.bodies.entry(at).or_insert(self.places.len());
                if place == self.places.len() {
                    self.places.push((body, Some(at)));
                }
                Some((place, body.root))
            }
            _ => None,
        }
    }

    /// The opcode of an instruction, counted as visited; `None` if no more may be visited.
    fn visit(&mut self, at: InstructionAt) -> Option<Opcode> {
        self.visits_left = self.visits_left.checked_sub(1)?;
        Some(self.opcode(at))
    }

    fn opcode(&self, at: InstructionAt) -> Opcode {
        self.module.opcode(self.instruction(at))
    }

    fn instruction(&self, (place, number): InstructionAt) -> &'a Instruction {
        let (computation, _) = self.places[place];
        &computation.instructions[number as usize]
    }

    fn operand(&self, at: InstructionAt, number: u32) -> Option<InstructionAt> {
        let (place, _) = at;
        let operands = self.module.operands(self.instruction(at));
        Some((place, *operands.get(number as usize)?))
    }
}
