//! The copy itself: threads that each read a block of a part, bring it into its layout in memory, and write it.
//!
//! ```text
//! blocks = boxes of the part that both layouts can be cut into, at most `memory` bytes for all threads
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
use crate::blocks::{self, Blocks};
use crate::error::{Error, Outcome};
use crate::pieces::{Job, granules};
use crate::positioned::OpenFile;
use crate::stop::{Stop, lock};
use crate::words;

/// A block is not larger, unless each thread has so many of them.
const LARGE_BLOCK: usize = 32 << 20;

/// Bytes that stay as they are: a block that is read, summed and written while the processor's caches have it.
const BLOCK_AS_IT_IS: usize = 1 << 20;

const BLOCKS_OF_A_THREAD: usize = 8;

/// The memory if nobody says how much.
const DEFAULT: usize = 256 << 20;

#[cfg(test)]
mod tests;
mod worker;

use worker::{Worker, allocatable};

/// Several files that are read by position.
pub trait Sources: Sync {
    /// The file of this number.
    ///
    /// # Errors
    /// Those of opening it, with its name.
    fn file(&self, number: usize) -> Outcome<Arc<OpenFile>>;
}

/// What takes the bytes of one file, in any sequence.
pub trait Sink: Sync {
    /// Takes the bytes from `at` on. What it does not get is zero.
    ///
    /// # Errors
    /// Those of writing, with the name of the file.
    fn write(&self, bytes: &[u8], at: u64) -> Outcome;
}

/// What a copy may use, and whom it tells.
#[derive(Clone, Copy)]
pub struct Means<'a> {
    /// How many threads; they share the memory.
    pub threads: usize,
    /// The bytes of all buffers; those that the plan gives a unit if not said.
    pub memory: Option<usize>,
    /// Whether to stop.
    pub stop: &'a Stop,
    /// Is told of the work.
    pub progress: &'a (dyn Fn(Step) + Sync),
}

/// A step of the work.
#[derive(Clone, Copy, Debug)]
pub enum Step {
    /// These bytes of elements are to be done, of one unit.
    Begin(u64),
    /// These bytes are done.
    Done(u64),
}

/// How many threads, and the bytes of their buffers.
type Room = (usize, usize);

impl Job {
    /// The layout by which blocks are cut on the side of the source.
    fn source_layout(&self) -> DynLayout {
        let part = &*self.layout;
        let like = match &self.pieces[..] {
            [piece] if piece.layout.dims() == part.dims() => Some((*piece.layout).clone()),
            [piece, ..] if piece.layout.dims() != part.dims() => {
                blocks::smaller(&piece.layout, part.dims())
            }
            _ => None,
        };
        like.unwrap_or_else(|| part.clone())
    }

    /// How the part is cut. Every thread has a buffer for each side.
    fn blocks<'b>(&'b self, src: &'b DynLayout, (threads, memory): Room) -> Blocks<'b> {
        let threads = threads.max(1);
        let dst = &*self.layout;
        // Memory is slow when it is used for the first time: each thread uses its own for several blocks.
        let several = src.bytes().max(dst.bytes()) / (BLOCKS_OF_A_THREAD * threads);
        let most = memory / (self.buffers() * threads);
        let plain = self.pieces.iter().all(|piece| piece.encoded.is_none());
        let large = match plain && self.buffers() == 2 && array::same_memory(src, dst) {
            true => BLOCK_AS_IT_IS,
            false => several.max(LARGE_BLOCK),
        };
        // A chunk that is compressed is read whole: no two blocks have elements of it.
        let chunk = self.pieces.iter().find(|piece| piece.encoded.is_some());
        let grid = chunk.map(|piece| {
            let sizes = piece.layout.dims();
            let before = |at: usize, size: usize| at % size.max(1);
            (sizes, array::each(&self.origin, sizes, before))
        });
        Blocks::new((src, dst), grid, most.min(large))
    }

    /// Whether the elements of a piece become those of another type.
    fn changes(&self, piece: &Array) -> bool {
        piece.layout.element_type() != self.layout.element_type()
    }

