//! The cost model: which of the strategies copies a panel, in which shape, and whether the
//! destination is written past the cache. All that is estimated is estimated here, from the sizes of
//! the caches, the pitches, the width and the size of the copy.

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

/// The sequence of the blocks of a tile and of the tiles, and what is prefetched meanwhile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Walk {
    /// Blocks along the rows of a tile. The tile to the right comes next: the same rows of it are
    /// prefetched into the first cache.
    Rows,
    /// Blocks along the columns of a tile. The next block is prefetched into the first cache.
    Columns,
    /// Blocks along the columns of a tile. The tile to the right comes next: the same block of it is
    /// prefetched into the second cache.
    Right,
    /// As `Right`, but the tile below comes next.
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

/// Rows of this distance have their lines in few sets of the caches: a first cache has 64 sets of
/// lines, and an eighth of them is what a block of 16 rows of 4 bytes needs to stay.
const COLLISIONS: isize = 512;

/// Rows of this distance have their lines in one set of the first cache.
const FAR_COLLISIONS: isize = 4096;

/// Rows of this distance have their lines in 4 of the 64 sets of the first cache. With 12 ways, as Zen 5
/// has, that is 48 lines, and a block of bytes has 64 rows. At half the distance it has room for 96.
const LAST_COLLISIONS: isize = 1024;

/// Rows of the source are short up to this number of bytes: a few tiles of 256 bytes.
const SHORT: usize = 512;

/// Rows of at most this number of lines are cut into equal tiles.
const FEW_LINES_OF_ROW: usize = 32;

/// Of fewer rows that the second cache keeps lines of, only one line of each column is put together at once.
const FEW_ROWS: usize = 32;

/// Elements of this number of bytes or more have blocks of at most 16 rows.
const WIDE_ELEMENTS: usize = 4;

/// Rows of the source are long from this number of bytes on: a tile of 16 lines of each column was faster than one of 8.
const WIDE: usize = 2048;

/// The rows of a tile of short rows: as many as four tiles of 8 rows, T(8,128), have.
const NARROW: usize = 32;

/// From this size on a second cache keeps the packed buffer and all lines of 4 KiB pages that a
/// panel reads: `Pack` was faster on Golden Cove (2 MiB), `Lines` and `Finish` on Zen 4 and Zen 5
/// (1 MiB).
const PACKING_CACHE: usize = 2 << 20;

/// A first cache of this size has room for the lines that are prefetched for the next tile, as on Zen 5. Zen 4
/// has 32 KiB, and took 1.3 to 2.5 times as long with lines prefetched into it as with lines in the second
/// cache.
const PREFETCHING_CACHE: usize = 48 << 10;

/// The lines of one set of the second cache, as on Zen 4 and Zen 5. Rows that are a multiple of an eighth of
/// its size apart have their lines in one set.
const SECOND_WAYS: usize = 8;

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
    // What is larger than the second cache comes from memory or from a cache that is shared: then
    // it is cheaper not to fetch the lines of the destination.
    if total < machine.l2 {
        let strategy = in_cache(task, machine);
        return Choice {
            strategy,
            past: false,
        };
    }
    if let Some(strategy) = in_last_cache(task, aligned, total, machine) {
        return Choice {
            strategy,
            past: false,
        };
    }
    let strategy = from_memory(task, aligned, total, machine);
    Choice {
        strategy,
        past: !stays(task, strategy, total, machine),
    }
}

/// Whether the destination of a copy that is larger than the second cache is written through the caches, which
/// fetches its lines. On Zen 4 runs of bytes were 1.1 to 1.5 times as fast as past the cache up to an eighth of the
/// last cache. From there to a quarter they were .9 to 1.1 times as fast alone, and up to 1.3 times where other
/// copies had run before. Panels of several loops were up to 1.6 times as fast up to an eighth. Panels of one loop on
/// each side are decided by their pitches.
fn stays(task: &Task, strategy: Strategy, total: usize, machine: Machine) -> bool {
    match (task.kernel, strategy) {
        // Their kernel has no other stores.
        (Kernel::Runs, _) => true,
        _ if machine.l2 >= PACKING_CACHE => false,
        (Kernel::Panel, Strategy::Lines(_)) => {
            !task.is_plane() && total <= machine.l3 / 8 && machine.l1 < PREFETCHING_CACHE
        }
        (Kernel::Panel, _) => false,
        _ => total < machine.l3 / 4,
    }
}

