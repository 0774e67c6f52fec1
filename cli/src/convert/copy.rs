//! The conversion itself: threads that each read a block, bring it into the other layout in memory,
//! and write it.

use std::fs::File;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use xlayout::{ArrayLayout, DynLayout};
use xlayout_relayout::PlanCache;

use super::blocks::{Block, Blocks, PackedView};
use super::positioned;
use super::stop::Stop;
use crate::failure::{Code, Failure, Outcome};
use crate::words;

/// So many bytes are read, copied or written before it is asked whether to stop.
const PIECE: usize = 8 << 20;

/// One array, from file to file.
pub(crate) struct Job {
    pub(crate) src: DynLayout,
    pub(crate) dst: DynLayout,
    /// Where the array begins in the files, in bytes.
    pub(crate) src_offset: u64,
    pub(crate) dst_offset: u64,
    /// The bytes of what is one number in an element (two in a complex one), if they are stored most
    /// significant first.
    pub(crate) swap: Option<usize>,
}

/// What a conversion may use.
#[derive(Clone, Copy)]
pub(crate) struct Means {
    pub(crate) threads: usize,
    /// In bytes, for the buffers of all threads.
    pub(crate) memory: usize,
}

/// An open file and its name.
#[derive(Clone, Copy)]
pub(crate) struct Named<'a> {
    pub(crate) file: &'a File,
    pub(crate) path: &'a Path,
}

impl Job {
    /// How the array is cut. Every thread has a buffer for each side.
    pub(crate) fn blocks(&self, means: Means) -> Blocks<'_> {
        Blocks::new(
            &self.src,
            &self.dst,
            means.memory / (2 * means.threads.max(1)),
        )
    }

    /// Converts the array. The destination is there, of its size, and zero: what is not written is padding.
    ///
    /// # Errors
    /// Of reading and writing, when a block finds no memory, and when it is to stop.
    pub(crate) fn run(
        &self,
        (from, to): (Named<'_>, Named<'_>),
        means: Means,
        stop: &Stop,
        done: &(dyn Fn(usize) + Sync),
    ) -> Outcome {
        let blocks = self.blocks(means);
        let next = AtomicUsize::new(0);
        let failed: Mutex<Option<Failure>> = Mutex::new(None);
        let work = || {
            let mut worker = Worker {
                job: self,
                from,
                to,
                stop,
                plans: PlanCache::new(16),
                src: Vec::new(),
                dst: Vec::new(),
            };
            loop {
                let k = next.fetch_add(1, Ordering::Relaxed);
                if k >= blocks.count() {
                    return;
                }
                match worker.convert(blocks.get(k)) {
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
    job: &'a Job,
    from: Named<'a>,
    to: Named<'a>,
    stop: &'a Stop,
    plans: PlanCache,
    src: Vec<u8>,
    dst: Vec<u8>,
}

impl Worker<'_> {
    /// Converts a block; answers the bytes of its elements.
    fn convert(&mut self, block: Option<Block>) -> Outcome<usize> {
        let block = block
            .ok_or_else(|| Failure::new(Code::Usage, "the layouts cannot be cut into blocks"))?;
        room(&mut self.src, block.src.layout.bytes())?;
        room(&mut self.dst, block.dst.layout.bytes())?;
        self.read(&block.src)?;
        if let Some(width) = self.job.swap {
            self.src.chunks_exact_mut(width).for_each(<[u8]>::reverse);
        }
        if block.dst.layout.padding() > 0 || block.dst.layout.element_bits() < 8 {
            self.dst.fill(0);
        }
        let plan = self
            .plans
            .plan(&block.src.layout, &block.dst.layout)
            .map_err(|error| Failure::new(Code::Usage, error))?;
        let chunks = plan
            .chunks_bytes(&self.src, &mut self.dst, plan.bytes().div_ceil(PIECE))
            .map_err(|error| Failure::new(Code::Usage, error))?;
        for chunk in chunks {
            self.stop.check()?;
            chunk.run();
        }
        let bytes = plan.bytes();
        self.write(&block.dst)?;
        Ok(bytes)
    }

    fn read(&mut self, packed: &PackedView) -> Outcome {
        // As many runs as make a piece are announced before they are read.
        let ahead = PIECE / packed.run_bytes().max(1);
        let mut announced = packed.runs(&self.job.src);
        let mut announce = |count: usize| {
            for (run, at) in announced.by_ref().take(count) {
                positioned::soon(self.from.file, self.job.src_offset + at as u64, run.len());
            }
        };
        announce(ahead);
        for (run, at) in packed.runs(&self.job.src) {
            announce(1.min(ahead));
            let mut at = self.job.src_offset + at as u64;
            for piece in self.src[run].chunks_mut(PIECE) {
                self.stop.check()?;
                positioned::read(self.from.file, piece, at)
                    .map_err(|error| Failure::of_file("read", self.from.path, &error))?;
                at += piece.len() as u64;
            }
        }
        Ok(())
    }

    fn write(&self, packed: &PackedView) -> Outcome {
        for (run, at) in packed.runs(&self.job.dst) {
            let mut at = self.job.dst_offset + at as u64;
            for piece in self.dst[run].chunks(PIECE) {
                self.stop.check()?;
                positioned::write(self.to.file, piece, at)
                    .map_err(|error| Failure::of_file("write", self.to.path, &error))?;
                at += piece.len() as u64;
            }
        }
        Ok(())
    }
}

/// Makes a buffer this long.
fn room(buffer: &mut Vec<u8>, bytes: usize) -> Outcome {
    let more = bytes.saturating_sub(buffer.len());
    buffer.try_reserve_exact(more).map_err(|_| {
        let what = words::exact_bytes(bytes);
        Failure::new(
            Code::File,
            format_args!("there is no memory for a block of {what}"),
        )
        .help("these two layouts share no smaller parts; convert on a machine with more memory")
    })?;
    buffer.resize(bytes, 0);
    Ok(())
}
