//! What each thread of a copy does with a block.

use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};

use xlayout::interop::NumpyOrder;
use xlayout::{ArrayLayout, DynLayout};
use xlayout_relayout::{Plan, RelayoutError};

use super::{DEFAULT, Means, Sink, Sources, Step, allocatable, in_parallel};
use crate::array::{self, Array, common};
use crate::blocks::PackedView;
use crate::decode;
use crate::error::{Error, Outcome};
use crate::numbers;
use crate::pieces::{Job, box_of, granules};
use crate::positioned::OpenFile;
use crate::stop::Stop;

/// The least gap between runs of bytes that are announced to the system separately.
const NEAR: u64 = 8 << 10;

/// The number of bytes that are read, copied or written between two checks of a request to stop.
const PIECE: usize = 8 << 20;

/// The state and buffers of a thread.
struct Worker<'a> {
    job: &'a Job,
    from: &'a dyn Sources,
    to: &'a dyn Sink,
    /// The bytes of a block for which there was no memory. The error is made when the memory of all
    /// threads is free again.
    missing: &'a AtomicUsize,
    stop: &'a Stop,
    plans: Plans,
    /// For each piece, the numbers of which a cut must be a multiple; `None` if it cannot be cut.
    granules: Vec<Option<Vec<usize>>>,
    src: Vec<u8>,
    dense: Vec<u8>,
    dst: Vec<u8>,
    /// The piece whose decoded bytes are in `src`.
    decoded: Option<usize>,
}

impl Job {
    /// Copies the part. Bytes that are not written are padding, and zero in the destination.
    ///
    /// # Errors
    /// Errors of reading and writing, a lack of memory, and a request to stop.
    pub fn run(&self, (from, to): (&dyn Sources, &dyn Sink), means: Means<'_>) -> Outcome {
        let memory = means.memory.unwrap_or(DEFAULT);
        let blocks = self.blocks(means.threads, memory);
        let missing = AtomicUsize::new(0);
        let worker = || Worker {
            job: self,
            from,
            to,
            missing: &missing,
            stop: means.stop,
            plans: Plans::default(),
            granules: self.pieces.iter().map(granules).collect(),
            src: Vec::new(),
            dense: Vec::new(),
            dst: Vec::new(),
            decoded: None,
        };
        let done = in_parallel(means.threads, blocks.count(), worker, |worker, k| {
            let bytes = worker.copy(&blocks.get(k))?;
            (means.progress)(Step::Done(bytes as u64));
            Ok(())
        });
        match missing.into_inner() {
            0 => done,
            bytes => Err(self.no_memory(means.threads, memory, bytes)),
        }
    }
}

