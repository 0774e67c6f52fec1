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

use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use xlayout::interop::NumpyOrder;
use xlayout::{ArrayLayout, DynLayout};
use xlayout_relayout::PlanCache;

use crate::array::{self, Array, Part};
use crate::blocks::{self, Block, Blocks, PackedView};
use crate::decode;
use crate::error::{Error, Outcome};
use crate::numbers;
use crate::pieces::{Source, box_of, common, granules};
use crate::stop::Stop;
use crate::words;

/// So many bytes are read, copied or written before it is asked whether to stop.
const PIECE: usize = 8 << 20;

/// A block is not larger, unless each thread has so many of them.
const LARGE_BLOCK: usize = 32 << 20;

/// Bytes that stay as they are: a block that is read, summed and written while the processor's caches have it.
const BLOCK_AS_IT_IS: usize = 1 << 20;

/// Runs of bytes with less than this between them are announced to the system as one.
const NEAR: u64 = 8 << 10;
const BLOCKS_OF_A_THREAD: usize = 8;

/// Bytes that are read by position, of several files.
pub trait Sources: Sync {
    /// Fills `bytes` from the byte `at` of a file on.
    ///
    /// # Errors
    /// Those of reading, with the name of the file.
    fn read(&self, file: usize, bytes: &mut [u8], at: u64) -> Outcome;

    /// These bytes will be read soon.
    fn soon(&self, _file: usize, _at: u64, _bytes: usize) {}
}

/// What takes the bytes of one file, in any sequence.
pub trait Sink: Sync {
    /// Takes the bytes from `at` on. What it does not get is zero.
    ///
    /// # Errors
    /// Those of writing, with the name of the file.
    fn write(&self, bytes: &[u8], at: u64) -> Outcome;
}

/// A part of a tensor, from the files that have pieces of it to the one that gets the part.
#[derive(Clone, Copy, Debug)]
pub struct Job<'a> {
    /// Of the source; together they have each element of the part once.
    pub pieces: &'a [Array],
    /// What is written.
    pub part: &'a Part,
}

/// What a copy may use.
#[derive(Clone, Copy, Debug)]
pub struct Means {
    /// How many.
    pub threads: usize,
    /// In bytes, for the buffers of all threads.
    pub memory: usize,
}

impl<'a> Job<'a> {
    /// The layout by which blocks are cut on the side of the source.
    fn source_layout(&self) -> DynLayout {
        let part = &self.part.layout;
        let like = self.pieces.first().and_then(|piece| {
            blocks::smaller(&piece.layout, part.dims())
                .filter(|_| piece.layout.dims() != part.dims())
        });
        match (like, self.pieces) {
            (_, [piece]) if piece.layout.dims() == part.dims() => piece.layout.clone(),
            (Some(like), _) => like,
            (None, _) => part.clone(),
        }
    }

    /// How the part is cut. Every thread has a buffer for each side.
    fn blocks<'b>(&'b self, src: &'b DynLayout, means: Means) -> Blocks<'b> {
        let threads = means.threads.max(1);
        let dst = &self.part.layout;
        // Memory is slow when it is used for the first time: each thread uses its own for several blocks.
        let several = src.bytes().max(dst.bytes()) / (BLOCKS_OF_A_THREAD * threads);
        let most = means.memory / (self.buffers() * threads);
        let plain = self.pieces.iter().all(|piece| piece.encoded.is_none());
        let large = match plain && self.buffers() == 2 && array::same_memory(src, dst) {
            true => BLOCK_AS_IT_IS,
            false => several.max(LARGE_BLOCK),
        };
        Blocks::new(src, dst, most.min(large))
    }

    /// Whether the elements of a piece become those of another type.
    fn changes(&self, piece: &Array) -> bool {
        piece.layout.element_type() != self.part.layout.element_type()
    }

