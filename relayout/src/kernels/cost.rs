//! The estimate: which of the strategies copies a panel, in which shape, and whether the destination is written past the
//! cache. Plans begin with it, and learn from their runs which one is the fastest (`learn`). So the rules are few, and
//! they follow from the sizes of the caches, of a line and of a page. On a Zen 4 the estimated copies took 1.2 times as
//! long as those that were learned (geometric mean of 212 copies).
//!
//! ```text
//! the copy is smaller than the second cache:
//!     blocks as they come; packed where there is no block, and element by element where there are few of them
//! columns shorter than a line:    packed, past the cache
//! columns begin at lines:         tiles of lines, past the cache
//! the copy stays in the last cache:   tiles of lines, through the cache
//! otherwise:                      lines that are put together, past the cache
//! ```

use crate::kernels::LINE;
use crate::kernels::task::{Kernel, Task};
use crate::machine::Machine;

/// How a panel is copied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Strategy {
    /// Element by element.
    Elements,
    /// Blocks transposed in registers, stored where they belong: `kernels::blocks`.
    Blocks(Along),
    /// Rows packed into a buffer, transposed from there: `kernels::panel`.
    Pack,
    /// Lines of the destination straight from registers: `kernels::lines`.
    Lines(Shape),
    /// Lines of the destination put together from two blocks: `kernels::finish`.
    Finish(Shape),
}

/// The sequence of the blocks of a plane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Along {
    /// Along the rows of the source.
    Rows,
    /// Along the columns, that is, the rows of the destination.
    Columns,
}

/// The tile of a panel that is copied before the next one begins, in elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Shape {
    pub(crate) rows: usize,
    pub(crate) columns: usize,
    /// Whether blocks are read from the source where they are needed, not through the stage.
    pub(crate) direct: bool,
    pub(crate) walk: Walk,
}

/// Which tile comes next. Its blocks are prefetched into the second cache, each while the same block of this tile is
/// copied. The blocks of a tile are visited along its columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Walk {
    /// The tile to the right.
    Right,
    /// The tile below.
    Down,
}

impl Shape {
    /// A tile of `kernels::finish`, which has one sequence only.
    pub(crate) const fn finish(rows: usize, columns: usize) -> Self {
        Self {
            rows,
            columns,
            direct: true,
            walk: Walk::Down,
        }
    }
}

/// The rows and the columns of a tile at most: where each begins is in tables on the stack.
pub(crate) const MOST_ROWS: usize = 1024;
pub(crate) const MOST_COLUMNS: usize = 256;
/// The lines of a column that `kernels::finish` puts together at once, at most.
pub(crate) const MOST_LINES: usize = 4;

/// What is decided of one nest of loops.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Choice {
    /// For panels.
    pub(crate) strategy: Strategy,
    /// Whether the destination is written past the cache.
    pub(crate) past: bool,
}

/// Panels of fewer bytes that hold no block are copied element by element: setting up the buffers
/// of `Pack` takes longer. It clears a kilobyte or two, which takes as long as this many bytes.
const FEW: usize = 2048;

/// Planes of fewer bytes are written column by column: they stay in the first cache whatever the
/// sequence, and stores to one line follow each other. Larger ones are read row by row, since each
/// row of blocks then reads its lines once.
const FEW_LINES: usize = 4096;

/// Whether a strategy can copy a nest: what its kernel requires.
pub(crate) fn fits(choice: Choice, task: &Task, aligned: bool) -> bool {
    let down = task.row_count * task.width;
    if task.kernel != Kernel::Panel {
        return !(task.kernel == Kernel::Runs && choice.past);
    }
    match choice.strategy {
        Strategy::Elements => task.cell.is_none(),
        Strategy::Blocks(_) => task.holds_block(),
        Strategy::Pack => true,
        Strategy::Lines(_) => task.width < 32 && (aligned || !choice.past),
        Strategy::Finish(_) => task.width < 32 && choice.past && down >= LINE,
    }
}

/// The choice that is expected to be the fastest.
pub(crate) fn estimate(task: &Task, aligned: bool, total: usize, machine: Machine) -> Choice {
    let stored = |strategy| Choice {
        strategy,
        past: false,
    };
    let past = |strategy| Choice {
        strategy,
        past: true,
    };
    // Both sides stay in the last cache, and other bytes, too.
    let stays = total <= machine.l3 / 4;
    if task.kernel != Kernel::Panel {
        // Runs that trade places have no other stores.
        let through = total < machine.l2 || stays || task.kernel == Kernel::Runs;
        return if through { stored } else { past }(Strategy::Pack);
    }
    // What is larger than the second cache comes from memory or from a cache that is shared: then
    // it is cheaper not to fetch the lines of the destination.
    if total < machine.l2 {
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
    let (width, down) = (task.width, task.row_count * task.width);
    if width >= 32 || down < LINE {
        return past(Strategy::Pack);
    }
    let lines =
        |down, across, direct, walk| Strategy::Lines(tile(width, down, across, direct, walk));
    if aligned && width <= 2 && !stays {
        // A block of narrow elements reads the lines of many rows. Where these collide in the first cache, the stage
        // reads each line in one piece.
        past(lines(1, 4, false, Walk::Down))
    } else if aligned {
        past(lines(8, 2, true, Walk::Right))
    } else if stays {
        // As above: stores through the caches read fewer rows at once.
        let narrow = lines(1, 4, false, Walk::Down);
        stored(if width == 1 {
            narrow
        } else {
            lines(16, 2, true, Walk::Right)
        })
    } else {
        past(Strategy::Finish(tile(width, 4, 4, true, Walk::Down)))
    }
}

/// The tile that writes `down` lines of each column, and reads `across` lines of each row.
fn tile(width: usize, down: usize, across: usize, direct: bool, walk: Walk) -> Shape {
    Shape {
        rows: (down * LINE / width).clamp(1, MOST_ROWS),
        columns: (across * LINE / width).clamp(1, MOST_COLUMNS),
        direct,
        walk,
    }
}

#[cfg(feature = "std")]
mod candidates;
mod run;
#[cfg(test)]
mod tests;
#[cfg(feature = "std")]
pub(crate) mod threads;

#[cfg(feature = "std")]
pub(crate) use candidates::candidates;
pub(crate) use run::Run;