/// The strategy for a copy that is larger than the second cache but stays, with both sides, in half of the
/// last one. Blocks are stored as they come there, which took .3 to .9 of the time of lines written past the
/// cache on Zen 5. `None` where too many lines collide for that.
fn in_last_cache(task: &Task, aligned: bool, total: usize, machine: Machine) -> Option<Strategy> {
    if total > machine.l3 / 4 || machine.l2 >= PACKING_CACHE || !task.holds_block() {
        return None;
    }
    let along = |along| Some(Strategy::Blocks(along));
    // Otherwise lines would have to be put together, which takes longer whatever the pitches are.
    if !aligned {
        return along(Along::Rows);
    }
    if task.row_count * task.width < LINE {
        return None;
    }
    let collide = |pitch: isize| pitch % LAST_COLLISIONS == 0;
    let (source, destination) = (task.rows.get(0).src, task.columns.get(0).dst);
    if machine.l1 < PREFETCHING_CACHE {
        let wide = task.width >= WIDE_ELEMENTS;
        return if !collide(if wide { destination } else { source }) {
            along(Along::Rows)
        } else if total > machine.l3 / 8 {
            // Tiles whose next one is prefetched are faster.
            None
        } else if wide {
            along(Along::Columns)
        } else {
            // A block has more rows than a set of the first cache has lines.
            Some(Strategy::Pack)
        };
    }
    match (collide(source), collide(destination)) {
        // The lines that a block of wider elements reads, 32 or fewer, stay in the first cache.
        (_, false) if task.width > 1 => along(Along::Rows),
        (false, false) => along(Along::Rows),
        // A block of bytes takes a quarter of each line that it reads. Along the columns all four quarters
        // come from the second cache, and a column of the destination is written from end to end.
        // Of wider elements only some sizes gained from it.
        (false, true) if task.width == 1 => along(Along::Columns),
        _ => None,
    }
}

fn from_memory(task: &Task, aligned: bool, total: usize, machine: Machine) -> Strategy {
    let (width, down) = (task.width, task.row_count * task.width);
    if down < LINE || width >= 32 || machine.l2 >= PACKING_CACHE {
        return Strategy::Pack;
    }
    if !aligned {
        return Strategy::Finish(unaligned(task, total, machine));
    }
    if machine.l1 < PREFETCHING_CACHE {
        return Strategy::Lines(through_second_cache(task, machine));
    }
    let collide = task.rows.len() == 1 && task.rows.get(0).src % FAR_COLLISIONS == 0;
    Strategy::Lines(
        if task.rows.len() > 1 && task.column_count * width <= SHORT {
            // Short rows of tiles, with other tiles between them: the rows below come next.
            tile(width, (NARROW * width / LINE).max(1), 4, true, Walk::Down)
        } else if width == 1 {
            // A block has 64 rows. It takes long enough to transpose that the rows of the next one
            // arrive meanwhile, and they are too many to be kept in the first cache for longer.
            tile(width, 8, if collide { 1 } else { 4 }, false, Walk::Columns)
        } else if width == 2 && collide {
            // The stage reads each line in one piece.
            tile(width, 2, 4, false, Walk::Down)
        } else if down <= 4 * LINE {
            // Few rows: wide tiles.
            tile(width, 4, 8, true, Walk::Right)
        } else if collide {
            // All rows of a tile and of the one below would be in few sets of the second cache.
            tile(width, 8, 2, true, Walk::Right)
        } else if task.column_count * width <= LINE {
            // One block of each row: nothing of the row is left to prefetch.
            tile(width, 4, 4, true, Walk::Columns)
        } else {
            // One line of each row, so that runs of 512 bytes of the destination are written.
            tile(width, 8, 1, true, Walk::Rows)
        },
    )
}