    /// How many blocks are in memory for each thread: the one that is read and the one that is written, and
    /// between them two row-major ones, where a block is put together from boxes, or the one whose elements have
    /// become those of another type.
    fn buffers(&self) -> usize {
        let part = self.part.layout.dims();
        let alone = |piece: &Array| {
            piece.layout.dims() == part
                || granules(piece).is_some_and(|all| all.iter().all(|granule| *granule == 1))
        };
        match self.pieces {
            [piece] if alone(piece) && !self.changes(piece) => 2,
            _ => 4,
        }
    }

    /// The bytes of all blocks that are in memory at once with one thread.
    pub(crate) fn memory(&self, means: Means) -> u64 {
        let means = Means {
            threads: 1,
            ..means
        };
        let src = self.source_layout();
        let sizes = self.blocks(&src, means).sizes().to_vec();
        let of = |layout| blocks::smaller(layout, &sizes).map_or(0, |block| block.bytes() as u64);
        let half = self.buffers() as u64 / 2;
        (of(&src) + of(&self.part.layout)).saturating_mul(half)
    }

    /// How the part is cut: the number of blocks, their sizes, and the bytes of their shortest runs, read and
    /// written, where they have any.
    #[must_use]
    pub fn cut(&self, means: Means) -> (usize, Vec<usize>, Option<(usize, usize)>) {
        let src = self.source_layout();
        let blocks = self.blocks(&src, means);
        (blocks.count(), blocks.sizes().to_vec(), blocks.runs())
    }

    /// Why a block of this many bytes has no memory, and what to do.
    fn no_memory(&self, means: Means, bytes: usize) -> Error {
        let (count, sizes, _) = self.cut(means);
        let threads = means.threads.min(count).max(1);
        // Half of the memory of all blocks, and less, until the blocks are smaller.
        let all = (bytes.saturating_mul(2 * means.threads) >> 20).min(means.memory >> 20);
        let smaller = std::iter::successors(Some(all / 2), |mib| Some(mib / 2));
        let smaller = smaller.take_while(|mib| *mib > 0).find(|mib| {
            let memory = mib << 20;
            self.cut(Means { memory, ..means }).1 != sizes
        });
        let help = if let Some(mib) = smaller {
            let threads = means.threads;
            format!("convert in smaller blocks: `--memory {mib} --threads {threads}`")
        } else if threads > 1 {
            let mib = ((means.memory / means.threads) >> 20).max(1);
            format!(
                "these two layouts share no smaller blocks; convert one block after the other: \
                 `--memory {mib} --threads 1`"
            )
        } else {
            "these two layouts share no smaller blocks; let the program use more memory (`ulimit -v`), \
             or convert on a machine that has more"
                .to_owned()
        };
        let size = words::exact_bytes(bytes);
        let each = match threads {
            1 => "two blocks are needed".to_owned(),
            _ => format!("each of {threads} threads needs two blocks"),
        };
        let what = format_args!("{size} could not be allocated for a block; {each}");
        Error::file(what).help(help)
    }

    /// Copies the part. What the destination does not get is padding, and zero there.
    ///
    /// # Errors
    /// Of reading and writing, when a block finds no memory, and when it is to stop.
    pub fn run(
        &self,
        (from, to): (&dyn Sources, &dyn Sink),
        means: Means,
        stop: &Stop,
        done: &(dyn Fn(usize) + Sync),
    ) -> Outcome {
        let src = self.source_layout();
        let blocks = self.blocks(&src, means);
        let next = AtomicUsize::new(0);
        let failed: Mutex<Option<Error>> = Mutex::new(None);
        let work = || {
            let mut worker = Worker::new(self, (from, to), means, stop);
            loop {
                let k = next.fetch_add(1, Ordering::Relaxed);
                if k >= blocks.count() {
                    return;
                }
                match worker.copy(&blocks.get(k)) {
                    Ok(bytes) => done(bytes),
                    Err(failure) => {
                        next.store(blocks.count(), Ordering::Relaxed);
                        let mut failed = failed.lock().unwrap_or_else(|poison| poison.into_inner());
                        failed.get_or_insert(failure);
                        return;
                    }
                }
            }
        };
        std::thread::scope(|scope| {
            for _ in 1..means.threads.min(blocks.count()) {
                // Without another thread this one does its work, too.
                if std::thread::Builder::new()
                    .spawn_scoped(scope, work)
                    .is_err()
                {
                    break;
                }
            }
            work();
        });
        match failed
            .into_inner()
            .unwrap_or_else(|poison| poison.into_inner())
        {
            Some(failure) => Err(failure),
            None => Ok(()),
        }
    }
}

