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
use crate::failure::{Failure, Outcome};
use crate::words;

/// So many bytes are read, copied or written before it is asked whether to stop.
const PIECE: usize = 8 << 20;

/// A block is not larger, unless each thread has so many of them.
const LARGE_BLOCK: usize = 32 << 20;
const BLOCKS_OF_A_THREAD: usize = 8;

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
        let threads = means.threads.max(1);
        // Memory is slow when it is used for the first time: each thread uses its own for several blocks.
        let several = self.src.bytes().max(self.dst.bytes()) / (BLOCKS_OF_A_THREAD * threads);
        let most = means.memory / (2 * threads);
        Blocks::new(&self.src, &self.dst, most.min(several.max(LARGE_BLOCK)))
    }

    /// Why a block of this many bytes has no memory, and what to do.
    fn no_memory(&self, means: Means, bytes: usize) -> Failure {
        let blocks = self.blocks(means);
        let threads = means.threads.min(blocks.count()).max(1);
        // Half of the memory of all blocks, and less, until the blocks are smaller.
        let all = (bytes.saturating_mul(2 * means.threads) >> 20).min(means.memory >> 20);
        let smaller = std::iter::successors(Some(all / 2), |mib| Some(mib / 2));
        let smaller = smaller.take_while(|mib| *mib > 0).find(|mib| {
            let memory = mib << 20;
            self.blocks(Means { memory, ..means }).sizes() != blocks.sizes()
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
        Failure::file(what).help(help)
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
                means,
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
    means: Means,
    stop: &'a Stop,
    plans: PlanCache,
    src: Vec<u8>,
    dst: Vec<u8>,
}

impl Worker<'_> {
    /// Converts a block; answers the bytes of its elements.
    fn convert(&mut self, block: Option<Block>) -> Outcome<usize> {
        let block = block.ok_or_else(|| Failure::usage("the layouts cannot be cut into blocks"))?;
        for (buffer, side) in [(&mut self.src, &block.src), (&mut self.dst, &block.dst)] {
            let bytes = side.layout.bytes();
            room(buffer, bytes).ok_or_else(|| self.job.no_memory(self.means, bytes))?;
        }
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
            .map_err(Failure::usage)?;
        let chunks = plan
            .chunks_bytes(&self.src, &mut self.dst, plan.bytes().div_ceil(PIECE))
            .map_err(Failure::usage)?;
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

/// Makes a buffer this long; `None` if the memory for it cannot be allocated.
fn room(buffer: &mut Vec<u8>, bytes: usize) -> Option<()> {
    let more = bytes.saturating_sub(buffer.len());
    buffer.try_reserve_exact(more).ok()?;
    buffer.resize(bytes, 0);
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Much memory is used where each thread converts several blocks in it.
    #[test]
    fn blocks_are_large_where_there_are_many() {
        let bytes = |rows: usize| {
            let job = Job {
                src: format!("u8[{rows},1048576]{{1,0}}").parse().unwrap(),
                dst: format!("u8[{rows},1048576]{{0,1}}").parse().unwrap(),
                src_offset: 0,
                dst_offset: 0,
                swap: None,
            };
            let means = Means {
                threads: 4,
                memory: 1 << 30,
            };
            job.blocks(means).sizes().iter().product::<usize>() >> 20
        };
        // A gibibyte, and 16 of them.
        assert_eq!([1024, 16384].map(bytes), [32, 128]);
    }

    /// What is said depends on whether the layouts can be cut into smaller blocks.
    #[test]
    fn memory_that_cannot_be_allocated() {
        let said = |[src, dst]: [&str; 2], threads: usize, memory: usize, bytes: usize| {
            let job = Job {
                src: src.parse().unwrap(),
                dst: dst.parse().unwrap(),
                src_offset: 0,
                dst_offset: 0,
                swap: None,
            };
            let memory = memory << 20;
            let failure = job.no_memory(Means { threads, memory }, bytes);
            anstream::adapter::strip_str(&failure.render()).to_string()
        };
        let rows = ["f32[4096,4096]{1,0}", "f32[4096,4096]{0,1}"];
        let found = said(rows, 4, 1024, 1 << 25);
        assert!(found.contains("could not be allocated"), "{found}");
        assert!(found.contains("33,554,432"), "{found}");
        assert!(found.contains("`--memory 128 --threads 4`"), "{found}");
        // A `*` in a tile: the array is one block.
        let merged = ["f32[4096,4096]{1,0:T(*,128)}", "f32[4096,4096]{0,1}"];
        let found = said(merged, 1, 256, 1 << 26);
        assert!(found.contains("no smaller blocks"), "{found}");
        assert!(!found.contains("--threads"), "{found}");
        // One block for each thread, as small as it can be.
        let long = [
            "f32[64,1048576]{1,0:T(8,1048576)}",
            "f32[64,1048576]{0,1:T(1048576,8)}",
        ];
        let found = said(long, 2, 1, 1 << 25);
        assert!(found.contains("`--memory 1 --threads 1`"), "{found}");
        assert_eq!(room(&mut Vec::new(), usize::MAX), None);
        assert_eq!(room(&mut Vec::new(), 1), Some(()));
    }
}
