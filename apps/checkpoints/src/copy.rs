//! The copy: each thread reads a block of a part, converts it in memory to its layout, and writes
//! it.
//!
//! ```text
//! blocks = boxes of the part that both layouts can be cut into, at most `memory` bytes for all
//!     threads
//! each thread, while there are blocks:
//!     if one piece of the source has all of the block, and can be cut there:
//!         read its runs of bytes, packed
//!     else:
//!         for each piece that has a part of the block:
//!             read the smallest box of whole tiles around that part, make it row-major
//!             copy the rows of the part into a row-major block
//!     if the elements are of another type: convert each one that was read, in its place
//!     bring the block into the layout of the part, in memory
//!     write its runs of bytes
//! ```

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use xlayout::{ArrayLayout, DynLayout};

use crate::array::{self, Array};
use crate::blocks::{self, Blocks, Grid};
use crate::error::{Error, Outcome};
use crate::pieces::{Job, granules};
use crate::positioned::OpenFile;
use crate::stop::{Stop, lock};

/// The largest block, unless each thread has many blocks.
const LARGE_BLOCK: usize = 32 << 20;

/// The size of a block whose bytes do not change. It is read, summed and written while it is in the
/// processor's caches.
const BLOCK_AS_IT_IS: usize = 1 << 20;

const BLOCKS_OF_A_THREAD: usize = 8;

/// The default memory.
const DEFAULT: usize = 256 << 20;

/// Whether this number of bytes can be allocated now.
fn allocatable(bytes: usize) -> bool {
    let mut block = Vec::<u8>::new();
    let found = block.try_reserve_exact(bytes).is_ok();
    // Without this, the compiler removes the unused allocation.
    std::hint::black_box(&block);
    found
}

#[cfg(test)]
mod tests;
mod worker;

/// Several files that are read by position.
pub trait Sources: Sync {
    /// The file of this number.
    ///
    /// # Errors
    /// Those of opening it, with its name.
    fn file(&self, number: usize) -> Outcome<Arc<OpenFile>>;
}

/// The destination of the bytes of one file, in any sequence.
pub trait Sink: Sync {
    /// Writes the bytes from `at` on. Bytes that are never written are zero.
    ///
    /// # Errors
    /// Those of writing, with the name of the file.
    fn write(&self, bytes: &[u8], at: u64) -> Outcome;
}

/// The resources of a copy, and its callbacks.
#[derive(Clone, Copy)]
pub struct Means<'a> {
    /// How many threads; they share the memory.
    pub threads: usize,
    /// The bytes of all buffers; `None` for those that the plan gives a unit.
    pub memory: Option<usize>,
    /// Whether to stop.
    pub stop: &'a Stop,
    /// Called for each step of the work.
    pub progress: &'a (dyn Fn(Step) + Sync),
}

/// A step of the work.
#[derive(Clone, Copy, Debug)]
pub enum Step {
    /// A unit begins: the bytes of its elements.
    Begin(u64),
    /// These bytes are done.
    Done(u64),
}

