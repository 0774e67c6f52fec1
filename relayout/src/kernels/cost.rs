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
    /// The sequence of the blocks of a tile.
    pub(crate) walk: Along,
}

impl Shape {
    /// All rows of a few columns.
    pub(crate) const fn strip(columns: usize) -> Self {
        Self {
            rows: usize::MAX,
            columns,
            direct: false,
            walk: Along::Rows,
        }
    }
}

/// The rows and the columns of a tile at most: where each begins is in tables on the stack.
pub(crate) const MOST_ROWS: usize = 1024;
pub(crate) const MOST_COLUMNS: usize = 256;

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
}

impl Run {
    /// A run without a choice of its own.
    pub(crate) const fn of(total: usize) -> Self {
        Self {
            total,
            choice: None,
        }
    }

    /// What to do with a nest whose destination begins at this address.
    #[inline]
    pub(crate) fn choice(&self, task: &Task, dst: *const u8) -> Choice {
        let aligned = task.keeps_lines && dst.addr().is_multiple_of(LINE);
        match self.choice {
            Some(choice) if fits(choice, task, aligned) => choice,
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

/// The lines of a set of the second cache, on most processors since 2017. Where the distance of rows
/// is a multiple of the cache's size divided by this, their lines are all in one set.
const WAYS: usize = 16;

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
    // Lines that are not complete must be put together before they can be streamed. Where both
    // sides stay in the last cache, plain stores take less time: 1000x3000 on Zen 5.
    let small = machine.l2 < PACKING_CACHE && total <= machine.l3 / 2;
    if !aligned && small && task.holds_block() {
        return Choice {
            strategy: Strategy::Blocks(Along::Rows),
            past: false,
        };
    }
    Choice {
        strategy: from_memory(task, aligned, machine),
        past: true,
    }
}

fn from_memory(task: &Task, aligned: bool, machine: Machine) -> Strategy {
    let (width, down) = (task.width, task.row_count * task.width);
    if down < LINE || width == 32 || machine.l2 >= PACKING_CACHE {
        return Strategy::Pack;
    }
    if !aligned {
        // Strips of a kilobyte: long enough for the processor to see that rows are read from front
        // to back, and short enough for the slots, 48 KiB, to stay in the second cache.
        return Strategy::Finish(strip(width, 16));
    }
    let pitch = task.rows.get(0).src;
    let collide = |distance| task.is_plane() && pitch % distance == 0;
    Strategy::Lines(if width == 1 || width == 2 && collide(FAR_COLLISIONS) {
        // A block has 32 rows or 64. It takes long enough to transpose that the rows of the next
        // one arrive meanwhile, and they are too many to be kept in the first cache for longer.
        tile(width, 16, 4, false, Along::Columns)
    } else if collide((machine.l2 / WAYS / 2) as isize) {
        // All lines of a column of the tile are in one set or two of the second cache: few rows.
        tile(width, 2, 4, true, Along::Columns)
    } else if task.column_count * width <= LINE {
        // One block of each row: nothing of the row is left to prefetch.
        tile(width, 4, 4, true, Along::Columns)
    } else {
        // One line of each row, so that runs of 512 bytes of the destination are written.
        tile(width, 8, 1, true, Along::Rows)
    })
}

/// The strip that reads so many lines of each row.
fn strip(width: usize, lines: usize) -> Shape {
    Shape::strip((lines * LINE / width).clamp(1, MOST_COLUMNS))
}

/// The tile that writes so many lines of each column, and reads so many of each row.
fn tile(width: usize, down: usize, across: usize, direct: bool, walk: Along) -> Shape {
    Shape {
        rows: (down * LINE / width).clamp(1, MOST_ROWS),
        columns: (across * LINE / width).clamp(1, MOST_COLUMNS),
        direct,
        walk,
    }
}

/// The tiles that are worth a measurement. Each was the fastest for some case on Zen 5.
#[cfg(feature = "std")]
fn tiles(width: usize) -> [Shape; 9] {
    [
        tile(width, 8, 1, true, Along::Rows),
        tile(width, 8, 4, true, Along::Rows),
        tile(width, 8, 4, true, Along::Columns),
        tile(width, 4, 4, true, Along::Columns),
        tile(width, 2, 2, true, Along::Rows),
        tile(width, 2, 4, true, Along::Columns),
        tile(width, 16, 4, false, Along::Rows),
        tile(width, 16, 4, false, Along::Columns),
        tile(width, 1, 16, true, Along::Rows),
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
                Strategy::Lines(tile(task.width, 2, 4, true, Along::Columns))
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
        strategies.extend([4, 16].map(|lines| Strategy::Finish(strip(width, lines))));
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
mod tests {
    use xlayout_core::DynLayout;

    use super::{Along, Shape, Strategy, estimate, fits};
    use crate::Plan;
    use crate::machine::Machine;
    use crate::way::Way;

    const SMALL_CACHES: Machine = Machine {
        l1: 32 << 10,
        l2: 1 << 20,
        l3: 32 << 20,
    };
    const LARGE_CACHES: Machine = Machine {
        l1: 48 << 10,
        l2: 2 << 20,
        l3: 32 << 20,
    };

    fn estimated(a: &str, b: &str, aligned: bool, machine: Machine) -> Strategy {
        let (a, b): (DynLayout, DynLayout) = (a.parse().unwrap(), b.parse().unwrap());
        let plan = Plan::new(&a, &b).unwrap();
        let Way::Task(task) = plan.way() else {
            panic!("one nest");
        };
        let choice = estimate(task, aligned && task.keeps_lines, plan.bytes(), machine);
        assert!(
            fits(choice, task, aligned && task.keeps_lines),
            "{choice:?}"
        );
        choice.strategy
    }

    /// Each strategy is chosen for some array, on the machines that it is for.
    #[test]
    fn every_strategy_is_chosen() {
        let large = ("f32[4096,1040]{1,0}", "f32[4096,1040]{0,1}");
        let far = ("f32[1040,8192]{1,0}", "f32[1040,8192]{0,1}");
        let narrow = ("u8[8192,4096]{1,0}", "u8[8192,4096]{0,1}");
        let uneven = ("f32[3001,3000]{1,0}", "f32[3001,3000]{0,1}");
        let of = |(a, b), aligned, machine| estimated(a, b, aligned, machine);
        for (arrays, rows, columns, direct, walk) in [
            (large, 128, 16, true, Along::Rows),
            (far, 32, 64, true, Along::Columns),
            (narrow, 1024, 256, false, Along::Columns),
        ] {
            let shape = Shape {
                rows,
                columns,
                direct,
                walk,
            };
            let strategy = of(arrays, true, SMALL_CACHES);
            assert_eq!(strategy, Strategy::Lines(shape), "{arrays:?}");
        }
        for (arrays, aligned) in [(uneven, true), (large, false)] {
            let strategy = of(arrays, aligned, SMALL_CACHES);
            assert!(matches!(strategy, Strategy::Finish(_)), "{strategy:?}");
        }
        for arrays in [large, far, narrow, uneven] {
            assert_eq!(of(arrays, true, LARGE_CACHES), Strategy::Pack);
        }
        let packed = ("f32[256,256]{1,0}", "f32[256,256]{0,1}");
        assert_eq!(of(packed, true, LARGE_CACHES), Strategy::Pack);
        for (a, b, expected) in [
            (
                "f32[12,12]{1,0}",
                "f32[12,12]{0,1}",
                Strategy::Blocks(Along::Columns),
            ),
            (
                "f32[60,60]{1,0}",
                "f32[60,60]{0,1}",
                Strategy::Blocks(Along::Rows),
            ),
            (
                "f32[1000,3000]{1,0}",
                "f32[1000,3000]{0,1}",
                Strategy::Blocks(Along::Rows),
            ),
            ("f32[3,5]{1,0}", "f32[3,5]{0,1}", Strategy::Elements),
        ] {
            assert_eq!(of((a, b), true, SMALL_CACHES), expected, "{a} -> {b}");
        }
    }
}