/// The tile whose columns begin anywhere in a line of the destination. Each column has a slot in memory that
/// is one line longer than the tile is high.
fn unaligned(task: &Task, total: usize, machine: Machine) -> Shape {
    let width = task.width;
    let (down, across) = if total <= machine.l3 / 2 {
        // The slots take 20 KiB.
        (4, 4)
    } else if machine.l1 >= PREFETCHING_CACHE {
        // 40 KiB stay in a large first cache.
        (2, 8)
    } else {
        // Up to 80 KiB stay in the second one. Of rows that are not kept there, few are read at once.
        let few = width == 1 || rows_in_second_cache(task, machine) < FEW_ROWS;
        (if few { 1 } else { 4 }, MOST_COLUMNS * width / LINE)
    };
    tile(width, down, across, true, Walk::Down)
}

/// The tile where the next one is prefetched into the second cache, whatever the pitch. Measured on Zen 4.
fn through_second_cache(task: &Task, machine: Machine) -> Shape {
    let (width, pitch) = (task.width, task.rows.get(0).src);
    // Blocks of narrow elements have many rows. Where these collide in the first cache, the stage reads each
    // line in one piece.
    let narrow = match width {
        1 => pitch % LAST_COLLISIONS == 0,
        2 => pitch % FAR_COLLISIONS == 0,
        _ => false,
    };
    if narrow && task.rows.len() == 1 {
        let down = if width == 1 { 1 } else { 2 };
        return tile(width, down, 2 * down, false, Walk::Down);
    }
    // Of twice as many rows as stay in the second cache some lines come from the last one, which still takes
    // less time than short runs of the destination.
    let rows = 2 * rows_in_second_cache(task, machine);
    // A tile prefetches as many columns and rows of the next one as it has: short rows are cut into equal
    // tiles. With a narrower last tile they took up to twice as long.
    let lines = (task.column_count * width).div_ceil(LINE);
    let equal = (2..=8).find(|&n| lines.is_multiple_of(n) && n * LINE / width <= MOST_COLUMNS);
    let across = equal.filter(|_| lines <= FEW_LINES_OF_ROW).unwrap_or(2);
    // The longer a run of the destination, the fewer pages of memory are opened, but what is prefetched
    // waits for longer. Narrow elements take longer to transpose.
    let most = match width {
        _ if across > 2 => 4,
        1 | 2 => 4,
        _ if task.column_count * width < WIDE => 8,
        _ => 16,
    };
    let down = (rows * width / LINE).clamp(2, most);
    let across = if down < 4 { across.max(4) } else { across };
    let shape = tile(width, down, across, true, Walk::Right);
    let bands = task.row_count.div_ceil(shape.rows);
    Shape {
        rows: task
            .row_count
            .div_ceil(bands)
            .next_multiple_of(LINE / width),
        ..shape
    }
}

/// The rows whose lines of one column stay in the second cache: fewer where the pitch is a multiple of a larger
/// power of two.
fn rows_in_second_cache(task: &Task, machine: Machine) -> usize {
    let pitch = task.rows.get(0).src.unsigned_abs();
    let apart = (pitch & pitch.wrapping_neg()).min(machine.l2 / SECOND_WAYS);
    machine.l2 / apart.max(LINE)
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

fn in_cache(task: &Task, machine: Machine) -> Strategy {
    let bytes = task.row_count * task.column_count * task.width;
    if task.holds_block() {
        let (source, destination) = (task.rows.get(0).src, task.columns.get(0).dst);
        let collide = |distance| source % distance == 0 || destination % distance == 0;
        let blocks = Strategy::Blocks(if bytes < FEW_LINES {
            Along::Columns
        } else {
            Along::Rows
        });
        // Both sides have to stay in the first cache where lines collide.
        if !collide(COLLISIONS) || bytes <= machine.l1 / 2 {
            return blocks;
        }
        if machine.l1 < PREFETCHING_CACHE && machine.l2 < PACKING_CACHE {
            // Each column of the destination is written from end to end. Blocks of narrow elements read
            // more rows than stay in the first cache for that.
            let columns = task.width >= WIDE_ELEMENTS && destination % COLLISIONS == 0;
            return Strategy::Blocks(if columns { Along::Columns } else { Along::Rows });
        }
        if machine.l2 < PACKING_CACHE {
            return if collide(2 * COLLISIONS) && bytes > 4 * machine.l1 {
                Strategy::Lines(tile(task.width, 2, 4, true, Walk::Columns))
            } else {
                blocks
            };
        }
    }
    if task.cell.is_none() && task.bytes() <= FEW {
        return Strategy::Elements;
    }
    Strategy::Pack
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
