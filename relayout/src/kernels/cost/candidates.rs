//! The choices that are worth a measurement.

use super::{Along, Choice, FEW, Shape, Strategy, Walk, estimate, fits, tile};
use crate::kernels::task::{Kernel, Task};
use crate::machine::Machine;

/// All choices that may be the fastest for a nest; the estimated one is the first.
pub(crate) fn candidates(
    task: &Task,
    aligned: bool,
    total: usize,
    machine: Machine,
) -> std::vec::Vec<Choice> {
    let estimate = estimate(task, aligned, total, machine);
    let width = task.width;
    let mut strategies = std::vec![estimate.strategy];
    if task.kernel == Kernel::Panel {
        strategies.extend(tiles(width).map(Strategy::Lines));
        strategies.extend(
            [(4, 4), (4, 16), (2, 4), (1, 16)].map(|(down, across)| {
                Strategy::Finish(tile(width, down, across, true, Walk::Down))
            }),
        );
        strategies.extend([Along::Rows, Along::Columns].map(Strategy::Blocks));
        strategies.push(Strategy::Pack);
        // Arrays of a few elements only: larger ones take a hundred times as long.
        if task.bytes() <= 8 * FEW {
            strategies.push(Strategy::Elements);
        }
    }
    let mut choices = std::vec![estimate];
    for strategy in strategies {
        for past in [true, false] {
            let choice = Choice { strategy, past };
            if !choices.contains(&choice) && fits(choice, task, aligned) {
                choices.push(choice);
            }
        }
    }
    choices
}

/// The tiles that are worth a measurement. Each was the fastest for some case on Zen 4 or Zen 5.
fn tiles(width: usize) -> [Shape; 15] {
    [
        tile(width, 8, 1, true, Walk::Rows),
        tile(width, 4, 4, true, Walk::Columns),
        tile(width, 2, 4, true, Walk::Columns),
        tile(width, 8, 1, false, Walk::Columns),
        tile(width, 16, 4, false, Walk::Columns),
        tile(width, 2, 4, true, Walk::Right),
        tile(width, 4, 2, true, Walk::Right),
        tile(width, 8, 2, true, Walk::Right),
        tile(width, 8, 4, true, Walk::Right),
        tile(width, 16, 2, true, Walk::Right),
        tile(width, 4, 8, true, Walk::Right),
        tile(width, 4, 8, true, Walk::Down),
        tile(width, 2, 4, true, Walk::Down),
        tile(width, 2, 4, false, Walk::Down),
        tile(width, 1, 4, false, Walk::Down),
    ]
}
