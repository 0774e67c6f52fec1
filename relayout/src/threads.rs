//! A copy on several threads.

use xlayout_core::Element;

use crate::error::RelayoutError;
use crate::plan::Plan;

/// A thread has at least so many bytes to copy, measured: less takes no longer than starting it …
const STARTED: usize = 8 << 20;
/// … or, where rayon has started it, than waking it.
#[cfg(feature = "rayon")]
const WOKEN: usize = 1 << 20;
/// Chunks for each thread, so that one that is held up leaves its work to the others.
const CHUNKS: usize = 4;

impl Plan {
    /// How many threads are worth while that have at least so many bytes each.
    fn worth(&self, threads: usize, share: usize) -> usize {
        threads.min(self.bytes() / share).max(1)
    }

    /// As [`run`](Self::run), on at most so many threads, which are started for it and joined
    /// before it returns; 0 is as many as the machine has. Small arrays are copied on the calling
    /// thread.
    ///
    /// ```
    /// use xlayout_core::DynLayout;
    /// use xlayout_relayout::Plan;
    /// let a: DynLayout = "f32[1024,700]{1,0}".parse().unwrap();
    /// let b: DynLayout = "f32[1024,700]{0,1}".parse().unwrap();
    /// let (src, mut dst) = (vec![1.0_f32; 716_800], vec![0.0_f32; 716_800]);
    /// Plan::new(&a, &b).unwrap().run_threads(&src, &mut dst, 2).unwrap();
    /// assert_eq!(src, dst);
    /// ```
    ///
    /// # Errors
    /// As [`run`](Self::run).
    #[cfg(feature = "std")]
    pub fn run_threads<T: Element>(
        &self,
        src: &[T],
        dst: &mut [T],
        threads: usize,
    ) -> Result<(), RelayoutError> {
        use std::sync::{Mutex, PoisonError};

        let threads = match threads {
            0 => std::thread::available_parallelism().map_or(1, core::num::NonZero::get),
            threads => threads,
        };
        let threads = self.worth(threads, STARTED);
        if threads == 1 {
            return self.run(src, dst);
        }
        let chunks = Mutex::new(self.chunks(src, dst, CHUNKS * threads)?);
        let work = || {
            loop {
                // Taking a chunk does not panic half-way.
                let chunk = chunks.lock().unwrap_or_else(PoisonError::into_inner).next();
                match chunk {
                    Some(chunk) => chunk.run(),
                    None => return,
                }
            }
        };
        std::thread::scope(|scope| {
            for _ in 1..threads {
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
        Ok(())
    }

    /// As [`run`](Self::run), on rayon's threads. Small arrays are copied on the calling thread.
    ///
    /// ```
    /// use xlayout_core::DynLayout;
    /// use xlayout_relayout::Plan;
    /// let a: DynLayout = "f32[1024,700]{1,0}".parse().unwrap();
    /// let b: DynLayout = "f32[1024,700]{0,1}".parse().unwrap();
    /// let (src, mut dst) = (vec![1.0_f32; 716_800], vec![0.0_f32; 716_800]);
    /// Plan::new(&a, &b).unwrap().run_parallel(&src, &mut dst).unwrap();
    /// assert_eq!(src, dst);
    /// ```
    ///
    /// # Errors
    /// As [`run`](Self::run).
    #[cfg(feature = "rayon")]
    pub fn run_parallel<T: Element>(&self, src: &[T], dst: &mut [T]) -> Result<(), RelayoutError> {
        use rayon::iter::{ParallelBridge, ParallelIterator};

        let threads = self.worth(rayon::current_num_threads(), WOKEN);
        if threads == 1 {
            return self.run(src, dst);
        }
        self.chunks(src, dst, CHUNKS * threads)?
            .par_bridge()
            .for_each(|chunk| chunk.run());
        Ok(())
    }
}
