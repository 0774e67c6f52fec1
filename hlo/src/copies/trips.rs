//! How often a loop runs.
//!
//! XLA writes `known_trip_count` into backend_config. Where it is not, the count follows from a condition
//! `item < constant`, a body that adds a constant to this item, and an initial value that is a constant. Of
//! `item < constant & …` it is the most, unless the count of each part follows.
//!
//! ```text
//! value of an instruction: open = [its computation, with the instruction as what is asked for]
//! while a computation is open:
//!     if nothing is asked for in it: close it; its value is that of the fusion whose body it is
//!     else, of what was asked for last:
//!         if the value of an operand is not known: ask for the operand
//!         if it is a fusion: open its body, with the values of the operands
//!         else note its value
//! ```
//!
//! A value is noted once in each open computation, and the list of open computations is in the heap.

use hashbrown::HashMap;

use super::super::graph::{Computation, Instruction, Module};

/// A scalar in the computation of a loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Scalar {
    Constant(i64),
    /// An item of the loop state, and what is added to it.
    Item(u32, i64),
}

/// Its direction, and what it compares.
type Comparison<'a> = (&'a str, Scalar, Scalar);

/// So many instructions are looked at to find a count: fusions of fusions may run any number of them. A count that needs more
/// is not known.
const MOST_LOOKED_AT: u32 = 4096;

/// The values of the operands of a fusion; none in a computation of a loop or around it.
type Arguments = Option<Vec<Option<Scalar>>>;

/// A computation in which values are asked for.
struct Scalars<'a> {
    computation: &'a Computation,
    arguments: Arguments,
    known: HashMap<u32, Option<Scalar>>,
    /// The instructions whose values are asked for. Each but the first is needed by the one before it.
    asked: Vec<u32>,
}

/// What is needed before a value is known.
enum Missing<'a> {
    /// The value of another instruction of the computation.
    Operand(u32),
    /// The value of the root of the body of a fusion.
    Body(Scalars<'a>),
}

/// What a loop needs, and how many instructions may still be looked at.
struct Search<'a> {
    module: &'a Module,
    left: u32,
}

/// How often the body of a `while` runs, if it is known, and whether this is the most.
pub(super) fn count<'a>(
    module: &'a Module,
    around: &'a Computation,
    of: &Instruction,
) -> Option<(u64, bool)> {
    if let Some(count) = module.attribute(of, "known_trip_count") {
        return Some((count.parse().ok()?, false));
    }
    let [condition, body] = ["condition", "body"].map(|role| module.called(of, role));
    let condition = &module.computations[condition? as usize];
    let body = &module.computations[body? as usize];
    let state = &around.instructions[*module.operands(of).first()? as usize];
    let mut search = Search {
        module,
        left: MOST_LOOKED_AT,
    };
    let comparisons = search.comparisons(condition);
    let counts = comparisons
        .iter()
        .map(|comparison| rounds(&mut search, around, state, body, (*comparison)?));
    let counts: Vec<_> = counts.collect();
    let least = counts.iter().flatten().min()?;
    Some((*least, counts.contains(&None)))
}

/// How often a comparison is true before it is false, if that is known.
fn rounds<'a>(
    search: &mut Search<'a>,
    around: &'a Computation,
    state: &'a Instruction,
    body: &'a Computation,
    (direction, left, right): Comparison<'a>,
) -> Option<u64> {
    let module = search.module;
    let item_of = |search: &mut Search<'a>, around, tuple, item: u32| {
        if module.opcode(tuple) != "tuple" {
            return None;
        }
        let value = *module.operands(tuple).get(item as usize)?;
        search.scalar(Scalars::new(around, None, value))
    };
    let initial = |search: &mut Search<'a>, item| match item_of(search, around, state, item)? {
        Scalar::Constant(value) => Some(value),
        Scalar::Item(..) => None,
    };
    let step = |search: &mut Search<'a>, item| match item_of(search, body, body.root(), item)? {
        Scalar::Item(same, step) if same == item => Some(step),
        _ => None,
    };
    // An item that the body does not change is a constant.
    let mut fixed = |value: Scalar| match value {
        Scalar::Item(item, more) if step(search, item) == Some(0) => {
            let initial = initial(search, item)?;
            Some(Scalar::Constant(initial.checked_add(more)?))
        }
        other => Some(other),
    };
    let (item, more, limit, direction) = match (fixed(left)?, fixed(right)?) {
        (Scalar::Item(item, more), Scalar::Constant(limit)) => (item, more, limit, direction),
        (Scalar::Constant(limit), Scalar::Item(item, more)) => {
            let turned = match direction {
                "LT" => "GT",
                "LE" => "GE",
                "GT" => "LT",
                "GE" => "LE",
                other => other,
            };
            (item, more, limit, turned)
        }
        _ => return None,
    };
    let begin = i128::from(initial(search, item)?) + i128::from(more);
    let (limit, step) = (i128::from(limit), i128::from(step(search, item)?));
    let (distance, step) = match direction {
        "LT" => (limit - begin, step),
        "LE" => (limit - begin + 1, step),
        "GT" => (begin - limit, -step),
        "GE" => (begin - limit + 1, -step),
        "NE" if step != 0 && (limit - begin) % step == 0 => match step > 0 {
            true => (limit - begin, step),
            false => (begin - limit, -step),
        },
        _ => return None,
    };
    match step {
        1.. => u64::try_from((distance.max(0) + step - 1) / step).ok(),
        _ => None,
    }
}

