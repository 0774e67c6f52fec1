//! Copies from layout to layout on XLA's threads.

use xlayout_core::Element;
use xlayout_relayout::{Plan, RelayoutError};

use crate::pool::Pool;

/// The least number of bytes that a thread copies. Copying fewer bytes takes no longer than waking
/// the thread.
const SHARE: usize = 1 << 20;
/// The number of chunks for each thread. With several, other threads do the work of a delayed
/// thread.
const CHUNKS: usize = 4;

impl Pool<'_> {
    /// Runs the plan of a copy on XLA's threads; small arrays are copied on the calling one.
    ///
    /// ```
    /// use xlayout_core::DynLayout;
    /// use xlayout_kernel::Pool;
    /// use xlayout_relayout::Plan;
    ///
    /// let rows: DynLayout = "f32[2,3]{1,0}".parse().unwrap();
    /// let columns: DynLayout = "f32[2,3]{0,1}".parse().unwrap();
    /// let plan = Plan::new(&rows, &columns).unwrap();
    /// let (x, mut y) = ([0.0_f32, 1.0, 2.0, 3.0, 4.0, 5.0], [0.0; 6]);
    /// Pool::here().relayout(&plan, &x, &mut y)?;
    /// assert_eq!(y, [0.0, 3.0, 1.0, 4.0, 2.0, 5.0]);
    /// # Ok::<(), xlayout_relayout::RelayoutError>(())
    /// ```
    ///
    /// # Errors
    /// As [`Plan::run`].
    pub fn relayout<T: Element>(
        &self,
        plan: &Plan,
        src: &[T],
        dst: &mut [T],
    ) -> Result<(), RelayoutError> {
        let threads = self.threads().min(plan.bytes() / SHARE);
        if threads < 2 {
            return plan.run(src, dst);
        }
        self.for_each(plan.chunks(src, dst, CHUNKS * threads)?, |chunk| {
            chunk.run()
        });
        Ok(())
    }
}
