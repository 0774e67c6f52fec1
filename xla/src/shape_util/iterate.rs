//! Every index of an array, or of a part of it, in the sequence of minor_to_major.
//!
//! ```text
//! for each dimension, the most minor one first:
//!     if steps are left in the dimension: go one step along it, and stop
//!     otherwise: go back to its first index, and continue with the next dimension
//! no dimension had a step left: this was the last index
//! ```

use core::num::NonZeroUsize;

use super::is_zero_element_array;
use super::permutation::needed_layout;
use crate::error::ShapeError;
use xlayout_shape::{ArrayShape, INLINE_RANK, List};

type MultiIndex = List<i64, INLINE_RANK>;

/// Which indices of an array an iteration visits (XLA: `ShapeUtil::IndexIterationSpace`): in each
/// dimension `base`, `base + increment`, … as long as they are below `base + count`. A count of 0
/// pins the dimension at its base.
///
/// ```
/// use xlayout_shape::ArrayShape;
/// use xlayout_xla::shape_util;
/// use xlayout_xla::shape_util::IterationSpace;
/// let shape: ArrayShape = "f32[10,10]".parse().unwrap();
/// let space = IterationSpace::new(&[2, 3], &[3, 1], &[2, 1])?;
/// let visited: Vec<_> = shape_util::indices_in(&shape, &space)?.collect();
/// assert_eq!((&visited[0][..], &visited[1][..]), (&[2, 3][..], &[4, 3][..]));
/// # Ok::<(), xlayout_xla::ShapeError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IterationSpace {
    base: MultiIndex,
    count: MultiIndex,
    increment: MultiIndex,
}

impl IterationSpace {
    /// From `base`, `count` far, in steps of `increment`, each with one entry for each dimension.
    /// Whether they fit a shape is checked when they are used.
    ///
    /// ```
    /// use xlayout_xla::shape_util::IterationSpace;
    /// assert!(IterationSpace::new(&[0, 0], &[2, 3], &[1, 1]).is_ok());
    /// assert!(IterationSpace::new(&[0, 0], &[2], &[1, 1]).is_err());
    /// ```
    ///
    /// # Errors
    /// For lists of different lengths.
    #[doc(alias = "IndexIterationSpace")]
    pub fn new(base: &[i64], count: &[i64], increment: &[i64]) -> Result<Self, ShapeError> {
        ShapeError::check_length("count", count.len(), base.len())?;
        ShapeError::check_length("increment", increment.len(), base.len())?;
        Ok(Self {
            base: List::try_from_iter(base.iter().copied())?,
            count: List::try_from_iter(count.iter().copied())?,
            increment: List::try_from_iter(increment.iter().copied())?,
        })
    }

    /// All indices of a shape.
    ///
    /// ```
    /// use xlayout_shape::ArrayShape;
    /// use xlayout_xla::shape_util::IterationSpace;
    /// let shape: ArrayShape = "f32[2,3]".parse().unwrap();
    /// let whole = IterationSpace::whole(&shape)?;
    /// assert_eq!(whole, IterationSpace::new(&[0, 0], &[2, 3], &[1, 1])?);
    /// # Ok::<(), xlayout_xla::ShapeError>(())
    /// ```
    ///
    /// # Errors
    /// For a dimension without a bound.
    pub fn whole(shape: &ArrayShape) -> Result<Self, ShapeError> {
        let rank = shape.rank();
        let mut count = MultiIndex::new();
        for (dimension, dim) in shape.dims.iter().enumerate() {
            count.try_push(dim.bound().ok_or(ShapeError::Unbounded { dimension })?)?;
        }
        Ok(Self {
            base: List::try_from_iter(core::iter::repeat_n(0, rank))?,
            count,
            increment: List::try_from_iter(core::iter::repeat_n(1, rank))?,
        })
    }
}

/// The indices of an array, or of a part of it, in the sequence of minor_to_major: see [`indices`].
#[derive(Clone, Debug)]
pub struct Indices {
    /// The dimensions, the most minor one first.
    minor_to_major: List<usize, INLINE_RANK>,
    base: MultiIndex,
    /// How many indices there are in each dimension.
    steps: MultiIndex,
    increment: MultiIndex,
    /// The next index; `None` after the last one.
    next: Option<MultiIndex>,
    /// How many steps are left in each dimension, the present one included.
    left: MultiIndex,
}

