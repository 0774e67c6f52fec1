//! Counts for each computation, made before the module is followed.
//!
//! Callees come before their callers, so one pass suffices.

use std::collections::HashSet;

use crate::graph::{Instruction, Module};
use crate::opcode::Opcode;

#[derive(Clone, Copy, Default)]
pub(super) struct Body {
    /// The number of steps, calls included.
    pub(super) steps: u64,
    /// The number of parameters.
    pub(super) parameters: usize,
    /// An instruction that repeats the number of an earlier parameter.
    pub(super) second: Option<u32>,
}

/// Returns the counts in the order of the computations.
pub(super) fn of(module: &Module) -> Vec<Body> {
    let mut bodies: Vec<Body> = Vec::with_capacity(module.computations.len());
    let mut numbers = HashSet::new();
    for computation in &module.computations {
        let mut body = Body::default();
        numbers.clear();
        for (k, instruction) in (0..).zip(&computation.instructions) {
            let steps = runs(module, instruction).map(|callee| bodies[callee as usize].steps);
            body.steps = steps.fold(body.steps.saturating_add(1), u64::saturating_add);
            body.parameters += usize::from(module.is_parameter(instruction));
            let number = module.parameter(instruction);
            if number.is_some_and(|number| !numbers.insert(number)) {
                body.second = body.second.or(Some(k));
            }
        }
        bodies.push(body);
    }
    bodies
}

/// Returns the computations that run at the step of an instruction. A fusion is one step.
fn runs(module: &Module, instruction: &Instruction) -> impl Iterator<Item = u32> {
    let (roles, branches): (&[&str], usize) = match module.opcode(instruction) {
        Opcode::Call => (&["to_apply"], 0),
        Opcode::While => (&["condition", "body"], 0),
        // The first operand chooses the branch; each branch has one further operand.
        Opcode::Conditional => (&[], module.operands(instruction).len().saturating_sub(1)),
        _ => (&[], 0),
    };
    let called = roles
        .iter()
        .filter_map(move |role| module.called(instruction, role));
    called.chain(
        module
            .all_called(instruction)
            .take(branches)
            .map(|(_, branch)| branch),
    )
}

#[cfg(test)]
mod tests {
    use super::super::super::super::graph::tests::graphs;
    use super::super::walk;
    use super::*;

    /// As many steps are counted as are followed.
    #[test]
    fn steps_are_counted_before_they_are_followed() {
        let text = "HloModule m, is_scheduled=true

%one {
  ROOT %x = u8[2]{0} parameter(0)
}

%yes {
  %x = u8[2]{0} parameter(0)
  ROOT %p = pred[] constant(true)
}

%two {
  %x = u8[2]{0} parameter(0)
  %y = u8[2]{0} while(%x), condition=%yes, body=%one
  ROOT %z = u8[2]{0} fusion(%y), kind=kLoop, calls=%one
}

ENTRY %e {
  %x = u8[2]{0} parameter(0)
  %i = s32[] parameter(1)
  %c = u8[2]{0} call(%x), to_apply=%two
  ROOT %r = u8[2]{0} conditional(%i, %c, %x), branch_computations={%two, %one}
}
";
        let (modules, tally, told) = graphs(text);
        assert_eq!(told, [""; 0]);
        let bodies = of(&modules[0]);
        let steps: Vec<u64> = bodies.iter().map(|body| body.steps).collect();
        assert_eq!(steps, [1, 2, 6, 17]);
        let walk = walk(&modules[0], &tally).unwrap();
        assert_eq!(walk.steps.len(), 17);
        let parameters: Vec<usize> = bodies.iter().map(|body| body.parameters).collect();
        assert_eq!(parameters, [1, 1, 1, 2]);
    }
}
