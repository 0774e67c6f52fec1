//! Estimates which strategy copies a panel, in which shape, and whether the destination is written
//! past the cache. Plans begin with the estimate and learn from their runs which strategy is the
//! fastest (`learn`). So the rules are few, and follow from the sizes of the caches, of a line and
//! of a page. On a Zen 4 the estimated copies took 1.2 times as long as those that were learned
//! (geometric mean of 212 copies); on a Xeon with 260 MiB of last cache 1.16 times (120 copies of
//! the race's random suite), and 1.36 times when they trusted a quarter of that cache.
//!
//! ```text
//! the copy is smaller than the second cache:
//!     blocks as they come; packed where there is no block, and element by element where there are
//!     few of them
//! columns shorter than a line:    packed, past the cache
//! columns begin at lines:         tiles of lines, past the cache
//! the copy stays in the last cache:   tiles of lines, through the cache
//! otherwise:                      lines that are put together, past the cache
//! ```

use crate::kernels::task::{Kernel, Task};
use crate::machine::{LINE, Machine};

/// How a panel is copied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Strategy {
    /// Element by element.
    Elements,
    /// Blocks transposed in registers, stored where they belong: `kernels::blocks`.
    Blocks(Along),
    /// Rows packed into a buffer, transposed from there: `kernels::panel`.
    Pack,
    /// Lines of the destination straight from registers: `kernels::lines`. If columns do not begin
    /// at lines, `kernels::finish` puts each line together from two blocks before it is written
    /// past the cache.
    Lines(Shape),
}

/// The sequence of the blocks of a plane, or of its tiles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Along {
    /// Along the rows of the source.
    Rows,
    /// Along the columns, that is, the rows of the destination.
    Columns,
}

/// A tile of a panel. Tiles are copied one after the other. While a block is copied, the same block
/// of the next tile is prefetched into the second cache. The next tile is the one to the right, so
/// that the source is read in long runs. The blocks of a tile are visited along its columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Shape {
    /// The lines of each column that a tile writes, and the lines of each row that it reads.
    pub(crate) down: u16,
    pub(crate) across: u16,
    /// Whether blocks are read directly from the source, without the stage.
    pub(crate) direct: bool,
}

impl Shape {
    /// Returns the rows and the columns of a tile of elements of `width` bytes. A column has at
    /// most `most_down` lines.
    #[inline(always)]
    pub(crate) fn elements(&self, width: usize, most_down: usize) -> (usize, usize) {
        let side = LINE / width;
        let down = usize::from(self.down).min(most_down).min(MOST_ROWS / side);
        let across = usize::from(self.across).min(MOST_COLUMNS / side);
        (down * side, across * side)
    }
}

/// The most rows and columns of a tile: tables on the stack hold their offsets.
pub(crate) const MOST_ROWS: usize = 1024;
pub(crate) const MOST_COLUMNS: usize = 256;

/// The choices for one nest of loops.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Choice {
    /// The strategy, for panels.
    pub(crate) strategy: Strategy,
    /// Whether the destination is written past the cache.
    pub(crate) past: bool,
}

impl Choice {
    /// Element by element, through the cache.
    pub(crate) const ELEMENTS: Self = Self {
        strategy: Strategy::Elements,
        past: false,
    };
}

/// The most bytes of a panel without blocks that is copied element by element: setting up the
/// buffers of `Pack` takes longer. It clears a kilobyte or two, which takes as long as this many
/// bytes.
const FEW: usize = 2048;

/// Smaller planes are written column by column: they stay in the first cache in any sequence, and
/// successive stores go to the same line. Larger planes are read row by row, since each row of
/// blocks then reads its lines once.
const FEW_LINES: usize = 4096;

/// Whether a strategy can copy a nest: what its kernel requires.
pub(crate) fn fits(choice: Choice, task: &Task, aligned: bool) -> bool {
    let is_long = task.row_count * task.width >= LINE;
    match choice.strategy {
        _ if task.kernel != Kernel::Panel => true,
        Strategy::Elements => task.cell.is_none() && !choice.past,
        Strategy::Blocks(_) => task.holds_block() && !choice.past,
        Strategy::Pack => aligned || !choice.past || !is_long,
        Strategy::Lines(_) => task.width < 32 && (aligned || !choice.past || is_long),
    }
}