impl Job {
    /// The blocks of the part, cut by its layout and by that of the source. Every thread has a
    /// buffer for each side.
    fn blocks(&self, threads: usize, memory: usize) -> Blocks<'_> {
        let threads = threads.max(1);
        let dst = &*self.layout;
        let first = self.pieces.first();
        let src = first.and_then(|piece| blocks::packed(&piece.layout, dst.dims()));
        let src = src.unwrap_or_else(|| dst.clone());
        // The first use of memory is slow, so each thread uses its buffers for several blocks.
        let several = src.bytes().max(dst.bytes()) / (BLOCKS_OF_A_THREAD * threads);
        let limit = memory / (self.buffers() * threads);
        let plain = self.pieces.iter().all(|piece| piece.encoded.is_none());
        let large = if plain && self.buffers() == 2 && array::same_memory(&src, dst) {
            BLOCK_AS_IT_IS
        } else {
            several.max(LARGE_BLOCK)
        };
        // A compressed chunk is read whole, so no two blocks share elements of it.
        let chunk = self.pieces.iter().find(|piece| piece.encoded.is_some());
        let grid = chunk.map(|piece| {
            let sizes = piece.layout.dims();
            let before = |at: usize, size: usize| at % size.max(1);
            Grid {
                sizes,
                before: array::each(&self.origin, sizes, before),
            }
        });
        Blocks::new(src, dst, grid, limit.min(large))
    }

    /// Whether the elements of a piece are converted to another type.
    fn changes(&self, piece: &Array) -> bool {
        piece.layout.element_type() != self.layout.element_type()
    }

    /// The number of blocks in memory for each thread: the one that is read and the one that is
    /// written. Between them there are two row-major ones if a block is assembled from boxes, or
    /// one with converted elements.
    fn buffers(&self) -> usize {
        let part = self.layout.dims();
        let alone = |piece: &Array| {
            piece.layout.dims() == part
                || granules(piece).is_some_and(|all| all.iter().all(|granule| *granule == 1))
        };
        match &self.pieces[..] {
            [piece] if alone(piece) && !self.changes(piece) => 2,
            _ => 4,
        }
    }

    /// The bytes of all blocks that are in memory at once with one thread.
    pub(crate) fn memory(&self, limit: usize) -> u64 {
        let blocks = self.blocks(1, limit);
        let block_bytes = |layout: &DynLayout| {
            let block = blocks::smaller(layout, blocks.sizes());
            block.map_or(0, |block| block.bytes() as u64)
        };
        let half = self.buffers() as u64 / 2;
        // The chunk as it is in the file, and two decoded buffers.
        let chunks = (self.pieces.iter()).filter(|piece| piece.encoded.is_some());
        let chunk = chunks.map(|piece| piece.stored_bytes() + 2 * piece.layout.bytes() as u64);
        (block_bytes(&blocks.src) + block_bytes(&self.layout)).saturating_mul(half)
            + chunk.max().unwrap_or(0)
    }

    /// The blocks of the part: their number, their sizes, and the bytes of their shortest runs,
    /// read and written, if there are any.
    #[must_use]
    pub fn cut(
        &self,
        threads: usize,
        memory: Option<usize>,
    ) -> (usize, Vec<usize>, Option<(usize, usize)>) {
        let blocks = self.blocks(threads, memory.unwrap_or(DEFAULT));
        (blocks.count(), blocks.sizes().to_vec(), blocks.runs())
    }

    /// The error if there is no memory for a block of this many bytes.
    fn no_memory(&self, threads: usize, memory: usize, bytes: usize) -> Error {
        let (count, sizes, _) = self.cut(threads, Some(memory));
        let blocks = self.buffers();
        // Halves the memory of all blocks until the blocks are smaller.
        let all = bytes.saturating_mul(blocks * threads).min(memory) >> 20;
        let smaller = std::iter::successors(Some(all / 2), |mib| Some(mib / 2));
        let smaller: Vec<_> = smaller
            .take_while(|mib| *mib > 0)
            .filter(|mib| self.cut(threads, Some(mib << 20)).1 != sizes)
            .collect();
        let found = smaller.iter().find(|mib| allocatable(**mib << 20));
        let none = "these two layouts share no smaller blocks";
        let used = threads.min(count).max(1);
        let size = xlayout_words::exact_bytes(bytes);
        let users = xlayout_words::counted(used, "thread");
        let what = format_args!(
            "{size} could not be allocated for a block; each of {users} needs {blocks} blocks"
        );
        let wrong = Error::file(what);
        let (doing, mib, threads) = match (found.or(smaller.last()), used) {
            (Some(mib), _) => ("copy in smaller blocks".to_owned(), *mib, threads),
            (None, 1) => {
                return wrong.help(format_args!(
                    "{none}; let the program use more memory (`ulimit -v`), or copy on a machine \
                     that has more"
                ));
            }
            (None, _) => {
                let mib = ((memory / threads) >> 20).max(1);
                (format!("{none}; copy one block after the other"), mib, 1)
            }
        };
        wrong.help_in(
            format_args!(
                "{doing}: `memory` of `Means` is `Some({mib} << 20)` and `threads` {threads}"
            ),
            format_args!("{doing}: `--memory {mib} --threads {threads}`"),
        )
    }
}

/// Does the work of each number below `count` on up to `threads` threads, each with its own state.
/// After an error nothing more is begun.
///
/// # Errors
/// The first one.
pub(crate) fn in_parallel<S>(
    threads: usize,
    count: usize,
    state: impl Fn() -> S + Sync,
    work: impl Fn(&mut S, usize) -> Outcome + Sync,
) -> Outcome {
    let next = AtomicUsize::new(0);
    let failed: Mutex<Option<Error>> = Mutex::new(None);
    let all = || {
        let mut state = state();
        loop {
            let k = next.fetch_add(1, Ordering::Relaxed);
            if k >= count {
                return;
            }
            if let Err(failure) = work(&mut state, k) {
                next.store(count, Ordering::Relaxed);
                lock(&failed).get_or_insert(failure);
                return;
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..threads.min(count) {
            // If no thread can be started, this one does its work, too.
            let thread = std::thread::Builder::new().spawn_scoped(scope, all);
            if thread.is_err() {
                break;
            }
        }
        all();
    });
    lock(&failed).take().map_or(Ok(()), Err)
}
