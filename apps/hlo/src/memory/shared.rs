//! Results that take the memory of operands: updates in place.

use std::rc::Rc;

use hashbrown::HashMap;

use crate::graph::{Alias, Computation, Instruction, Module, of_operands};
use crate::opcode::Opcode;

/// For each fusion body: what it updates in place, as parameter numbers; `None` if its aliases
/// cannot be read.
pub(crate) struct Updates(Vec<Option<Rc<[Alias]>>>);

impl Updates {
    pub(crate) fn new(module: &Module) -> Self {
        let mut updates = Self(Vec::with_capacity(module.computations.len()));
        // Callees come before their callers, so the updates of a fusion inside a body are known.
        for body in &module.computations {
            let all = updates.of_body(module, body);
            updates.0.push(all.map(Rc::from));
        }
        updates
    }

    /// Returns what an instruction updates in place, by the rule of XLA's
    /// `HloDataflowAnalysis::GetInPlaceInputOutputPairs`.
    ///
    /// Returns `None` if its aliases cannot be read.
    pub(crate) fn of(&self, module: &Module, instruction: &Instruction) -> Option<Rc<[Alias]>> {
        let operands = module.operands(instruction).len();
        let by_opcode = match module.opcode(instruction) {
            Opcode::DynamicUpdateSlice | Opcode::SetDimensionSize => {
                Rc::from([first(Box::default(), 0)])
            }
            // The operands are `count` arrays, the indices, and an update for each array.
            Opcode::Scatter => each(operands.saturating_sub(1) / 2),
            // Several operands give a tuple.
            Opcode::Start(Opcode::AllReduce)
                if operands == 1 || module.shapes.items(instruction.shape).len() == operands =>
            {
                each(operands)
            }
            // Source, target and two offsets.
            Opcode::CollectivePermute if operands == 4 => Rc::from([first(Box::default(), 1)]),
            Opcode::Start(Opcode::CollectivePermute) if operands == 4 => {
                Rc::from([first([1].into(), 1)])
            }
            // The second operand is the target.
            Opcode::RaggedAllToAll => Rc::from([first(Box::default(), 1)]),
            Opcode::Fusion => match module.called(instruction, "calls") {
                Some(body) => self.0[body as usize].clone()?,
                None => Rc::default(),
            },
            _ => Rc::default(),
        };
        let Some(written) = module.attribute(instruction, "output_to_operand_aliasing") else {
            return Some(by_opcode);
        };
        let mut all = of_operands(written)?;
        let also: Vec<Alias> = by_opcode
            .iter()
            .filter(|alias| {
                let mut written = all.iter();
                !written.any(|written| written.result == alias.result)
            })
            .cloned()
            .collect();
        all.extend(also);
        Some(Rc::from(all))
    }

    /// A fusion updates a parameter in place if what gives an array of its result does. The way
    /// from the result to it, and from it to the parameter, is through tuples and bitcasts, and
    /// through inner fusions that update in place.
    fn of_body(&self, module: &Module, body: &Computation) -> Option<Vec<Alias>> {
        let sources = sources(module, body);
        let follow = |from: PlaceInResult| follow(module, body, &sources, from);
        // What the instruction that was met last updates, by the index of the result.
        let mut last: (u32, HashMap<Box<[u32]>, Alias>) = (u32::MAX, HashMap::new());
        let mut updated_by = |(number, index): &PlaceInResult| -> Option<Option<PlaceInResult>> {
            let instruction = &body.instructions[*number as usize];
            if last.0 != *number {
                let all = self.of(module, instruction)?;
                let by_result = all
                    .iter()
                    .map(|alias| (alias.result.clone(), alias.clone()));
                last = (*number, by_result.collect());
            }
            let alias = last.1.get(&index[..]);
            let operands = module.operands(instruction);
            Some(alias.and_then(|alias| {
                let operand = *operands.get(alias.parameter as usize)?;
                Some((operand, alias.index.to_vec()))
            }))
        };
        let mut all = Vec::new();
        for index in module.shapes.indices(body.root().shape) {
            let mut updated = updated_by(&follow((body.root, index.clone())))?;
            for _ in 0..MOST_FOLLOWED {
                let Some(from) = updated.take().map(follow) else {
                    break;
                };
                let instruction = &body.instructions[from.0 as usize];
                if module.opcode(instruction) == Opcode::Fusion {
                    updated = updated_by(&from)?;
                    continue;
                }
                // Each array takes the memory of one operand.
                all.extend(module.parameter(instruction).map(|parameter| Alias {
                    result: index.into(),
                    parameter,
                    index: from.1.into(),
                }));
                break;
            }
        }
        Some(all)
    }
}

/// The most tuples and their items that are followed from one array.
const MOST_FOLLOWED: usize = 4096;

/// An instruction by its number, and an index in its result.
type PlaceInResult = (u32, Vec<u32>);

/// Follows a part of a result through tuples, their items and bitcasts to what gives it.
fn follow(
    module: &Module,
    body: &Computation,
    sources: &[u32],
    (from, mut index): PlaceInResult,
) -> PlaceInResult {
    let mut number = sources[from as usize];
    for _ in 0..MOST_FOLLOWED {
        let instruction = &body.instructions[number as usize];
        let operands = module.operands(instruction);
        let operand = match module.opcode(instruction) {
            Opcode::Tuple if !index.is_empty() => operands.get(index.remove(0) as usize),
            Opcode::GetTupleElement => {
                index.splice(0..0, module.index(instruction));
                operands.first()
            }
            _ => None,
        };
        let Some(&operand) = operand else {
            break;
        };
        number = sources[operand as usize];
    }
    (number, index)
}

/// Each of `count` results has the memory of the operand of its number.
fn each(count: usize) -> Rc<[Alias]> {
    let place = |k: u32| (count > 1).then_some(k).into_iter().collect();
    (0..count as u32).map(|k| first(place(k), k)).collect()
}

fn first(result: Box<[u32]>, operand: u32) -> Alias {
    Alias {
        result,
        parameter: operand,
        index: Box::default(),
    }
}

/// For each instruction: the one of which it is a bitcast, through any number of bitcasts.
fn sources(module: &Module, body: &Computation) -> Vec<u32> {
    let mut sources: Vec<u32> = Vec::with_capacity(body.instructions.len());
    for (k, instruction) in (0..).zip(&body.instructions) {
        let operand = match module.opcode(instruction) {
            Opcode::Bitcast => module.operands(instruction).first(),
            _ => None,
        };
        sources.push(operand.map_or(k, |&operand| sources[operand as usize]));
    }
    sources
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn aliases_of_a_custom_call() {
        let all = of_operands("{{}: (0, {}), {1, 2}: (3, {0})}");
        let expected = [(vec![], 0, vec![]), (vec![1, 2], 3, vec![0])];
        let expected = expected.map(|(result, parameter, index)| Alias {
            result: result.into(),
            parameter,
            index: index.into(),
        });
        assert_eq!(all.as_deref(), Some(&expected[..]));
        assert_eq!(of_operands("{}"), Some(Vec::new()));
        for text in [
            "nothing",
            "{nonsense}",
            "{{}: (0, {}), {1}}",
            "{{}: (0, x)}",
            "{{}: (0, {-1})}",
        ] {
            assert_eq!(of_operands(text), None, "{text}");
        }
    }
}