/// What a thread has.
struct Worker<'a> {
    job: &'a Job<'a>,
    from: &'a dyn Sources,
    to: &'a dyn Sink,
    means: Means,
    stop: &'a Stop,
    plans: PlanCache,
    /// For each piece the numbers of which a cut must be a multiple; `None` where it cannot be cut.
    granules: Vec<Option<Vec<usize>>>,
    src: Vec<u8>,
    dense: Vec<u8>,
    dst: Vec<u8>,
    /// The piece whose bytes `src` holds decoded.
    decoded: Option<usize>,
}

impl<'a> Worker<'a> {
    fn new(
        job: &'a Job<'a>,
        (from, to): (&'a dyn Sources, &'a dyn Sink),
        means: Means,
        stop: &'a Stop,
    ) -> Self {
        Self {
            job,
            from,
            to,
            means,
            stop,
            plans: PlanCache::new(16),
            granules: job.pieces.iter().map(granules).collect(),
            src: Vec::new(),
            dense: Vec::new(),
            dst: Vec::new(),
            decoded: None,
        }
    }

    fn room(&self, buffer: &mut Vec<u8>, bytes: usize) -> Outcome {
        room(buffer, bytes).ok_or_else(|| self.job.no_memory(self.means, bytes))
    }

    fn box_of(&self, k: usize, wanted: &[Range<usize>], around: bool) -> Option<Source> {
        box_of(
            (self.job.pieces, self.job.part),
            (k, &self.granules[k]),
            wanted,
            around,
        )
    }

    /// Copies a block; answers the bytes of its elements.
    fn copy(&mut self, block: &Block) -> Outcome<usize> {
        let part = self.job.part;
        let view = PackedView::new(&part.layout, &block.sizes, &block.origin)
            .ok_or_else(|| Error::usage("the layouts cannot be cut into blocks"))?;
        let wanted: Vec<Range<usize>> = (0..block.sizes.len())
            .map(|dim| {
                let begin = part.origin[dim] + block.origin[dim];
                begin..begin + block.sizes[dim]
            })
            .collect();
        let direct = (self.job.pieces.iter().enumerate())
            .find(|(_, piece)| common(piece, &wanted).as_ref() == Some(&wanted))
            .and_then(|(k, _)| Some((k, self.box_of(k, &wanted, false)?)));
        let mut dst = std::mem::take(&mut self.dst);
        let as_it_is = direct.as_ref().is_some_and(|(k, source)| {
            !self.job.changes(&self.job.pieces[*k])
                && view.layout.padding() == 0
                && array::same_memory(&source.layout, &view.layout)
        });
        if !as_it_is {
            self.room(&mut dst, view.layout.bytes())?;
            if view.layout.padding() > 0 || view.layout.element_bits() < 8 {
                dst.fill(0);
            }
        }
        match direct {
            Some((k, source)) if as_it_is => {
                self.read(k, &source)?;
                // Decoded bytes are read again by the next block.
                match self.decoded {
                    Some(_) => dst.clone_from(&self.src),
                    None => std::mem::swap(&mut self.src, &mut dst),
                }
            }
            Some((k, source)) => {
                let layout = self.read_as_wanted(k, source)?;
                let src = std::mem::take(&mut self.src);
                self.relayout((&layout, &src), (&view.layout, &mut dst))?;
                self.src = src;
            }
            None => {
                self.gather(&wanted)?;
                let dense = self.dense_layout(&block.sizes)?;
                let source = std::mem::take(&mut self.dense);
                self.relayout((&dense, &source), (&view.layout, &mut dst))?;
                self.dense = source;
            }
        }
        for (run, at) in view.runs(&part.layout) {
            let mut at = part.offset + at as u64;
            for piece in dst[run].chunks(PIECE) {
                self.stop.check()?;
                self.to.write(piece, at)?;
                at += piece.len() as u64;
            }
        }
        self.dst = dst;
        Ok((view.layout.elements() * view.layout.element_bits()).div_ceil(8))
    }