impl Worker<'_> {
    /// Copies a block, and returns the bytes of its elements.
    fn copy(&mut self, block: &[Range<usize>]) -> Outcome<usize> {
        let part = self.job;
        let view = PackedView::new(&part.layout, block).ok_or_else(uncut)?;
        let begins = array::each(&part.origin, &view.begin, |a, b| a + b);
        let wanted = array::area(&begins, &array::sizes(block));
        let direct = (self.job.pieces.iter().enumerate())
            .find(|(_, piece)| common(&piece.area(), &wanted).as_ref() == Some(&wanted))
            .and_then(|(k, _)| Some((k, box_of(part, (k, &self.granules[k]), &wanted, false)?)));
        let as_it_is = direct.as_ref().is_some_and(|(k, source)| {
            !self.job.changes(&self.job.pieces[*k])
                && view.layout.padding() == 0
                && array::same_memory(&source.layout, &view.layout)
        });
        if !as_it_is {
            room(self.missing, &mut self.dst, view.layout.bytes())?;
            if view.layout.padding() > 0 || view.layout.element_bits() < 8 {
                self.dst.fill(0);
            }
        }
        let from = match &direct {
            Some((k, source)) => self.read_as_wanted(*k, source)?,
            None => self.gather(&wanted)?,
        };
        let read = direct.map_or(&self.dense, |_| &self.src);
        if !as_it_is {
            let with = (&mut self.plans, self.stop);
            relayout(with, (&from, read), (&view.layout, &mut self.dst))?;
        }
        let bytes = if as_it_is { read } else { &self.dst };
        for (run, at) in view.runs(&part.layout) {
            let mut at = part.offset + at as u64;
            for piece in bytes[run].chunks(PIECE) {
                self.stop.check()?;
                self.to.write(piece, at)?;
                at += piece.len() as u64;
            }
        }
        Ok((view.layout.elements() * view.layout.element_bits()).div_ceil(8))
    }

    /// Collects the elements of a block in `dense`, row-major, from all pieces that have some of
    /// them. Returns its layout.
    fn gather(&mut self, wanted: &[Range<usize>]) -> Outcome<DynLayout> {
        let target = self.dense_layout(&array::sizes(wanted))?;
        room(self.missing, &mut self.dense, target.bytes())?;
        let job = self.job;
        for (k, piece) in job.pieces.iter().enumerate() {
            let Some(found) = common(&piece.area(), wanted) else {
                continue;
            };
            let source = box_of(job, (k, &self.granules[k]), &found, true).ok_or_else(uncut)?;
            let layout = self.read_as_wanted(k, &source)?;
            let around = self.dense_layout(layout.dims())?;
            let mut rows = Vec::new();
            room(self.missing, &mut rows, around.bytes())?;
            let with = (&mut self.plans, self.stop);
            relayout(with, (&layout, &self.src), (&around, &mut rows))?;
            // All three arrays are row-major. The elements are copied to the front of the box, and
            // from there to their positions.
            let begins = array::each(&piece.origin, &source.begin, |a, b| a + b);
            let view = |whole: &DynLayout, origin: &[usize]| {
                PackedView::new(whole, &array::inside(&found, origin)).ok_or_else(uncut)
            };
            for (run, at) in view(&around, &begins)?.runs(&around) {
                rows.copy_within(at..at + run.len(), run.start);
            }
            for (run, at) in view(&target, &array::origin(wanted))?.runs(&target) {
                self.dense[at..at + run.len()].copy_from_slice(&rows[run]);
            }
        }
        Ok(target)
    }

    /// A block of these sizes, row-major, each element in whole bytes.
    fn dense_layout(&self, sizes: &[usize]) -> Outcome<DynLayout> {
        let element_type = self.job.layout.element_type();
        array::dense(element_type, sizes, NumpyOrder::C).ok_or_else(too_large)
    }

    /// Reads a box of a piece into `src`, with elements of the part's type, and returns its layout.
    fn read_as_wanted(&mut self, k: usize, source: &PackedView) -> Outcome<DynLayout> {
        self.read(k, source)?;
        let piece = &self.job.pieces[k];
        let packed = &source.layout;
        if !self.job.changes(piece) {
            return Ok(packed.clone());
        }
        let element_type = self.job.layout.element_type();
        let layout = numbers::with_type(packed, element_type).ok_or_else(too_large)?;
        let mut converted = Vec::new();
        room(self.missing, &mut converted, layout.bytes())?;
        let stored = &self.src[..packed.bytes()];
        let stored_type = piece.layout.element_type();
        numbers::convert(stored, stored_type, &mut converted, element_type);
        self.src = converted;
        // The decoded bytes are overwritten.
        self.decoded = None;
        Ok(layout)
    }

    /// Reads a box of a piece into `src`.
    fn read(&mut self, k: usize, source: &PackedView) -> Outcome {
        let piece = &self.job.pieces[k];
        let bytes = source.layout.bytes();
        // The decoded bytes are still in the buffer.
        if piece.encoded.is_some() && self.decoded == Some(k) {
            return Ok(());
        }
        self.decoded = None;
        room(self.missing, &mut self.src, bytes)?;
        let file = self.from.file(piece.file)?;
        if let Some((stored, encodings)) = &piece.encoded {
            let mut found = Vec::new();
            room(self.missing, &mut found, *stored as usize)?;
            file.read(&mut found, piece.offset)?;
            file.count(*stored);
            decode::of_file(&file, &mut found, encodings, &mut self.src)?;
            self.decoded = Some(k);
        } else {
            read_runs((&file, self.stop), piece, source, &mut self.src)?;
        }
        if let Some(width) = piece.swap {
            self.src.chunks_exact_mut(width).for_each(<[u8]>::reverse);
        }
        Ok(())
    }
}

