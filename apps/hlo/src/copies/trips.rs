//! How often a loop runs.
//!
//! XLA writes `known_trip_count` into backend_config. Without it, the count follows from a
//! condition `item < constant`, a body that adds a constant to this item, and an initial value that
//! is a constant. For `item < constant & …` the count is an upper bound, unless the count of each
//! part follows.
//!
//! ```text
//! value of an instruction: open = [the instruction]
//! while an instruction is open, of the last one:
//!     if the value of another one is needed, and is not known: open that
//!         of a sum its operands; of a fusion the root of its body; of a parameter there the
//!             operand of the fusion
//!     else: note its value, and close it
//! ```
//!
//! A value is evaluated once for each place of a fusion; the stack of open values is on the heap.

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

/// The number of a place of a computation, and the number of an instruction in it.
type At = (usize, u32);

/// The largest number of instructions that the search visits: fusions of fusions may run any number
/// of them. A count that needs more is unknown.
const MOST_LOOKED_AT: u32 = 4096;

/// The numbers of the places of the loop's own computations; those of fusions follow.
const CONDITION: usize = 0;
const BODY: usize = 1;
const AROUND: usize = 2;

/// The state of the search in one loop, with the number of instructions that it may still visit.
struct Search<'a> {
    module: &'a Module,
    /// Each computation with the fusion whose body it is.
    places: Vec<(&'a Computation, Option<At>)>,
    /// The place of the body of each fusion.
    bodies: HashMap<At, usize>,
    known: HashMap<At, Option<Scalar>>,
    /// The initial state of the loop, and the state that its body returns.
    state: [At; 2],
    left: u32,
}

/// Returns how often the body of a `while` runs, if known, and whether this is an upper bound.
pub(super) fn count(
    module: &Module,
    around: &Computation,
    loop_instruction: &Instruction,
) -> Option<(u64, bool)> {
    if let Some(count) = module.attribute(loop_instruction, "known_trip_count") {
        return Some((count.parse().ok()?, false));
    }
    let [condition, body] = ["condition", "body"].map(|role| module.called(loop_instruction, role));
    let [condition, body] = [condition?, body?].map(|number| &module.computations[number as usize]);
    let mut search = Search {
        module,
        places: [condition, body, around]
            .map(|computation| (computation, None))
            .to_vec(),
        bodies: HashMap::new(),
        known: HashMap::new(),
        state: [
            (AROUND, *module.operands(loop_instruction).first()?),
            (BODY, body.root),
        ],
        left: MOST_LOOKED_AT,
    };
    let counts = search.counts((CONDITION, condition.root));
    let least = counts.iter().flatten().min()?;
    Some((*least, counts.contains(&None)))
}

/// The sum or the difference of two scalars.
fn sum(a: Scalar, b: Scalar, is_sum: bool) -> Option<Scalar> {
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

impl<'a> Search<'a> {
    /// Returns, for each comparison that must hold while the loop runs (also inside fusions), how
    /// often it holds; `None` for a comparison whose count is unknown and for any other part of the
    /// condition.
    fn counts(&mut self, condition: At) -> Vec<Option<u64>> {
        let mut counts = Vec::new();
        let mut parts = vec![condition];
        while let Some(at) = parts.pop() {
            let operands = [self.operand(at, 0), self.operand(at, 1)];
            match self.look(at) {
                None => {
                    counts.push(None);
                    break;
                }
                Some(Opcode::Compare) => counts.push(self.rounds(at)),
                Some(Opcode::And) if operands[0].is_some() => {
                    parts.extend(operands.into_iter().flatten())
                }
                Some(_) => match self.same(at) {
                    Some(named) => parts.push(named),
                    None => counts.push(None),
                },
            }
        }
        counts
    }

    /// How often a comparison holds before it first fails, if known.
    fn rounds(&mut self, at: At) -> Option<u64> {
        let left = self.side(at, 0)?;
        let right = self.side(at, 1)?;
        let more = left.0 - right.0;
        let step = left.1 - right.1;
        let (distance, step) = match self.module.attribute(self.instruction(at), "direction")? {
            "LT" => (-more, step),
            "LE" => (1 - more, step),
            "GT" => (more, -step),
            "GE" => (1 + more, -step),
            "NE" if more.checked_rem(step) == Some(0) => return u64::try_from(-more / step).ok(),
            _ => return None,
        };
        match step {
            1.. => u64::try_from((distance.max(0) + step - 1) / step).ok(),
            _ => None,
        }
    }

    /// A side of a comparison in the first round, and what each round adds to it.
    fn side(&mut self, comparison: At, number: u32) -> Option<(i128, i128)> {
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
    fn scalar(&mut self, wanted: At) -> Option<Scalar> {
        let mut open = vec![wanted];
        while let Some(&at) = open.last() {
            let opcode = self.opcode(at);
            let needed = match opcode {
                Opcode::Add | Opcode::Subtract => [self.operand(at, 0), self.operand(at, 1)],
                _ => [self.same(at), None],
            };
            let mut unknown = needed.into_iter().flatten();
            if let Some(unknown) = unknown.find(|needed| !self.known.contains_key(needed)) {
                self.look(unknown)?;
                open.push(unknown);
                continue;
            }
            let [a, b] = needed.map(|needed| *self.known.get(&needed?)?);
            let value = match opcode {
                Opcode::Add | Opcode::Subtract => {
                    a.zip(b).and_then(|(a, b)| sum(a, b, opcode == Opcode::Add))
                }
                _ => a.or_else(|| self.given(at)),
            };
            self.known.insert(at, value);
            open.pop();
        }
        *self.known.get(&wanted)?
    }

    /// A constant, or an item of the state.
    fn given(&self, at: At) -> Option<Scalar> {
        let instruction = self.instruction(at);
        let (item, plus) = match self.opcode(at) {
            Opcode::Constant => (None, self.module.value(instruction)?.parse().ok()?),
            Opcode::GetTupleElement
                if at.0 < AROUND && self.opcode(self.operand(at, 0)?) == Opcode::Parameter =>
            {
                (Some(self.module.index(instruction)?), 0)
            }
            _ => return None,
        };
        Some(Scalar { item, plus })
    }

    /// The value of which this instruction is another name.
    fn same(&mut self, at: At) -> Option<At> {
        let module = self.module;
        let instruction = self.instruction(at);
        match module.opcode(instruction) {
            Opcode::Copy
            | Opcode::Bitcast
            | Opcode::Start(Opcode::Copy)
            | Opcode::Done(Opcode::Copy)
            | Opcode::Convert
            | Opcode::Reshape => self.operand(at, 0),
            Opcode::Parameter => self.operand(self.places[at.0].1?, module.parameter(instruction)?),
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
    fn look(&mut self, at: At) -> Option<Opcode> {
        self.left = self.left.checked_sub(1)?;
        Some(self.opcode(at))
    }

    fn opcode(&self, at: At) -> Opcode {
        self.module.opcode(self.instruction(at))
    }

    fn instruction(&self, (place, number): At) -> &'a Instruction {
        &self.places[place].0.instructions[number as usize]
    }

    fn operand(&self, at: At, number: u32) -> Option<At> {
        let operands = self.module.operands(self.instruction(at));
        Some((at.0, *operands.get(number as usize)?))
    }
}