    /// The elements of a block, row-major, from all pieces that have some of them.
    fn gather(&mut self, wanted: &[Range<usize>]) -> Outcome {
        let sizes: Vec<usize> = wanted.iter().map(ExactSizeIterator::len).collect();
        let target = self.dense_layout(&sizes)?;
        let mut dense = std::mem::take(&mut self.dense);
        self.room(&mut dense, target.bytes())?;
        for (k, piece) in self.job.pieces.iter().enumerate() {
            let Some(found) = common(piece, wanted) else {
                continue;
            };
            let Some(source) = self.box_of(k, &found, true) else {
                return Err(Error::usage("the layouts cannot be cut into blocks"));
            };
            let begin = source.begin.clone();
            let layout = self.read_as_wanted(k, source)?;
            let around = self.dense_layout(layout.dims())?;
            let mut rows = Vec::new();
            self.room(&mut rows, around.bytes())?;
            let src = std::mem::take(&mut self.src);
            self.relayout((&layout, &src), (&around, &mut rows))?;
            self.src = src;
            // Both are row-major: rows of the part are rows of both.
            let inside = |dim: usize| found[dim].start - piece.origin[dim] - begin[dim];
            let outside = |dim: usize| found[dim].start - wanted[dim].start;
            let width = target.element_bits() / 8;
            let rank = found.len();
            let row = found.last().map_or(1, ExactSizeIterator::len) * width;
            let mut index = vec![0; rank];
            loop {
                let from: Vec<usize> = (0..rank).map(|dim| inside(dim) + index[dim]).collect();
                let to: Vec<usize> = (0..rank).map(|dim| outside(dim) + index[dim]).collect();
                let from = around.linear_index(&from.as_slice().into()) * width;
                let to = target.linear_index(&to.as_slice().into()) * width;
                dense[to..to + row].copy_from_slice(&rows[from..from + row]);
                // The next row.
                let next = (0..rank.saturating_sub(1))
                    .rev()
                    .find(|&dim| index[dim] + 1 < found[dim].len());
                let Some(dim) = next else { break };
                index[dim] += 1;
                index[dim + 1..].fill(0);
            }
        }
        self.dense = dense;
        Ok(())
    }

    /// A block of these sizes, row-major, each element in whole bytes.
    fn dense_layout(&self, sizes: &[usize]) -> Outcome<DynLayout> {
        let element_type = self.job.part.layout.element_type();
        array::signed(sizes)
            .and_then(|sizes| array::dense(element_type, &sizes, NumpyOrder::C))
            .ok_or_else(|| Error::usage("a block of the array is too large"))
    }

    fn relayout(
        &mut self,
        (src, from): (&DynLayout, &[u8]),
        (dst, to): (&DynLayout, &mut [u8]),
    ) -> Outcome {
        let plan = self.plans.plan(src, dst).map_err(Error::usage)?;
        let count = plan.bytes().div_ceil(PIECE);
        let chunks = plan.chunks_bytes(from, to, count).map_err(Error::usage)?;
        for chunk in chunks {
            self.stop.check()?;
            chunk.run();
        }
        Ok(())
    }

