//! Split configurations: an array whose parts lie in different memories.

use crate::List;
use crate::list::Full;

/// One split: a physical dimension, and where it is cut (XLA: `SplitConfig`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SplitConfig<'a> {
    /// The PHYSICAL dimension, 0 the most major one. XLA checks nothing here; nor does the text.
    pub dimension: i64,
    /// The indices at which a new part begins.
    pub split_indices: &'a [i64],
}

/// The splits of a layout: `SC(0:30)(1:40,130)` is two (XLA: `Layout::split_configs`).
///
/// ```
/// use xlayout_core::SplitConfigs;
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
    pub fn new() -> Self {
        Self::default()
    }

    pub(crate) const fn from_lists(indices: List<i64, 8>, splits: List<(i64, usize), 2>) -> Self {
        Self { indices, splits }
    }

    /// Adds a split.
    ///
    /// # Errors
    /// [`Full`] for more than 2 splits or 8 indices without the feature `alloc`.
    pub fn push(&mut self, dimension: i64, split_indices: &[i64]) -> Result<(), Full> {
        for &at in split_indices {
            self.push_index(at)?;
        }
        self.end_split(dimension)
    }

    pub(crate) fn push_index(&mut self, at: i64) -> Result<(), Full> {
        self.indices.try_push(at)
    }

    pub(crate) fn end_split(&mut self, dimension: i64) -> Result<(), Full> {
        self.splits.try_push((dimension, self.indices.len()))
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
        (0..self.splits.len()).map(|k| {
            let (dimension, end) = self.splits[k];
            let start = if k == 0 { 0 } else { self.splits[k - 1].1 };
            SplitConfig {
                dimension,
                split_indices: &self.indices[start..end],
            }
        })
    }
}