/// The plans that a thread has made. Blocks of one piece have few pairs of layouts: those inside,
/// and those at edges.
#[derive(Default)]
struct Plans(Vec<(DynLayout, DynLayout, Plan)>);

impl Plans {
    /// The most plans that are kept.
    const MOST: usize = 16;

    fn get(&mut self, src: &DynLayout, dst: &DynLayout) -> Result<&Plan, RelayoutError> {
        let mut plans = self.0.iter();
        let number = match plans.position(|(from, to, _)| from == src && to == dst) {
            Some(number) => number,
            None => {
                let plan = Plan::new(src, dst)?;
                if self.0.len() == Self::MOST {
                    self.0.remove(0);
                }
                self.0.push((src.clone(), dst.clone(), plan));
                self.0.len() - 1
            }
        };
        Ok(&self.0[number].2)
    }
}

fn relayout(
    (plans, stop): (&mut Plans, &Stop),
    (src, from): (&DynLayout, &[u8]),
    (dst, to): (&DynLayout, &mut [u8]),
) -> Outcome {
    let plan = plans.get(src, dst).map_err(Error::usage)?;
    let count = plan.bytes().div_ceil(PIECE);
    let chunks = plan.chunks_bytes(from, to, count).map_err(Error::usage)?;
    for chunk in chunks {
        stop.check()?;
        chunk.run();
    }
    Ok(())
}

fn read_runs(
    (file, stop): (&OpenFile, &Stop),
    piece: &Array,
    packed: &PackedView,
    src: &mut [u8],
) -> Outcome {
    // Runs are announced before they are read, those that are near each other as one.
    let mut near = 0..0;
    for (run, at) in packed.runs(&piece.layout) {
        let at = piece.offset + at as u64;
        if !(near.end..=near.end + NEAR).contains(&at) {
            file.soon(&near);
            near.start = at;
        }
        near.end = at + run.len() as u64;
    }
    file.soon(&near);
    let mut read = 0;
    for (run, at) in packed.runs(&piece.layout) {
        let mut at = piece.offset + at as u64;
        for bytes in src[run].chunks_mut(PIECE) {
            stop.check()?;
            file.read(bytes, at)?;
            at += bytes.len() as u64;
            read += bytes.len() as u64;
        }
    }
    file.count(read);
    Ok(())
}

fn uncut() -> Error {
    Error::usage("the layouts cannot be cut into blocks")
}

fn too_large() -> Error {
    Error::usage("a block of the array is too large")
}

/// The memory that must stay free beside a buffer. If a small allocation fails, the process ends
/// without an error.
const SPARE: usize = 1 << 20;

/// Resizes a buffer. `missing` becomes the bytes if their memory cannot be allocated, or less than
/// [`SPARE`] would be left.
pub(super) fn room(missing: &AtomicUsize, buffer: &mut Vec<u8>, bytes: usize) -> Outcome {
    let more = bytes.saturating_sub(buffer.len());
    if more > 0 && (buffer.try_reserve_exact(more).is_err() || !allocatable(SPARE)) {
        missing.store(bytes, Ordering::Relaxed);
        return Err(Error::file("a block has no memory"));
    }
    buffer.resize(bytes, 0);
    Ok(())
}