    /// Reads a box of a piece into `src`, with elements of the type that the part has; answers its layout.
    fn read_as_wanted(&mut self, k: usize, source: Source) -> Outcome<DynLayout> {
        self.read(k, &source)?;
        let piece = &self.job.pieces[k];
        if !self.job.changes(piece) {
            return Ok(source.layout);
        }
        let types = (
            piece.layout.element_type(),
            self.job.part.layout.element_type(),
        );
        let layout = numbers::with_type(&source.layout, types.1)
            .ok_or_else(|| Error::usage("a block of the array is too large"))?;
        let mut converted = Vec::new();
        self.room(&mut converted, layout.bytes())?;
        numbers::convert(
            (&self.src[..source.layout.bytes()], types.0),
            (&mut converted, types.1),
        );
        self.src = converted;
        // What is decoded is not there any more.
        self.decoded = None;
        Ok(layout)
    }

    /// Reads a box of a piece into `src`.
    fn read(&mut self, k: usize, source: &Source) -> Outcome {
        let piece = &self.job.pieces[k];
        let mut src = std::mem::take(&mut self.src);
        self.room(&mut src, source.layout.bytes())?;
        if let Some((stored, encodings)) = &piece.encoded {
            if self.decoded != Some(k) {
                self.decoded = None;
                let mut bytes = Vec::new();
                self.room(&mut bytes, *stored as usize)?;
                self.from.read(piece.file, &mut bytes, piece.offset)?;
                decode::decode(&mut bytes, encodings, &mut src[..source.layout.bytes()]).map_err(
                    |what| Error::file(format_args!("tensor `{}`: {what}", name(piece))),
                )?;
                swap(&mut src, piece);
                self.decoded = Some(k);
            }
        } else {
            self.decoded = None;
            self.read_runs(piece, &source.view, &mut src)?;
            swap(&mut src, piece);
        }
        self.src = src;
        Ok(())
    }

    fn read_runs(&self, piece: &Array, packed: &PackedView, src: &mut [u8]) -> Outcome {
        // Runs are announced before they are read, those that are near each other as one.
        let mut announced = packed.runs(&piece.layout).peekable();
        // How many bytes of the block were announced.
        let mut until = 0;
        let mut announce = |wanted: usize| {
            while until < wanted
                && let Some((run, at)) = announced.next()
            {
                let (begin, mut end) = (at as u64, (at + run.len()) as u64);
                until = run.end;
                while end - begin < PIECE as u64
                    && let Some((run, at)) =
                        announced.next_if(|(_, at)| (end..=end + NEAR).contains(&(*at as u64)))
                {
                    end = (at + run.len()) as u64;
                    until = run.end;
                }
                let bytes = usize::try_from(end - begin).unwrap_or(usize::MAX);
                self.from.soon(piece.file, piece.offset + begin, bytes);
            }
        };
        for (run, at) in packed.runs(&piece.layout) {
            announce(run.start + PIECE);
            let mut at = piece.offset + at as u64;
            for bytes in src[run].chunks_mut(PIECE) {
                self.stop.check()?;
                self.from.read(piece.file, bytes, at)?;
                at += bytes.len() as u64;
            }
        }
        Ok(())
    }
}

fn swap(bytes: &mut [u8], piece: &Array) {
    if let Some(width) = piece.swap {
        bytes.chunks_exact_mut(width).for_each(<[u8]>::reverse);
    }
}

fn name(piece: &Array) -> &str {
    piece.name.as_deref().unwrap_or_default()
}

/// Makes a buffer this long; `None` if the memory for it cannot be allocated.
fn room(buffer: &mut Vec<u8>, bytes: usize) -> Option<()> {
    let more = bytes.saturating_sub(buffer.len());
    buffer.try_reserve_exact(more).ok()?;
    buffer.resize(bytes, 0);
    Some(())
}

#[cfg(test)]
mod tests;
