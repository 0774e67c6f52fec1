//! Every index of an array, or of a part of it, in the sequence of minor_to_major.

use super::{is_zero_element_array, make::needed_layout};
use core::ops::ControlFlow;

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
/// let mut visited = Vec::new();
/// shape_util::for_each_index_in(&shape, &space, |index| visited.push(index.to_vec()))?;
/// assert_eq!(visited, [[2, 3], [4, 3]]);
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
        let rank = base.len();
        for (list, listed) in [("count", count.len()), ("increment", increment.len())] {
            if listed != rank {
                return Err(ShapeError::Length { list, listed, rank });
            }
        }
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

/// The steps of an iteration: in each dimension a first index, how many indices, and how far apart.
#[derive(Clone)]
pub(super) struct Walk {
    /// The dimensions, the most minor one first.
    pub(super) minor_to_major: List<usize, INLINE_RANK>,
    base: MultiIndex,
    pub(super) steps: MultiIndex,
    increment: MultiIndex,
}

impl Walk {
    /// Nothing when there is no index to visit.
    pub(super) fn new(
        shape: &ArrayShape,
        space: &IterationSpace,
    ) -> Result<Option<Self>, ShapeError> {
        let minor_to_major = &needed_layout(shape)?.minor_to_major;
        let rank = shape.rank();
        if space.base.len() != rank {
            return Err(ShapeError::Length {
                list: "the iteration space",
                listed: space.base.len(),
                rank,
            });
        }
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
            let more = if count == 0 {
                0
            } else {
                (count - 1) / increment
            };
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
        let walk = Self {
            minor_to_major: List::try_from_iter(minor_to_major.iter().map(|&d| d as usize))?,
            base: space.base.clone(),
            steps,
            increment: space.increment.clone(),
        };
        Ok((!empty).then_some(walk))
    }

    /// The same with fewer steps in one dimension: so many from that number on.
    #[cfg(feature = "std")]
    pub(super) fn part(&self, dimension: usize, from: i64, steps: i64) -> Self {
        let mut part = self.clone();
        part.base[dimension] += from * self.increment[dimension];
        part.steps[dimension] = steps;
        part
    }

    /// Visits every index.
    pub(super) fn run<B>(&self, mut visit: impl FnMut(&[i64]) -> ControlFlow<B>) -> ControlFlow<B> {
        let mut index = self.base.clone();
        let index = &mut *index;
        let mut left = self.steps.clone();
        let left = &mut *left;
        loop {
            visit(index)?;
            let mut grown = false;
            for &d in &self.minor_to_major {
                left[d] -= 1;
                grown = left[d] > 0;
                if grown {
                    index[d] += self.increment[d];
                    break;
                }
                left[d] = self.steps[d];
                index[d] = self.base[d];
            }
            if !grown {
                return ControlFlow::Continue(());
            }
        }
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

/// Visits every index in the sequence of minor_to_major, the most minor dimension fastest
/// (XLA: `ShapeUtil::ForEachIndex`, `ForEachIndexNoStatus`). Without elements none is visited;
/// of a scalar, the empty one.
///
/// Tiles do not matter; for the sequence of a tiled memory, see [`ArrayLayout::indices_in_memory`].
///
/// ```
/// use xlayout_shape::ArrayShape;
/// use xlayout_xla::shape_util;
/// let shape: ArrayShape = "f32[2,2]{0,1}".parse().unwrap();
/// let mut visited = Vec::new();
/// shape_util::for_each_index(&shape, |index| visited.push(index.to_vec()))?;
/// assert_eq!(visited, [[0, 0], [1, 0], [0, 1], [1, 1]]);
/// # Ok::<(), xlayout_xla::ShapeError>(())
/// ```
///
/// # Errors
/// Without a layout that fits the shape, where XLA aborts, and for a dimension without a bound.
///
/// [`ArrayLayout::indices_in_memory`]: xlayout_core::ArrayLayout::indices_in_memory
#[doc(alias = "ForEachIndex")]
#[doc(alias = "ForEachIndexNoStatus")]
pub fn for_each_index(shape: &ArrayShape, visit: impl FnMut(&[i64])) -> Result<(), ShapeError> {
    for_each_index_in(shape, &IterationSpace::whole(shape)?, visit)
}

/// [`for_each_index`] until the visitor breaks
/// (XLA: `ShapeUtil::ForEachIndexWithStatus`).
///
/// ```
/// use core::ops::ControlFlow;
/// use xlayout_shape::ArrayShape;
/// use xlayout_xla::shape_util;
/// let shape: ArrayShape = "f32[2,3]".parse().unwrap();
/// let found = shape_util::try_for_each_index(&shape, |index| match index {
///     [1, column] => ControlFlow::Break(*column),
///     _ => ControlFlow::Continue(()),
/// })?;
/// assert_eq!(found, ControlFlow::Break(0));
/// # Ok::<(), xlayout_xla::ShapeError>(())
/// ```
///
/// # Errors
/// As [`for_each_index`].
#[doc(alias = "ForEachIndexWithStatus")]
pub fn try_for_each_index<B>(
    shape: &ArrayShape,
    visit: impl FnMut(&[i64]) -> ControlFlow<B>,
) -> Result<ControlFlow<B>, ShapeError> {
    try_for_each_index_in(shape, &IterationSpace::whole(shape)?, visit)
}

/// Visits a part of the indices in the sequence of minor_to_major; see [`IterationSpace`]
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
/// let mut rows = Vec::new();
/// shape_util::for_each_index_in(&shape, &column, |index| rows.push(index[0]))?;
/// assert_eq!(rows, [0, 1, 2, 3]);
/// # Ok::<(), xlayout_xla::ShapeError>(())
/// ```
///
/// # Errors
/// Without a layout that fits the shape, where XLA aborts, and for a space that does not fit.
pub fn for_each_index_in(
    shape: &ArrayShape,
    space: &IterationSpace,
    mut visit: impl FnMut(&[i64]),
) -> Result<(), ShapeError> {
    let visited = try_for_each_index_in(shape, space, |index| {
        visit(index);
        ControlFlow::<()>::Continue(())
    });
    visited.map(|_| ())
}

/// [`for_each_index_in`] until the visitor breaks
/// (XLA: `ShapeUtil::ForEachIndexWithStatus` with `base`, `count` and `incr`).
///
/// ```
/// use core::ops::ControlFlow;
/// use xlayout_shape::ArrayShape;
/// use xlayout_xla::shape_util;
/// use xlayout_xla::shape_util::IterationSpace;
/// let shape: ArrayShape = "f32[9]".parse().unwrap();
/// let every_second = IterationSpace::new(&[1], &[8], &[2])?;
/// let found = shape_util::try_for_each_index_in(&shape, &every_second, |index| {
///     if index[0] > 4 { ControlFlow::Break(index[0]) } else { ControlFlow::Continue(()) }
/// })?;
/// assert_eq!(found, ControlFlow::Break(5));
/// # Ok::<(), xlayout_xla::ShapeError>(())
/// ```
///
/// # Errors
/// As [`for_each_index_in`].
pub fn try_for_each_index_in<B>(
    shape: &ArrayShape,
    space: &IterationSpace,
    visit: impl FnMut(&[i64]) -> ControlFlow<B>,
) -> Result<ControlFlow<B>, ShapeError> {
    Ok(match Walk::new(shape, space)? {
        Some(walk) => walk.run(visit),
        None => ControlFlow::Continue(()),
    })
}