    /// How many blocks are in memory for each thread: the one that is read and the one that is written, and
    /// between them two row-major ones, where a block is put together from boxes, or the one whose elements have
    /// become those of another type.
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
    pub(crate) fn memory(&self, most: usize) -> u64 {
        let src = self.source_layout();
        let sizes = self.blocks(&src, (1, most)).sizes().to_vec();
        let of = |layout| blocks::smaller(layout, &sizes).map_or(0, |block| block.bytes() as u64);
        let half = self.buffers() as u64 / 2;
        // As it is in the file, and decoded twice.
        let chunks = (self.pieces.iter()).filter(|piece| piece.encoded.is_some());
        let chunk = chunks.map(|piece| piece.stored_bytes() + 2 * piece.layout.bytes() as u64);
        (of(&src) + of(&self.layout)).saturating_mul(half) + chunk.max().unwrap_or(0)
    }

    /// How the part is cut: the number of blocks, their sizes, and the bytes of their shortest runs, read and
    /// written, where they have any.
    #[must_use]
    pub fn cut(
        &self,
        threads: usize,
        memory: usize,
    ) -> (usize, Vec<usize>, Option<(usize, usize)>) {
        let src = self.source_layout();
        let blocks = self.blocks(&src, (threads, memory));
        (blocks.count(), blocks.sizes().to_vec(), blocks.runs())
    }

    /// Why a block of this many bytes has no memory, and what to do.
    fn no_memory(&self, (threads, memory): Room, bytes: usize) -> Error {
        let (count, sizes, _) = self.cut(threads, memory);
        let blocks = self.buffers();
        // Half of the memory of all blocks, and less, until the blocks are smaller.
        let all = bytes.saturating_mul(blocks * threads).min(memory) >> 20;
        let smaller = std::iter::successors(Some(all / 2), |mib| Some(mib / 2));
        let smaller: Vec<_> = smaller
            .take_while(|mib| *mib > 0)
            .filter(|mib| self.cut(threads, mib << 20).1 != sizes)
            .collect();
        let found = smaller.iter().find(|mib| allocatable(**mib << 20));
        let none = "these two layouts share no smaller blocks";
        let used = threads.min(count).max(1);
        let help = match (found.or(smaller.last()), used) {
            (Some(mib), _) => {
                format!("copy in smaller blocks: `--memory {mib} --threads {threads}`")
            }
            (None, 1) => format!(
                "{none}; let the program use more memory (`ulimit -v`), or copy on a machine that has more"
            ),
            (None, _) => {
                let mib = ((memory / threads) >> 20).max(1);
                format!("{none}; copy one block after the other: `--memory {mib} --threads 1`")
            }
        };
        let size = words::exact_bytes(bytes);
        let what = format_args!(
            "{size} could not be allocated for a block; each of {} needs {blocks} blocks",
            words::counted(used, "thread")
        );
        Error::file(what).help(help)
    }

    /// Copies the part. What the destination does not get is padding, and zero there.
    ///
    /// # Errors
    /// Of reading and writing, when a block finds no memory, and when it is to stop.
    pub fn run(&self, (from, to): (&dyn Sources, &dyn Sink), means: Means<'_>) -> Outcome {
        let src = self.source_layout();
        let room = (means.threads, means.memory.unwrap_or(DEFAULT));
        let blocks = self.blocks(&src, room);
        let missing = AtomicUsize::new(0);
        let worker = || Worker::new(self, (from, to), &missing, means.stop);
        let done = in_parallel(means.threads, blocks.count(), worker, |worker, k| {
            let bytes = worker.copy(&blocks.get(k))?;
            (means.progress)(Step::Done(bytes as u64));
            Ok(())
        });
        match missing.into_inner() {
            0 => done,
            bytes => Err(self.no_memory(room, bytes)),
        }
    }
}

/// Does the work of each number below `count`, on so many threads, each with a state of its own. After an error nothing
/// more is begun.
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
            // Without another thread this one does its work, too.
            let thread = std::thread::Builder::new().spawn_scoped(scope, all);
            if thread.is_err() {
                break;
            }
        }
        all();
    });
    lock(&failed).take().map_or(Ok(()), Err)
}
