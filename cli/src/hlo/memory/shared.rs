//! Results that take the memory of operands: updates in place.

use super::super::graph::{Computation, Instruction, Module, tail};

/// A part of a result that takes the memory of a part of an operand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Shared {
    /// The place in the result; empty where it is no tuple.
    pub(super) result: Vec<u32>,
    /// The number of the operand.
    pub(super) operand: usize,
    /// The place in the operand.
    pub(super) index: Vec<u32>,
}

/// Fusions that begin with a fusion may be nested so deeply.
const MOST_NESTED: usize = 16;

/// What an instruction updates in place. The rule is that of XLA's `HloDataflowAnalysis::GetInPlaceInputOutputPairs`.
///
/// None if the aliases that are written cannot be read.
pub(super) fn of(module: &Module, instruction: &Instruction) -> Option<Vec<Shared>> {
    nested(module, instruction, MOST_NESTED)
}

fn nested(module: &Module, instruction: &Instruction, depth: usize) -> Option<Vec<Shared>> {
    if let Some(written) = module.attribute(instruction, "output_to_operand_aliasing") {
        return read(written);
    }
    Some(match module.opcode(instruction) {
        "dynamic-update-slice" => vec![first(Vec::new(), 0)],
        "scatter" => {
            // The operands are so many arrays, the indices, and an update for each array.
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
        "fusion" if depth > 0 => fusion(module, instruction, depth)?,
        _ => Vec::new(),
    })
}

fn first(result: Vec<u32>, operand: usize) -> Shared {
    Shared {
        result,
        operand,
        index: Vec::new(),
    }
}

/// A fusion updates a parameter in place if its root does.
fn fusion(module: &Module, fusion: &Instruction, depth: usize) -> Option<Vec<Shared>> {
    let body = module
        .called(fusion, "calls")
        .and_then(|number| module.computations.get(number as usize));
    let Some((body, root)) = body.and_then(|body| Some((body, body.root()?))) else {
        return Some(Vec::new());
    };
    let roots: Vec<(Vec<u32>, &Instruction)> = match module.opcode(root) {
        "tuple" => {
            let items = module.operands(root).iter().enumerate();
            items
                .map(|(k, &item)| (vec![k as u32], &body.instructions[item as usize]))
                .collect()
        }
        _ => vec![(Vec::new(), root)],
    };
    let mut all = Vec::new();
    for (place, root) in roots {
        let root = behind_bitcasts(module, body, root);
        for inner in nested(module, root, depth - 1)? {
            let operand = module.operands(root).get(inner.operand);
            let array = inner.result.is_empty() && inner.index.is_empty();
            let Some(&operand) = operand.filter(|_| array) else {
                continue;
            };
            let updated = behind_bitcasts(module, body, &body.instructions[operand as usize]);
            if let Some(number) = module.parameter(updated) {
                all.push(first(place.clone(), number as usize));
            }
        }
    }
    Some(all)
}

fn behind_bitcasts<'a>(
    module: &Module,
    body: &'a Computation,
    mut instruction: &'a Instruction,
) -> &'a Instruction {
    // Operands come before their users, so this ends.
    while module.opcode(instruction) == "bitcast" {
        match module.operands(instruction).first() {
            Some(&operand) => instruction = &body.instructions[operand as usize],
            None => break,
        }
    }
    instruction
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
