//! Results that may take the memory of an operand whose last use they are.
//!
//! In XLA's heap simulator a result may share the memory of an operand whose last use is this
//! instruction. The rule is that of `HloDataflowAnalysis::CanShareOperandBufferWithUser`. The
//! shapes must be equal. Each element of the result depends only on the operand's element at the
//! same index, or the operation works in place (sort, triangular-solve). Memory space assignment
//! does not share memory.

use std::collections::BTreeSet;

use hashbrown::HashMap;

use crate::graph::{Computation, Instruction, Module};
use crate::opcode::Opcode;

/// The largest number of instructions of a fusion that is examined: each parameter is followed
/// through the body.
const MOST_INSTRUCTIONS: usize = 4096;

/// An operand, and the array of the result that may take its memory; `None` if any of them may.
type Reuse = (usize, Option<usize>);

/// For each examined fusion body: the parameters whose memory the result may take. Cached, since
/// calls may run one fusion many times.
#[derive(Default)]
pub(super) struct Passing(HashMap<u32, Vec<usize>>);

impl Passing {
    /// Returns the operands whose memory the result may take.
    pub(super) fn of(&mut self, module: &Module, instruction: &Instruction) -> Vec<Reuse> {
        let operands = 0..module.operands(instruction).len();
        match module.opcode(instruction) {
            Opcode::Fusion => {
                let Some(body) = module.called(instruction, "calls") else {
                    return Vec::new();
                };
                let known = self.0.entry(body);
                let passing =
                    known.or_insert_with(|| passing(module, &module.computations[body as usize]));
                passing
                    .iter()
                    .filter(|&k| operands.contains(k))
                    .map(|&k| (k, None))
                    .collect()
            }
            Opcode::Sort => operands.map(|k| (k, Some(k))).collect(),
            Opcode::TriangularSolve => vec![(1, None)],
            opcode if opcode.is_elementwise() => operands.map(|k| (k, None)).collect(),
            _ => Vec::new(),
        }
    }
}

/// Returns the parameters of a fusion that only elementwise operations use on the way to its
/// result, in ascending order.
fn passing(module: &Module, body: &Computation) -> Vec<usize> {
    if body.instructions.len() > MOST_INSTRUCTIONS {
        return Vec::new();
    }
    let parameters: BTreeSet<u32> = body
        .instructions
        .iter()
        .filter_map(|instruction| module.parameter(instruction))
        .collect();
    parameters
        .into_iter()
        .map(|k| k as usize)
        .filter(|&k| passes(module, body, k))
        .collect()
}

/// Whether only elementwise operations use this parameter of a fusion on the way to its result.
fn passes(module: &Module, body: &Computation, parameter: usize) -> bool {
    let mut depends = vec![false; body.instructions.len()];
    for (k, instruction) in body.instructions.iter().enumerate() {
        if module.parameter(instruction) == Some(parameter as u32) {
            depends[k] = true;
            continue;
        }
        if module
            .operands(instruction)
            .iter()
            .any(|&operand| depends[operand as usize])
        {
            depends[k] = true;
            let opcode = module.opcode(instruction);
            if !(opcode.is_elementwise() || opcode == Opcode::Tuple) {
                return false;
            }
        }
    }
    depends.get(body.root as usize) == Some(&true)
}
