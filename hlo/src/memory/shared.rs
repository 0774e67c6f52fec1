//! Results that take the memory of operands: updates in place.

use std::rc::Rc;

use super::super::graph::{Alias, Computation, Instruction, Module, of_operands};

/// For each fusion body: what it updates in place, as parameter numbers; `None` if its aliases
/// cannot be read.
pub(super) struct Updates(Vec<Option<Rc<[Alias]>>>);

impl Updates {
    pub(super) fn new(module: &Module) -> Self {
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
    pub(super) fn of(&self, module: &Module, instruction: &Instruction) -> Option<Rc<[Alias]>> {
        if let Some(written) = module.attribute(instruction, "output_to_operand_aliasing") {
            return of_operands(written).map(Rc::from);
        }
        Some(match module.opcode(instruction) {
            "dynamic-update-slice" => Rc::from([first(Box::default(), 0)]),
            "scatter" => {
                // The operands are `count` arrays, the indices, and an update for each array.
                let count = module.operands(instruction).len().saturating_sub(1) / 2;
                let place = |k: u32| (count > 1).then_some(k).into_iter().collect();
                (0..count as u32).map(|k| first(place(k), k)).collect()
            }
            "fusion" => match module.called(instruction, "calls") {
                Some(body) => self.0[body as usize].clone()?,
                None => Rc::default(),
            },
            _ => Rc::default(),
        })
    }

    /// A fusion updates a parameter in place if its root does.
    fn of_body(&self, module: &Module, body: &Computation) -> Option<Vec<Alias>> {
        let root = body.root();
        let roots: Vec<(Box<[u32]>, u32)> = match module.opcode(root) {
            "tuple" => {
                let items = (0..).zip(module.operands(root));
                items.map(|(k, &item)| (Box::from([k]), item)).collect()
            }
            _ => vec![(Box::default(), body.root)],
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
            // Each array takes the memory of one operand.
            let number = arrays
                .filter_map(|inner| module.operands(root).get(inner.parameter as usize))
                .find_map(|&operand| module.parameter(source(operand)));
            all.extend(number.map(|number| first(place, number)));
        }
        Some(all)
    }
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
            "bitcast" => module.operands(instruction).first(),
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
