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

/// What a run knows beside its nests of loops.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Run {
    /// The bytes that all nests together write.
    pub(crate) total: usize,
    /// What was measured, or is tested: it counts where it fits the nest.
    pub(crate) choice: Option<Choice>,
    /// What is estimated of the only nest, where there is one: for a destination that does not begin
    /// at a line, and for one that does. A few elements take less time than an estimate.
    pub(crate) estimates: Option<[Choice; 2]>,
}

impl Run {
    /// A run without a choice of its own.
    pub(crate) const fn of(total: usize) -> Self {
        Self {
            total,
            choice: None,
            estimates: None,
        }
    }

    /// A run of one nest, of which everything is estimated now.
    pub(crate) fn of_task(task: &Task, total: usize) -> Self {
        let machine = Machine::get();
        let of = |aligned| estimate(task, aligned && task.keeps_lines, total, machine);
        Self {
            estimates: Some([of(false), of(true)]),
            ..Self::of(total)
        }
    }

    /// What to do with a nest whose destination begins at this address.
    #[inline]
    pub(crate) fn choice(&self, task: &Task, dst: *const u8) -> Choice {
        let aligned = task.keeps_lines && dst.addr().is_multiple_of(LINE);
        match (self.choice, self.estimates) {
            (Some(choice), _) if fits(choice, task, aligned) => choice,
            (_, Some(estimates)) => estimates[usize::from(aligned)],
            _ => estimate(task, aligned, self.total, Machine::get()),
        }
    }
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

/// Rows of the source of so many bytes are short: a few tiles of 256 bytes.
const SHORT: usize = 512;

/// The rows of a tile of short rows: as many as four tiles of 8 rows, T(8,128), have.
const NARROW: usize = 32;

/// From this size on a second cache keeps the packed buffer and all lines of 4 KiB pages that a
/// panel reads: `Pack` was faster on Golden Cove (2 MiB), `Lines` and `Finish` on Zen 4 and Zen 5
/// (1 MiB).
const PACKING_CACHE: usize = 2 << 20;

/// Whether a strategy can copy a nest: what its kernel requires.
pub(crate) fn fits(choice: Choice, task: &Task, aligned: bool) -> bool {
    let down = task.row_count * task.width;
    if task.kernel != Kernel::Panel {
        return true;
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
    if let Some(along) = in_last_cache(task, aligned, total, machine) {
        return Choice {
            strategy: Strategy::Blocks(along),
            past: false,
        };
    }
    Choice {
        strategy: from_memory(task, aligned, total, machine),
        past: !stays(task, total, machine),
    }
}

/// Whether the destination of a copy that is larger than the second cache is left in the last one. Its
/// lines are fetched for that, but from this cache, where both sides stay in half of it.
fn stays(task: &Task, total: usize, machine: Machine) -> bool {
    let few_rows = matches!(task.kernel, Kernel::Interleave | Kernel::Deinterleave);
    few_rows && total <= machine.l3 / 4 && machine.l2 < PACKING_CACHE
}

/// The sequence of the blocks of a copy that is larger than the second cache but stays, with both sides, in
/// half of the last one. Blocks are stored as they come there, which took .3 to .9 of the time of lines
/// written past the cache on Zen 5. `None` where too many lines collide for that.
fn in_last_cache(task: &Task, aligned: bool, total: usize, machine: Machine) -> Option<Along> {
    if total > machine.l3 / 4 || machine.l2 >= PACKING_CACHE || !task.holds_block() {
        return None;
    }
    // Otherwise lines would have to be put together, which takes longer whatever the pitches are.
    if !aligned {
        return Some(Along::Rows);
    }
    if task.row_count * task.width < LINE {
        return None;
    }
    let collide = |pitch: isize| pitch % LAST_COLLISIONS == 0;
    let (source, destination) = (task.rows.get(0).src, task.columns.get(0).dst);
    match (collide(source), collide(destination)) {
        // The lines that a block of wider elements reads, 32 or fewer, stay in the first cache.
        (_, false) if task.width > 1 => Some(Along::Rows),
        (false, false) => Some(Along::Rows),
        // A block of bytes takes a quarter of each line that it reads. Along the columns all four quarters
        // come from the second cache, and a column of the destination is written from end to end.
        // Of wider elements only some sizes gained from it.
        (false, true) if task.width == 1 => Some(Along::Columns),
        _ => None,
    }
}

fn from_memory(task: &Task, aligned: bool, total: usize, machine: Machine) -> Strategy {
    let (width, down) = (task.width, task.row_count * task.width);
    if down < LINE || width == 32 || machine.l2 >= PACKING_CACHE {
        return Strategy::Pack;
    }
    if !aligned {
        // The slots take 20 KiB or 40: they stay in the caches of one core.
        let (down, across) = if total <= machine.l3 / 2 {
            (4, 4)
        } else {
            (2, 8)
        };
        return Strategy::Finish(tile(width, down, across, true, Walk::Down));
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

/// The tile that writes so many lines of each column, and reads so many of each row.
fn tile(width: usize, down: usize, across: usize, direct: bool, walk: Walk) -> Shape {
    Shape {
        rows: (down * LINE / width).clamp(1, MOST_ROWS),
        columns: (across * LINE / width).clamp(1, MOST_COLUMNS),
        direct,
        walk,
    }
}

/// The tiles that are worth a measurement. Each was the fastest for some case on Zen 5.
#[cfg(feature = "std")]
fn tiles(width: usize) -> [Shape; 12] {
    [
        tile(width, 8, 1, true, Walk::Rows),
        tile(width, 4, 4, true, Walk::Columns),
        tile(width, 2, 4, true, Walk::Columns),
        tile(width, 8, 1, false, Walk::Columns),
        tile(width, 16, 4, false, Walk::Columns),
        tile(width, 8, 2, true, Walk::Right),
        tile(width, 8, 4, true, Walk::Right),
        tile(width, 4, 8, true, Walk::Right),
        tile(width, 4, 8, true, Walk::Down),
        tile(width, 2, 4, true, Walk::Down),
        tile(width, 2, 4, false, Walk::Down),
        tile(width, 1, 4, false, Walk::Down),
    ]
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

/// What a copy does, for an estimate of its time.
#[cfg(feature = "std")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Work {
    /// Runs of bytes are copied, or rows interleaved.
    Runs,
    /// Panels are transposed.
    Panels,
    /// Runs of elements are packed into bits or unpacked.
    BitRuns,
    /// Single elements are packed or unpacked.
    Bits,
    /// Elements are moved one by one, at strides that are known.
    Elements,
    /// The place of each element is computed.
    General,
}

/// The nanoseconds that it takes to start and to join a thread: the median on Linux; one of ten takes 72,000.
#[cfg(feature = "std")]
pub(crate) const STARTED: f64 = 50_000.0;

/// The nanoseconds that it takes to wake a thread of rayon and to wait for it. A third of a start: one
/// MiB for each thread was worth it.
#[cfg(feature = "rayon")]
pub(crate) const WOKEN: f64 = 17_000.0;

/// A thread must have so many times as much work as its start takes. Large copies on two threads are 1.2
/// to 1.9 times as fast as on one, since threads share the last cache and the memory. At 1.2 a second
/// thread gains from 6 starts of work on, and both threads together have 8. The rest is for a start
/// that takes longer.
#[cfg(feature = "std")]
const STARTS: f64 = 4.0;

/// The nanoseconds that a copy takes on one thread, or less: an estimate that is too long would start
/// threads in vain. The rates, bytes or elements in a nanosecond, are the highest that were measured on
/// Zen 5; slower cores gain from threads earlier.
#[cfg(feature = "std")]
pub(crate) fn nanoseconds(work: Work, bytes: usize, elements: usize, machine: Machine) -> f64 {
    // In the second cache, in the last one, and in memory. Both sides need room.
    let by_cache = |second, last, memory| {
        let rate = if bytes <= machine.l2 / 2 {
            second
        } else if machine.l3 == 0 || bytes <= machine.l3 / 2 {
            // Of a last cache of unknown size the faster rate is assumed.
            last
        } else {
            memory
        };
        bytes as f64 / rate
    };
    match work {
        Work::Runs => by_cache(120.0, 40.0, 21.0),
        Work::Panels => by_cache(60.0, 15.0, 11.0),
        Work::BitRuns => elements as f64 / 34.0,
        Work::Bits => elements as f64 / 6.0,
        Work::Elements => elements as f64 / 2.0,
        Work::General => elements as f64 / 0.5,
    }
}

/// How many of at most so many threads to use for a copy of so many nanoseconds, where starting one
/// takes `start`.
#[cfg(feature = "std")]
pub(crate) fn threads(most: usize, nanoseconds: f64, start: f64) -> usize {
    // A number that is too large becomes the largest one.
    most.min((nanoseconds / (STARTS * start)) as usize).max(1)
}

/// All choices that may be the fastest for a nest; the estimated one is the first.
#[cfg(feature = "std")]
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

#[cfg(test)]
mod tests;