impl Indices {
    fn new(shape: &ArrayShape, space: &IterationSpace) -> Result<Self, ShapeError> {
        let minor_to_major = &needed_layout(shape)?.minor_to_major;
        ShapeError::check_length("the iteration space", space.base.len(), shape.rank())?;
        let empty = is_zero_element_array(shape);
        let mut steps = MultiIndex::new();
        for (dimension, dim) in shape.dims.iter().enumerate() {
            let [base, count, increment] =
                [&space.base, &space.count, &space.increment].map(|list| list[dimension]);
            if count < 0 || increment < 0 || (count > 0 && increment == 0) {
                return Err(ShapeError::Step {
                    dimension,
                    count,
                    increment,
                });
            }
            // A pinned dimension has one step, too.
            let more = (count - 1).max(0) / increment.max(1);
            if let Some(index) = first_outside(base, more, increment, dim.bound())
                && !empty
            {
                return Err(ShapeError::OutOfBounds {
                    dimension,
                    index,
                    size: dim.bound(),
                });
            }
            steps.try_push(more + 1)?;
        }
        Ok(Self {
            minor_to_major: List::try_from_iter(minor_to_major.iter().map(|&d| d as usize))?,
            base: space.base.clone(),
            left: steps.clone(),
            steps,
            increment: space.increment.clone(),
            next: (!empty).then(|| space.base.clone()),
        })
    }

    /// The dimension to divide: the most major one with at least `parts` indices, or else the one
    /// with most. `None` where there is nothing to divide.
    fn divided(&self, parts: i64) -> Option<usize> {
        let mut major_to_minor = self.minor_to_major.iter().rev().copied();
        let enough = major_to_minor.clone().find(|&d| self.steps[d] >= parts);
        let with_most_steps = || major_to_minor.by_ref().max_by_key(|&d| self.steps[d]);
        enough
            .or_else(with_most_steps)
            .filter(|&d| self.steps[d] > 1)
    }

    /// The same with fewer indices in one dimension: `steps` of them, beginning with number `from`.
    fn part(&self, dimension: usize, from: i64, steps: i64) -> Self {
        let mut part = self.clone();
        part.base[dimension] += from * self.increment[dimension];
        part.steps[dimension] = steps;
        part.left[dimension] = steps;
        part.next = self.next.is_some().then(|| part.base.clone());
        part
    }
}

impl Iterator for Indices {
    type Item = List<i64, INLINE_RANK>;

    fn next(&mut self) -> Option<Self::Item> {
        let next = self.next.as_mut()?;
        let index = next.clone();
        for &d in &self.minor_to_major {
            if self.left[d] > 1 {
                self.left[d] -= 1;
                next[d] += self.increment[d];
                return Some(index);
            }
            self.left[d] = self.steps[d];
            next[d] = self.base[d];
        }
        self.next = None;
        Some(index)
    }
}

/// The first index outside of a dimension, if there is one, of those that `more` steps after the
/// first one reach.
fn first_outside(base: i64, more: i64, increment: i64, size: Option<i64>) -> Option<i64> {
    if base < 0 || size.is_some_and(|size| base >= size) {
        return Some(base);
    }
    // The distance is below the count that the steps were made from.
    let distance = more * increment;
    let Some(size) = size else {
        return base.checked_add(distance).map_or(Some(i64::MAX), |_| None);
    };
    // Neither is negative, so that nothing overflows.
    let room = size - 1 - base;
    (distance > room).then(|| base.saturating_add((room / increment + 1) * increment))
}

/// Every index in the sequence of minor_to_major, the most minor dimension fastest
/// (XLA: `ShapeUtil::ForEachIndex`, `ForEachIndexNoStatus`). An array without elements has none;
/// a scalar has one, the empty index.
///
/// Tiles do not matter; for the sequence of a tiled memory, see [`ArrayLayout::indices_in_memory`].
///
/// ```
/// use xlayout_shape::ArrayShape;
/// use xlayout_xla::shape_util;
/// let shape: ArrayShape = "f32[2,2]{0,1}".parse().unwrap();
/// let visited: Vec<_> = shape_util::indices(&shape)?.map(|index| [index[0], index[1]]).collect();
/// assert_eq!(visited, [[0, 0], [1, 0], [0, 1], [1, 1]]);
/// # Ok::<(), xlayout_xla::ShapeError>(())
/// ```
///
/// # Errors
/// Without a layout that fits the shape, where XLA aborts, and for a dimension without a bound.
///
/// [`ArrayLayout::indices_in_memory`]: xlayout_core::ArrayLayout::indices_in_memory
#[doc(alias("ForEachIndex", "ForEachIndexNoStatus"))]
#[doc(alias = "ForEachIndexWithStatus")]
pub fn indices(shape: &ArrayShape) -> Result<Indices, ShapeError> {
    indices_in(shape, &IterationSpace::whole(shape)?)
}

