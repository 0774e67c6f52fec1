//! Visiting the indices of an array on several threads.

use core::num::NonZeroUsize;
use core::ops::ControlFlow;
use std::sync::Mutex;
use std::thread;

use super::iterate::Walk;
use crate::error::ShapeError;
use crate::shape_util::IterationSpace;
use xlayout_shape::ArrayShape;

/// Visits a part of the indices on several threads, in no certain sequence
/// (XLA: `ShapeUtil::ForEachIndexParallel`). The visitor gets the number of its thread, too,
/// which is below `threads`.
///
/// For all indices take [`IterationSpace::whole`], for as many threads as the machine runs at
/// once [`std::thread::available_parallelism`]
/// (XLA: `ShapeUtil::GetForEachIndexParallelThreadCount`).
///
/// ```
/// use std::sync::atomic::{AtomicI64, Ordering};
/// use xlayout_shape::ArrayShape;
/// use xlayout_xla::shape_util;
/// use xlayout_xla::shape_util::IterationSpace;
/// let shape: ArrayShape = "f32[100,10]".parse().unwrap();
/// let sum = AtomicI64::new(0);
/// let threads = std::thread::available_parallelism().unwrap();
/// shape_util::for_each_index_parallel(
///     &shape,
///     &IterationSpace::whole(&shape)?,
///     threads,
///     |index, thread| {
///         assert!(thread < threads.get());
///         sum.fetch_add(index[0] + index[1], Ordering::Relaxed);
///     },
/// )?;
/// assert_eq!(sum.into_inner(), 49_500 + 4_500);
/// # Ok::<(), xlayout_xla::ShapeError>(())
/// ```
///
/// # Errors
/// As [`for_each_index_in`].
///
/// [`for_each_index_in`]: crate::shape_util::for_each_index_in
#[doc(alias = "ForEachIndexParallel")]
#[doc(alias = "GetForEachIndexParallelThreadCount")]
pub fn for_each_index_parallel(
    shape: &ArrayShape,
    space: &IterationSpace,
    threads: NonZeroUsize,
    visit: impl Fn(&[i64], usize) + Sync,
) -> Result<(), ShapeError> {
    let visited = try_for_each_index_parallel(shape, space, threads, |index, thread| {
        visit(index, thread);
        ControlFlow::<()>::Continue(())
    });
    visited.map(|_| ())
}

/// [`for_each_index_parallel`] with a visitor that can break
/// (XLA: `ShapeUtil::ForEachIndexParallelWithStatus`). Its thread then stops; the others go on.
/// What the first one broke with is the answer.
///
/// ```
/// use core::num::NonZeroUsize;
/// use core::ops::ControlFlow;
/// use xlayout_shape::ArrayShape;
/// use xlayout_xla::shape_util;
/// use xlayout_xla::shape_util::IterationSpace;
/// let shape: ArrayShape = "f32[100]".parse().unwrap();
/// let whole = IterationSpace::whole(&shape)?;
/// let threads = NonZeroUsize::new(4).unwrap();
/// let found =
///     shape_util::try_for_each_index_parallel(&shape, &whole, threads, |index, _| {
///         if index[0] == 70 { ControlFlow::Break("here") } else { ControlFlow::Continue(()) }
///     })?;
/// assert_eq!(found, ControlFlow::Break("here"));
/// # Ok::<(), xlayout_xla::ShapeError>(())
/// ```
///
/// # Errors
/// As [`for_each_index_in`].
///
/// [`for_each_index_in`]: crate::shape_util::for_each_index_in
#[doc(alias = "ForEachIndexParallelWithStatus")]
pub fn try_for_each_index_parallel<B: Send>(
    shape: &ArrayShape,
    space: &IterationSpace,
    threads: NonZeroUsize,
    visit: impl Fn(&[i64], usize) -> ControlFlow<B> + Sync,
) -> Result<ControlFlow<B>, ShapeError> {
    let Some(walk) = Walk::new(shape, space)? else {
        return Ok(ControlFlow::Continue(()));
    };
    let threads = i64::try_from(threads.get()).unwrap_or(i64::MAX);
    let Some(dimension) = divided(&walk, threads) else {
        return Ok(walk.run(|index| visit(index, 0)));
    };
    let steps = walk.steps[dimension];
    let parts = threads.min(steps);
    let broken = Mutex::new(None);
    let run = |part: i64| {
        // The first parts are one step longer where it does not come out even.
        let start = |part: i64| part * (steps / parts) + part.min(steps % parts);
        let walk = walk.part(dimension, start(part), start(part + 1) - start(part));
        if let ControlFlow::Break(with) = walk.run(|index| visit(index, part as usize)) {
            // Nothing can panic while it is locked.
            if let Ok(mut broken) = broken.lock() {
                broken.get_or_insert(with);
            }
        }
    };
    thread::scope(|scope| {
        for part in 1..parts {
            // Where the system has no thread left, this one does the work.
            if thread::Builder::new()
                .spawn_scoped(scope, move || run(part))
                .is_err()
            {
                run(part);
            }
        }
        run(0);
    });
    let broken = broken.into_inner().unwrap_or(None);
    Ok(broken.map_or(ControlFlow::Continue(()), ControlFlow::Break))
}

/// The dimension to divide: the most major one that gives every thread something to do, or else the
/// one with most steps. Nothing where there is nothing to divide.
fn divided(walk: &Walk, threads: i64) -> Option<usize> {
    let mut major_to_minor = walk.minor_to_major.iter().rev().copied();
    let enough = major_to_minor.clone().find(|&d| walk.steps[d] >= threads);
    let most = || major_to_minor.by_ref().max_by_key(|&d| walk.steps[d]);
    enough
        .or_else(most)
        .filter(|&d| threads > 1 && walk.steps[d] > 1)
}
