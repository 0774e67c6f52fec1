//! A copy on several threads.
#![allow(unsafe_code)]

use xlayout_core::{ArrayLayout, ArrayRef, Element};

use crate::error::RelayoutError;
use crate::kernels::cost::threads::{self, Work};
use crate::kernels::task::Kernel;
use crate::learn::Pages;
use crate::machine::Machine;
use crate::plan::{Chunks, Ends, Plan};
use crate::way::Way;

/// The number of chunks for each thread. There are several, so that the other threads take over
/// those of a thread that is held up.
pub(crate) const CHUNKS_PER_THREAD: usize = 8;

impl Plan {
    /// As [`run`](Self::run), on at most `threads` threads. They are started for this call and
    /// joined before it returns; 0 means as many as the machine had when it was first asked. A
    /// thread is started only if its share of the copy is estimated to take four times as long as
    /// the start, so small arrays are copied on the calling thread.
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
    pub fn run_threads<T: Element>(
        &self,
        src: &[T],
        dst: &mut [T],
        threads: usize,
    ) -> Result<(), RelayoutError> {
        // SAFETY: just checked; the borrows do not overlap.
        unsafe { self.run_on_threads(self.of_slices(src, dst)?, threads) };
        Ok(())
    }

    /// As [`run_threads`](Self::run_threads), for bytes of any alignment.
    ///
    /// ```
    /// use xlayout_core::{DynLayout, ElementType};
    /// use xlayout_relayout::Plan;
    /// // numpy's `a[::-1]` of 256 KiB.
    /// let rows: DynLayout = "u16[512,256]{1,0}".parse().unwrap();
    /// let plan = Plan::from_strided(&[512, 256], &[-512, 2], 261_632, ElementType::U16, &rows).unwrap();
    /// let src: Vec<u8> = (0..1 << 18).map(|at| (at >> 9) as u8).collect();
    /// let mut dst = vec![0; 1 << 18];
    /// plan.run_bytes_threads(&src, &mut dst, 2).unwrap();
    /// assert_eq!(dst[..512], src[261_632..]);
    /// ```
    ///
    /// # Errors
    /// As [`run_bytes`](Self::run_bytes).
    pub fn run_bytes_threads(
        &self,
        src: &[u8],
        dst: &mut [u8],
        threads: usize,
    ) -> Result<(), RelayoutError> {
        // SAFETY: as in `run_threads`.
        unsafe { self.run_on_threads(self.of_bytes(src, dst)?, threads) };
        Ok(())
    }

    /// Runs the plan on at most `threads` threads, and on fewer if they are not worth their start.
    ///
    /// # Safety
    /// As [`Chunks::new`].
    unsafe fn run_on_threads(&self, ends: Ends, threads: usize) {
        // SAFETY: the caller's promise.
        unsafe {
            match self.worth(Machine::here(), threads, threads::STARTED) {
                1 => self.run_raw(ends),
                threads => self.run_on(ends, threads, Pages::Known),
            }
        }
    }

    /// Runs the plan on `threads` threads, by the strategy whose turn it is. `pages` says whether
    /// the pages of the destination are new.
    ///
    /// # Safety
    /// As [`Chunks::new`].
    pub(crate) unsafe fn run_on(&self, ends: Ends, threads: usize, pages: Pages) {
        let run_chunks = |plan: &Self| {
            let parts = plan.parts(CHUNKS_PER_THREAD * threads);
            // SAFETY: the caller's promise.
            on_threads(unsafe { Chunks::new(plan, ends, parts) }, threads);
        };
        let (_, dst) = ends;
        match self.lessons_of(threads, pages) {
            None => run_chunks(self),
            Some(lessons) => lessons.at(dst).run(self.bytes(), |choice| {
                run_chunks(&self.clone().with(choice));
            }),
        }
    }

    /// As [`run_threads`](Self::run_threads), from view to view as [`run_views`](Self::run_views):
    /// a view may be a [part](xlayout_core::View) of an array.
    ///
    /// ```
    /// use xlayout_core::{Array, DynLayout};
    /// use xlayout_relayout::Plan;
    /// let rows: DynLayout = "f32[300,200]{1,0}".parse().unwrap();
    /// let columns: DynLayout = "f32[300,200]{0,1}".parse().unwrap();
    /// let rows = Array::from_fn(rows, |at| (200 * at[0] + at[1]) as f32).unwrap();
    /// let mut columns = Array::zeros(columns).unwrap();
    /// let plan = Plan::new(rows.layout(), columns.layout()).unwrap();
    /// plan.run_views_threads(&rows, &mut columns, 2).unwrap();
    /// assert_eq!(columns[[299, 199]], 59_999.0);
    /// ```
    ///
    /// # Errors
    /// As [`run_views`](Self::run_views).
    pub fn run_views_threads<T: Element, A: ArrayLayout, B: ArrayLayout>(
        &self,
        src: &ArrayRef<T, A>,
        dst: &mut ArrayRef<T, B>,
        threads: usize,
    ) -> Result<(), RelayoutError> {
        // SAFETY: as in `run_threads`.
        unsafe { self.run_on_threads(self.of_views(src, dst)?, threads) };
        Ok(())
    }

    /// The number of threads that are worth their start on a machine, if the start of one takes
    /// `start` nanoseconds. It is at most `threads`, or at most the machine's cores if that is 0.
    pub(crate) fn worth(&self, machine: Machine, threads: usize, start: f64) -> usize {
        let limit = match threads {
            0 => machine.cores,
            threads => threads,
        };
        let work = match &self.way {
            Way::Nothing => return 1,
            Way::Bits(boxed) if boxed.nests().next().is_some_and(|nest| nest.width > 1) => {
                Work::BitRuns
            }
            Way::Bits(_) => Work::Bits,
            Way::General(_) => Work::General,
            way => match way.largest_task().map(|task| task.kernel) {
                Some(Kernel::Panel | Kernel::Runs) => Work::Panels,
                Some(Kernel::Strided) => Work::Elements,
                _ => Work::Runs,
            },
        };
        let time = threads::nanoseconds(work, self.bytes(), self.elements(), machine);
        threads::worth(limit, time, start)
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

        let threads = self.worth(
            Machine::here(),
            rayon::current_num_threads(),
            threads::WOKEN,
        );
        if threads == 1 {
            return self.run(src, dst);
        }
        self.chunks(src, dst, CHUNKS_PER_THREAD * threads)?
            .par_bridge()
            .for_each(|chunk| chunk.run());
        Ok(())
    }
}

/// Runs all chunks on `threads` threads. The calling thread is one of them.
fn on_threads(chunks: Chunks<'_>, threads: usize) {
    use std::sync::{Mutex, PoisonError};

    let chunks = Mutex::new(chunks);
    // Nothing panics while it takes a chunk.
    let next = || chunks.lock().unwrap_or_else(PoisonError::into_inner).next();
    let run_all = || {
        while let Some(chunk) = next() {
            chunk.run();
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..threads {
            // If a thread cannot be started, those that run take over its chunks.
            if std::thread::Builder::new()
                .spawn_scoped(scope, run_all)
                .is_err()
            {
                break;
            }
        }
        run_all();
    });
}
