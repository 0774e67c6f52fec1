//! The choices that are worth a run, the likely ones first.

use super::{Along, Choice, FEW, Strategy, Walk, estimate, fits, tile};
use crate::kernels::task::{Kernel, Task};
use crate::machine::Machine;

/// All choices that may be the fastest for a nest. The first one is estimated, and the others are in a fixed sequence.
pub(crate) fn candidates(
    task: &Task,
    aligned: bool,
    total: usize,
    machine: Machine,
) -> std::vec::Vec<Choice> {
    let estimate = estimate(task, aligned, total, machine);
    let mut choices = std::vec![estimate];
    let mut add = |strategy, past| {
        let choice = Choice { strategy, past };
        if !choices.contains(&choice) && fits(choice, task, aligned) {
            choices.push(choice);
        }
    };
    if task.kernel == Kernel::Panel {
        for (strategy, past) in panels(task.width) {
            add(strategy, past);
        }
        // Arrays of a few elements only: larger ones take a hundred times as long.
        if task.bytes() <= 8 * FEW {
            add(Strategy::Elements, false);
        }
    }
    add(estimate.strategy, !estimate.past);
    choices
}

/// For panels: with the first 8 that fit and an estimate, the best of 33 was met within 1% (geometric mean of 212
/// copies on Zen 4, half of them to destinations that begin between two lines).
fn panels(width: usize) -> [(Strategy, bool); 25] {
    const DIRECT: bool = true;
    const STAGED: bool = false;
    const PAST: bool = true;
    const STORED: bool = false;
    let lines =
        |down, across, direct, walk| Strategy::Lines(tile(width, down, across, direct, walk));
    let finish = |down, across| Strategy::Finish(tile(width, down, across, true, Walk::Down));
    [
        (lines(4, 8, DIRECT, Walk::Right), PAST),
        (lines(16, 2, DIRECT, Walk::Right), STORED),
        (Strategy::Pack, PAST),
        (Strategy::Blocks(Along::Rows), PAST),
        (lines(2, 4, STAGED, Walk::Down), STORED),
        (Strategy::Blocks(Along::Columns), STORED),
        (lines(1, 4, STAGED, Walk::Down), PAST),
        (lines(8, 2, DIRECT, Walk::Right), PAST),
        (Strategy::Pack, STORED),
        (finish(4, 16), PAST),
        (finish(2, 4), PAST),
        (lines(8, 4, DIRECT, Walk::Right), STORED),
        (lines(4, 2, DIRECT, Walk::Right), PAST),
        (lines(1, 4, STAGED, Walk::Down), STORED),
        (Strategy::Blocks(Along::Columns), PAST),
        (Strategy::Blocks(Along::Rows), STORED),
        (lines(8, 2, DIRECT, Walk::Right), STORED),
        (lines(2, 4, DIRECT, Walk::Right), PAST),
        (lines(8, 4, DIRECT, Walk::Right), PAST),
        (finish(4, 4), PAST),
        (lines(2, 4, DIRECT, Walk::Down), PAST),
        (lines(2, 4, DIRECT, Walk::Down), STORED),
        (lines(16, 4, STAGED, Walk::Down), STORED),
        (finish(1, 16), PAST),
        (lines(4, 4, DIRECT, Walk::Down), STORED),
    ]
}
