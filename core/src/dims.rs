//! Dimensions: how many indices there are along each.

use crate::List;

/// How many values of each kind a layout holds without a heap: the rank up to which nothing is
/// allocated.
pub const INLINE_RANK: usize = 16;

/// The largest size that a dimension can have: XLA's sizes are `int64`.
pub const MAX_SIZE: i64 = i64::MAX;

/// One dimension of an array (XLA: an entry of `Shape::dimensions` with its dynamic flag).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Dim {
    /// `N`: exactly so many indices.
    Static(i64),
    /// `<=N`: the size is known at run time only, and never above `N`. Storage is laid out for `N`.
    Bounded(i64),
    /// `?`: the size is known at run time only, and has no bound.
    Unbounded,
}

impl Default for Dim {
    fn default() -> Self {
        Self::Static(1)
    }
}

impl Dim {
    /// The size that storage is laid out for: the size of a static dimension, the bound of a
    /// bounded one, nothing for an unbounded one.
    ///
    /// ```
    /// use xlayout_core::Dim;
    /// assert_eq!(Dim::Static(3).bound(), Some(3));
    /// assert_eq!(Dim::Bounded(8).bound(), Some(8));
    /// assert_eq!(Dim::Unbounded.bound(), None);
    /// ```
    #[must_use]
    pub const fn bound(self) -> Option<i64> {
        match self {
            Self::Static(n) | Self::Bounded(n) => Some(n),
            Self::Unbounded => None,
        }
    }

    /// Whether the size is known at run time only (XLA: `is_dynamic_dimension`).
    #[must_use]
    pub const fn is_dynamic(self) -> bool {
        !matches!(self, Self::Static(_))
    }

    /// Whether the size has no bound (XLA: `is_unbounded_dynamic_dimension`).
    #[must_use]
    pub const fn is_unbounded(self) -> bool {
        matches!(self, Self::Unbounded)
    }
}

/// The dimensions of an array, dimension 0 first.
pub type Dims = List<Dim, INLINE_RANK>;

/// Resolves a dimension number as Python does: -1 is the last dimension.
///
/// Returns `None` when there is no such dimension (XLA: `ShapeUtil::GetDimensionNumber`, which
/// aborts or answers nonsense there).
///
/// ```
/// use xlayout_core::dimension_number;
/// assert_eq!(dimension_number(-1, 3), Some(2));
/// assert_eq!(dimension_number(0, 3), Some(0));
/// assert_eq!(dimension_number(3, 3), None);
/// assert_eq!(dimension_number(-4, 3), None);
/// ```
#[doc(alias = "GetDimensionNumber")]
#[must_use]
pub const fn dimension_number(number: i64, rank: usize) -> Option<usize> {
    let rank_i = rank as i64;
    let resolved = if number < 0 {
        number.saturating_add(rank_i)
    } else {
        number
    };
    if 0 <= resolved && resolved < rank_i {
        Some(resolved as usize)
    } else {
        None
    }
}

/// The letter that XLA's documents use for a dimension: `y x` for rank 2, `z y x` for rank 3,
/// `p z y x` for rank 4; a vector's only dimension is `x`. Higher ranks have no letters.
///
/// Source: "Shapes and Layout" in XLA's documentation.
///
/// ```
/// use xlayout_core::dimension_letter;
/// assert_eq!(dimension_letter(0, 2), Some('y'));
/// assert_eq!(dimension_letter(1, 2), Some('x'));
/// assert_eq!(dimension_letter(0, 4), Some('p'));
/// assert_eq!(dimension_letter(0, 5), None);
/// ```
#[must_use]
pub const fn dimension_letter(dimension: usize, rank: usize) -> Option<char> {
    const LETTERS: [char; 4] = ['x', 'y', 'z', 'p'];
    if rank > 4 || dimension >= rank {
        None
    } else {
        Some(LETTERS[rank - 1 - dimension])
    }
}