impl<'a> Scalars<'a> {
    fn new(computation: &'a Computation, arguments: Arguments, asked: u32) -> Self {
        Self {
            computation,
            arguments,
            known: HashMap::new(),
            asked: vec![asked],
        }
    }

    /// Notes the value that was asked for last.
    fn answer(&mut self, value: Option<Scalar>) {
        if let Some(number) = self.asked.pop() {
            self.known.insert(number, value);
        }
    }
}

impl<'a> Search<'a> {
    /// Takes an instruction away from those that may be looked at.
    fn look(&mut self) -> Option<()> {
        self.left = self.left.checked_sub(1)?;
        Some(())
    }

    /// The comparisons that are all true while a loop runs, also those inside of fusions. `None` for each part of the
    /// condition that is something else.
    fn comparisons(&mut self, condition: &'a Computation) -> Vec<Option<Comparison<'a>>> {
        let mut found = Vec::new();
        let mut parts = vec![(condition, None, condition.root)];
        while let Some((computation, arguments, at)) = parts.pop() {
            if self.look().is_none() {
                found.push(None);
                break;
            }
            let instruction = &computation.instructions[at as usize];
            let (module, operands) = (self.module, self.module.operands(instruction));
            let mut value =
                |operand| self.scalar(Scalars::new(computation, arguments.clone(), operand));
            match (module.opcode(instruction), operands) {
                ("compare", &[left, right]) => {
                    let direction = module.attribute(instruction, "direction");
                    let sides = value(left).zip(value(right));
                    let sides = direction.zip(sides);
                    found.push(sides.map(|(direction, (left, right))| (direction, left, right)));
                }
                ("fusion", _) => {
                    let values = operands.iter().map(|&operand| value(operand)).collect();
                    match module.called(instruction, "calls") {
                        Some(body) => {
                            let body = &module.computations[body as usize];
                            parts.push((body, Some(values), body.root));
                        }
                        None => found.push(None),
                    }
                }
                ("and" | "copy" | "bitcast", [_, ..]) => {
                    let operands = operands.iter();
                    parts
                        .extend(operands.map(|&operand| (computation, arguments.clone(), operand)));
                }
                _ => found.push(None),
            }
        }
        found
    }

    /// The value that is asked for; none if it does not follow, or if too much is to be looked at.
    fn scalar(&mut self, of: Scalars<'a>) -> Option<Scalar> {
        let mut open = vec![of];
        let mut value = None;
        while let Some(last) = open.last_mut() {
            let Some(&number) = last.asked.last() else {
                open.pop();
                if let Some(caller) = open.last_mut() {
                    caller.answer(value);
                }
                continue;
            };
            self.look()?;
            match self.value(last, number) {
                Ok(known) => {
                    value = known;
                    last.answer(known);
                }
                Err(Missing::Operand(operand)) => last.asked.push(operand),
                Err(Missing::Body(body)) => open.push(body),
            }
        }
        value
    }

    /// The value of an instruction, or what is needed for it.
    fn value(&self, of: &Scalars<'a>, number: u32) -> Result<Option<Scalar>, Missing<'a>> {
        let module = self.module;
        let instruction = &of.computation.instructions[number as usize];
        let operands = module.operands(instruction);
        let known = |operand: Option<&u32>| match operand {
            Some(operand) => of
                .known
                .get(operand)
                .copied()
                .ok_or(Missing::Operand(*operand)),
            None => Ok(None),
        };
        let operand = |k: usize| known(operands.get(k));
        Ok(match module.opcode(instruction) {
            "constant" => {
                let value = module.value(instruction).map(str::parse);
                value.and_then(Result::ok).map(Scalar::Constant)
            }
            "parameter" => {
                let number = module.parameter(instruction).zip(of.arguments.as_ref());
                number.and_then(|(number, arguments)| *arguments.get(number as usize)?)
            }
            "get-tuple-element" => {
                let (Some(index), Some(&from)) = (module.index(instruction), operands.first())
                else {
                    return Ok(None);
                };
                let from = &of.computation.instructions[from as usize];
                match module.opcode(from) {
                    "parameter" if of.arguments.is_none() => Some(Scalar::Item(index, 0)),
                    "tuple" => known(module.operands(from).get(index as usize))?,
                    _ => None,
                }
            }
            "copy" | "bitcast" | "copy-start" | "copy-done" | "convert" | "reshape" => operand(0)?,
            opcode @ ("add" | "subtract") => {
                let (a, b) = match (operand(0)?, operand(1)?) {
                    (a @ Some(Scalar::Constant(_)), b) if opcode == "add" => (b, a),
                    sides => sides,
                };
                let checked = match opcode {
                    "add" => i64::checked_add,
                    _ => i64::checked_sub,
                };
                match (a, b) {
                    (Some(Scalar::Item(item, a)), Some(Scalar::Constant(b))) => {
                        checked(a, b).map(|more| Scalar::Item(item, more))
                    }
                    (Some(Scalar::Constant(a)), Some(Scalar::Constant(b))) => {
                        checked(a, b).map(Scalar::Constant)
                    }
                    _ => None,
                }
            }
            "fusion" => {
                let arguments = operands.iter().map(|operand| known(Some(operand)));
                let arguments = arguments.collect::<Result<Vec<_>, _>>()?;
                let Some(body) = module.called(instruction, "calls") else {
                    return Ok(None);
                };
                let body = &module.computations[body as usize];
                let body = Scalars::new(body, Some(arguments), body.root);
                return Err(Missing::Body(body));
            }
            _ => None,
        })
    }
}
