//! Split configurations: an array whose parts lie in different memories.

use crate::error::ParseError;
use crate::list::List;

/// One split: a physical dimension, and where it is cut (XLA: `SplitConfig`).
///
/// ```
/// use xlayout_shape::{Layout, SplitConfig};
/// let layout: Layout = "{1,0:SC(0:30)(1:40,130)}".parse().unwrap();
/// assert_eq!((layout.split_configs.len(), layout.split_configs.is_empty()), (2, false));
/// let cut = layout.split_configs.iter().last();
/// assert_eq!(cut, Some(SplitConfig { dimension: 1, split_indices: &[40, 130] }));
/// assert_eq!(cut.unwrap().to_string(), "(1:40,130)");
/// ```
#[doc(alias = "ToString")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SplitConfig<'a> {
    /// The PHYSICAL dimension, 0 the most major one. XLA checks it inside tuples only,
    /// and so does the text: there it is below the rank, and no two splits are of one dimension.
    pub dimension: i64,
    /// The indices at which a new part begins. Inside tuples they rise, from 1 to the size less 1.
    pub split_indices: &'a [i64],
}

/// The splits of a layout: `SC(0:30)(1:40,130)` is two (XLA: `Layout::split_configs`).
///
/// ```
/// use xlayout_shape::SplitConfigs;
/// let mut splits = SplitConfigs::new();
/// splits.push(1, &[40, 130]).unwrap();
/// assert_eq!(splits.iter().next().unwrap().split_indices, [40, 130]);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct SplitConfigs {
    indices: List<i64, 8>,
    /// For each split its dimension, and where its indices end.
    splits: List<(i64, usize), 2>,
}

impl SplitConfigs {
    /// No splits.
    #[must_use]
    #[inline]
    pub fn new() -> Self {
        Self::default()
    }

    #[doc(hidden)]
    pub const fn from_lists(indices: List<i64, 8>, splits: List<(i64, usize), 2>) -> Self {
        Self { indices, splits }
    }

    /// The indices of all splits one after the other, and for each split its dimension and where
    /// its indices end.
    #[doc(hidden)]
    pub const fn as_slices(&self) -> (&[i64], &[(i64, usize)]) {
        (self.indices.as_slice(), self.splits.as_slice())
    }

    /// Adds a split (XLA: `Layout::add_split_configs`). To clear the list, assign a new one.
    ///
    /// # Errors
    /// [`TooMany`](crate::ErrorKind::TooMany) for more than 2 splits or 8 indices without the
    /// feature `alloc`.
    #[doc(alias("add_split_configs", "mutable_split_configs"))]
    #[doc(alias("clear_split_configs", "set_dimension", "add_split_indices"))]
    #[doc(alias = "clear_split_indices")]
    #[inline]
    pub fn push(&mut self, dimension: i64, split_indices: &[i64]) -> Result<(), ParseError> {
        for &at in split_indices {
            self.push_index(at)?;
        }
        self.end_split(dimension)
    }

    #[doc(hidden)]
    pub fn push_index(&mut self, at: i64) -> Result<(), ParseError> {
        self.indices.try_push(at)
    }

    #[doc(hidden)]
    pub fn end_split(&mut self, dimension: i64) -> Result<(), ParseError> {
        self.splits.try_push((dimension, self.indices.len()))
    }

    /// The `k`-th split (XLA: `Layout::split_configs`).
    ///
    /// ```
    /// use xlayout_shape::SplitConfigs;
    /// let mut splits = SplitConfigs::new();
    /// splits.push(1, &[40, 130]).unwrap();
    /// assert_eq!(splits.get(0).unwrap().dimension, 1);
    /// assert_eq!(splits.get(1), None);
    /// ```
    #[must_use]
    pub fn get(&self, k: usize) -> Option<SplitConfig<'_>> {
        let &(dimension, end) = self.splits.get(k)?;
        let start = if k == 0 { 0 } else { self.splits[k - 1].1 };
        Some(SplitConfig {
            dimension,
            split_indices: &self.indices[start..end],
        })
    }

    /// The splits with other physical dimensions; a split goes if `number` returns `None` for it.
    #[doc(hidden)]
    pub fn renumbered(&self, number: impl Fn(i64) -> Option<i64>) -> Self {
        let mut all = Self::new();
        for split in self.iter() {
            if let Some(dimension) = number(split.dimension)
                && let Err(full) = all.push(dimension, split.split_indices)
            {
                unreachable!("there are no more splits than before: {full}");
            }
        }
        all
    }

    /// How many splits there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.splits.len()
    }

    /// Whether the array lies in one memory.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.splits.is_empty()
    }

    /// All splits.
    pub fn iter(&self) -> impl Iterator<Item = SplitConfig<'_>> + '_ {
        (0..self.len()).filter_map(|k| self.get(k))
    }
}