/// Returns the choice that is expected to be the fastest.
pub(crate) fn estimate(task: &Task, aligned: bool, total: usize, machine: Machine) -> Choice {
    let stored = |strategy| Choice {
        strategy,
        past: false,
    };
    let past = |strategy| Choice {
        strategy,
        past: true,
    };
    // Both sides stay in the last cache together with other data. One of more than 64 times the
    // second cache is that of many processors, and what others run is in it, too.
    let is_shared = machine.last_cache / 64 > machine.second_cache;
    let own_share = if is_shared {
        2 * machine.second_cache
    } else {
        machine.last_cache / 4
    };
    let stays = total <= own_share;
    if task.kernel != Kernel::Panel {
        let through = total < machine.second_cache || stays;
        return if through { stored } else { past }(Strategy::Pack);
    }
    // Data larger than the second cache comes from memory or from a shared cache. Then it is
    // cheaper not to fetch the lines of the destination.
    if total < machine.second_cache {
        let bytes = task.row_count * task.column_count * task.width;
        return stored(if task.holds_block() {
            Strategy::Blocks(if bytes < FEW_LINES {
                Along::Columns
            } else {
                Along::Rows
            })
        } else if task.cell.is_none() && task.bytes() <= FEW {
            Strategy::Elements
        } else {
            Strategy::Pack
        });
    }
    let width = task.width;
    let is_long = task.row_count * task.width >= LINE;
    if width >= 32 || !is_long {
        return if is_long && !aligned { stored } else { past }(Strategy::Pack);
    }
    // A block of narrow elements reads lines of many rows. If these collide in the first cache, the
    // stage reads each line in one piece. Stores through the caches read fewer rows at once.
    match (aligned, stays) {
        (true, false) if width <= 2 => past(lines(8, 4, false)),
        (true, _) => past(lines(8, 2, true)),
        (false, true) if width == 1 && task.holds_block() => stored(Strategy::Blocks(Along::Rows)),
        (false, true) => stored(lines(16, 2, true)),
        (false, false) if width <= 2 => past(lines(2, 2, true)),
        (false, false) => past(lines(4, 2, true)),
    }
}

const fn lines(down: u16, across: u16, direct: bool) -> Strategy {
    Strategy::Lines(Shape {
        down,
        across,
        direct,
    })
}

/// Returns all choices that may be the fastest for a nest: first the estimate, then the others in a
/// fixed sequence.
#[cfg(feature = "std")]
pub(crate) fn candidates(
    task: &Task,
    aligned: bool,
    total: usize,
    machine: Machine,
) -> std::vec::Vec<Choice> {
    let mut choices = std::vec![estimate(task, aligned, total, machine)];
    for choice in choices_by_likelihood() {
        let is_worth = match choice.strategy {
            // Only panels have several strategies.
            strategy if task.kernel != Kernel::Panel => strategy == Strategy::Pack,
            // Only for a few elements: larger arrays take a hundred times as long.
            Strategy::Elements => task.bytes() <= 8 * FEW,
            _ => true,
        };
        if is_worth && !choices.contains(&choice) && fits(choice, task, aligned) {
            choices.push(choice);
        }
    }
    choices
}

/// Returns all choices, the likely ones first. The estimate and the first 10 others that fit are
/// tried in the first runs. The sequence is that in which each adds most to those before it: of 45
/// copies of the race's random suite, timed by each choice on a Xeon with 260 MiB of last cache,
/// the first one reached .91 of the best choice's speed (geometric mean), five .98, ten .999. Six
/// others added nothing there, and left the list; so did four in 172 copies on a Zen 4. Tiles of
/// 2 by 2 lines are for narrow elements whose columns begin anywhere.
///
/// The choices that write past the cache come first: they take the destination out of the
/// cache, so a choice that stores through the cache is slow in the run after them.
pub(crate) fn choices_by_likelihood() -> impl Iterator<Item = Choice> {
    use Along::{Columns, Rows};
    const DIRECT: bool = true;
    const STAGED: bool = false;
    const PAST: bool = true;
    const STORED: bool = false;
    [
        (lines(8, 2, DIRECT), PAST),
        (Strategy::Pack, PAST),
        (lines(2, 4, DIRECT), PAST),
        (lines(8, 4, STAGED), PAST),
        (lines(4, 8, DIRECT), PAST),
        (lines(2, 2, DIRECT), PAST),
        (lines(4, 2, DIRECT), PAST),
        (lines(8, 4, DIRECT), PAST),
        (Strategy::Blocks(Columns), STORED),
        (Strategy::Blocks(Rows), STORED),
        (lines(8, 4, DIRECT), STORED),
        (Strategy::Pack, STORED),
        (lines(16, 2, DIRECT), STORED),
        (lines(8, 2, DIRECT), STORED),
        (Strategy::Elements, STORED),
    ]
    .into_iter()
    .map(|(strategy, past)| Choice { strategy, past })
}

#[cfg(test)]
mod tests;
#[cfg(feature = "std")]
pub(crate) mod threads;
