//! Results that take the memory of operands: updates in place.

use std::rc::Rc;

use super::super::graph::{Computation, Instruction, Module, tail};

/// A part of a result that takes the memory of a part of an operand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Shared {
    /// The place in the result; empty where it is not a tuple.
    pub(super) result: Vec<u32>,
    /// The number of the operand.
    pub(super) operand: usize,
    /// The place in the operand.
    pub(super) index: Vec<u32>,
}

/// What the body of each fusion updates in place: parameters, by their numbers. None if aliases in it cannot be read.
pub(super) struct Updates(Vec<Option<Rc<[Shared]>>>);

impl Updates {
    pub(super) fn new(module: &Module) -> Self {
        let mut updates = Self(Vec::with_capacity(module.computations.len()));
        // Callees come before their callers: what a fusion in a body updates is known.
        for body in &module.computations {
            let all = updates.of_body(module, body);
            updates.0.push(all.map(Rc::from));
        }
        updates
    }

    /// What an instruction updates in place. The rule is that of XLA's `HloDataflowAnalysis::GetInPlaceInputOutputPairs`.
    ///
    /// None if the aliases that are written cannot be read.
    pub(super) fn of(&self, module: &Module, instruction: &Instruction) -> Option<Rc<[Shared]>> {
        if let Some(written) = module.attribute(instruction, "output_to_operand_aliasing") {
            return read(written).map(Rc::from);
        }
        Some(match module.opcode(instruction) {
            "dynamic-update-slice" => Rc::from([first(Vec::new(), 0)]),
            "scatter" => {
                // The operands are `count` arrays, the indices, and an update for each array.
                let count = module.operands(instruction).len().saturating_sub(1) / 2;
                let place = |k: usize| {
                    if count > 1 {
                        vec![k as u32]
                    } else {
                        Vec::new()
                    }
                };
                (0..count).map(|k| first(place(k), k)).collect()
            }
            "fusion" => match module.called(instruction, "calls") {
                Some(body) => self.0[body as usize].clone()?,
                None => Rc::default(),
            },
            _ => Rc::default(),
        })
    }

    /// A fusion updates a parameter in place if its root does.
    fn of_body(&self, module: &Module, body: &Computation) -> Option<Vec<Shared>> {
        let root = body.root();
        let roots: Vec<(Vec<u32>, u32)> = match module.opcode(root) {
            "tuple" => {
                let items = (0..).zip(module.operands(root));
                items.map(|(k, &item)| (vec![k], item)).collect()
            }
            _ => vec![(Vec::new(), body.root)],
        };
        let sources = sources(module, body);
        let source = |of: u32| &body.instructions[sources[of as usize] as usize];
        let mut all = Vec::new();
        for (place, root) in roots {
            let root = source(root);
            let inner = self.of(module, root)?;
            let arrays = inner
                .iter()
                .filter(|inner| inner.result.is_empty() && inner.index.is_empty());
            // An array takes the memory of one operand.
            let number = arrays
                .filter_map(|inner| module.operands(root).get(inner.operand))
                .find_map(|&operand| module.parameter(source(operand)));
            all.extend(number.map(|number| first(place, number as usize)));
        }
        Some(all)
    }
}

fn first(result: Vec<u32>, operand: usize) -> Shared {
    Shared {
        result,
        operand,
        index: Vec::new(),
    }
}

/// For each instruction, the one that it is behind its bitcasts.
fn sources(module: &Module, body: &Computation) -> Vec<u32> {
    let mut sources: Vec<u32> = Vec::with_capacity(body.instructions.len());
    for (k, instruction) in (0..).zip(&body.instructions) {
        let operand = match module.opcode(instruction) {
            "bitcast" => module.operands(instruction).first(),
            _ => None,
        };
        sources.push(operand.map_or(k, |&operand| sources[operand as usize]));
    }
    sources
}

/// `{{0}: (1, {}), {1}: (2, {0})}`
fn read(text: &str) -> Option<Vec<Shared>> {
    let numbers = |list: &str| -> Option<Vec<u32>> {
        let numbers = tail::numbers(list)?.into_iter();
        numbers.map(|number| u32::try_from(number).ok()).collect()
    };
    let inner = text.trim().strip_prefix('{')?.strip_suffix('}')?;
    let one = |item: &str| {
        let (result, target) = item.split_once(':')?;
        let target = target.trim().strip_prefix('(')?.strip_suffix(')')?;
        let (operand, index) = target.split_once(',')?;
        Some(Shared {
            result: numbers(result)?,
            operand: operand.trim().parse().ok()?,
            index: numbers(index)?,
        })
    };
    tail::parts(inner).into_iter().map(one).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn aliases_of_a_custom_call() {
        let all = read("{{}: (0, {}), {1, 2}: (3, {0})}");
        let expected = [(vec![], 0, vec![]), (vec![1, 2], 3, vec![0])];
        let expected = expected.map(|(result, operand, index)| Shared {
            result,
            operand,
            index,
        });
        assert_eq!(all.as_deref(), Some(&expected[..]));
        assert_eq!(read("{}"), Some(Vec::new()));
        for text in [
            "nothing",
            "{nonsense}",
            "{{}: (0, {}), {1}}",
            "{{}: (0, x)}",
            "{{}: (0, {-1})}",
        ] {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