/// A part of the indices in the sequence of minor_to_major; see [`IterationSpace`]
/// (XLA: `ShapeUtil::ForEachIndex` with `base`, `count` and `incr`).
///
/// Only indices of the shape are visited. XLA checks nothing: it visits indices that are out of
/// bounds, and goes on for ever where an increment is 0 and the count is not.
///
/// ```
/// use xlayout_shape::ArrayShape;
/// use xlayout_xla::shape_util;
/// use xlayout_xla::shape_util::IterationSpace;
/// let shape: ArrayShape = "f32[4,3]".parse().unwrap();
/// // Column 1: its count of 0 pins it.
/// let column = IterationSpace::new(&[0, 1], &[4, 0], &[1, 0])?;
/// let rows = shape_util::indices_in(&shape, &column)?.map(|index| index[0]);
/// assert!(rows.eq([0, 1, 2, 3]));
/// # Ok::<(), xlayout_xla::ShapeError>(())
/// ```
///
/// # Errors
/// Without a layout that fits the shape, where XLA aborts, and for a space that does not fit.
pub fn indices_in(shape: &ArrayShape, space: &IterationSpace) -> Result<Indices, ShapeError> {
    Indices::new(shape, space)
}

/// The indices of [`indices_in`], divided into at most `parts` parts, for as many threads
/// (XLA: `ShapeUtil::ForEachIndexParallel`).
///
/// For all indices take [`IterationSpace::whole`], for as many threads as the machine runs at
/// once `std::thread::available_parallelism` (XLA:
/// `ShapeUtil::GetForEachIndexParallelThreadCount`).
///
/// ```
/// use std::num::NonZeroUsize;
/// use std::thread;
/// use xlayout_shape::ArrayShape;
/// use xlayout_xla::shape_util::{self, IterationSpace};
/// let shape: ArrayShape = "f32[100,10]".parse().unwrap();
/// let whole = IterationSpace::whole(&shape)?;
/// let parts = shape_util::indices_in_parts(&shape, &whole, NonZeroUsize::new(3).unwrap())?;
/// let sum = thread::scope(|scope| {
///     let threads: Vec<_> = parts
///         .map(|part| scope.spawn(|| part.map(|index| index[0] + index[1]).sum::<i64>()))
///         .collect();
///     threads.into_iter().map(|thread| thread.join().unwrap()).sum::<i64>()
/// });
/// assert_eq!(sum, 49_500 + 4_500);
/// # Ok::<(), xlayout_xla::ShapeError>(())
/// ```
///
/// # Errors
/// As [`indices_in`].
#[doc(alias("ForEachIndexParallel", "ForEachIndexParallelWithStatus"))]
#[doc(alias = "GetForEachIndexParallelThreadCount")]
pub fn indices_in_parts(
    shape: &ArrayShape,
    space: &IterationSpace,
    parts: NonZeroUsize,
) -> Result<impl Iterator<Item = Indices> + use<>, ShapeError> {
    let whole = Indices::new(shape, space)?;
    let parts = i64::try_from(parts.get()).unwrap_or(i64::MAX);
    let (dimension, parts, steps) = match whole.divided(parts) {
        Some(dimension) => (
            dimension,
            parts.min(whole.steps[dimension]),
            whole.steps[dimension],
        ),
        None => (0, 1, 1),
    };
    // The first parts are one step longer where the steps cannot be divided evenly.
    let start = move |part: i64| part * (steps / parts) + part.min(steps % parts);
    Ok((0..parts).map(move |part| match parts {
        1 => whole.clone(),
        _ => whole.part(dimension, start(part), start(part + 1) - start(part)),
    }))
}
