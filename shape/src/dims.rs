//! Dimensions: how many indices there are along each.

pub use crate::constant::{INLINE_RANK, MAX_NAME_LETTERS, MAX_TYPE_ENTRIES};
use crate::list::List;

/// One dimension of an array (XLA: an entry of `Shape::dimensions` with its dynamic flag).
///
/// ```
/// use xlayout_shape::{ArrayShape, Dim};
/// let shape: ArrayShape = "f32[2,<=3,?]".parse().unwrap();
/// assert_eq!(shape.dims[..], [Dim::Static(2), Dim::Bounded(3), Dim::Unbounded]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Dim {
    /// `N`: exactly `N` indices.
    Static(i64),
    /// `<=N`: the size is known at run time only, and never above `N`. Storage is laid out for `N`.
    #[doc(alias = "is_bounded_dynamic_dimension")]
    Bounded(i64),
    /// `?`: the size is known at run time only, and has no bound.
    #[doc(alias = "is_unbounded_dynamic_dimension")]
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
    /// use xlayout_shape::Dim;
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

    /// Whether the size is known at run time only (XLA: `Shape::is_dynamic_dimension`, the opposite
    /// of `is_static_dimension`).
    ///
    /// ```
    /// use xlayout_shape::Dim;
    /// assert!(Dim::Bounded(8).is_dynamic() && !Dim::Static(8).is_dynamic());
    /// assert!(Dim::Unbounded.is_dynamic());
    /// ```
    #[doc(alias("is_dynamic_dimension", "is_static_dimension"))]
    #[must_use]
    #[inline]
    pub const fn is_dynamic(self) -> bool {
        !matches!(self, Self::Static(_))
    }

    /// What XLA keeps in place of a size without a bound (XLA: `Shape::kUnboundedSize`).
    #[doc(alias = "kUnboundedSize")]
    pub const UNBOUNDED_SIZE: i64 = i64::MIN;

    /// A dimension as XLA keeps it: a size and whether it is dynamic. `None` where
    /// `Shape::IsValidDimensionSize` says no: a negative size, except that of
    /// [`UNBOUNDED_SIZE`](Self::UNBOUNDED_SIZE) in a dynamic dimension.
    ///
    /// ```
    /// use xlayout_shape::Dim;
    /// assert_eq!(Dim::from_xla(3, false), Some(Dim::Static(3)));
    /// assert_eq!(Dim::from_xla(3, true), Some(Dim::Bounded(3)));
    /// assert_eq!(Dim::from_xla(Dim::UNBOUNDED_SIZE, true), Some(Dim::Unbounded));
    /// assert_eq!(Dim::from_xla(Dim::UNBOUNDED_SIZE, false), None);
    /// assert_eq!(Dim::from_xla(-1, true), None);
    /// ```
    #[doc(alias = "IsValidDimensionSize")]
    #[must_use]
    #[inline]
    pub const fn from_xla(size: i64, is_dynamic: bool) -> Option<Self> {
        match (size, is_dynamic) {
            (Self::UNBOUNDED_SIZE, true) => Some(Self::Unbounded),
            (..0, _) => None,
            (_, true) => Some(Self::Bounded(size)),
            (_, false) => Some(Self::Static(size)),
        }
    }

    /// The size as XLA keeps it: [`UNBOUNDED_SIZE`](Self::UNBOUNDED_SIZE) where there is no bound
    /// (XLA: `Shape::dimensions(i)`). The inverse of [`from_xla`](Self::from_xla), together with
    /// [`is_dynamic`](Self::is_dynamic).
    ///
    /// ```
    /// use xlayout_shape::Dim;
    /// assert_eq!(Dim::Bounded(3).to_xla(), 3);
    /// assert_eq!(Dim::Unbounded.to_xla(), i64::MIN);
    /// ```
    #[must_use]
    #[inline]
    pub const fn to_xla(self) -> i64 {
        match self.bound() {
            Some(size) => size,
            None => Self::UNBOUNDED_SIZE,
        }
    }
}

/// A static dimension.
///
/// ```
/// use xlayout_shape::Dim;
/// assert_eq!(Dim::from(3), Dim::Static(3));
/// ```
impl From<i64> for Dim {
    #[inline]
    fn from(size: i64) -> Self {
        Self::Static(size)
    }
}

/// The dimensions of an array, dimension 0 first.
///
/// ```
/// use xlayout_shape::{ArrayShape, Dim};
/// let shape: ArrayShape = "f32[2,<=8,?]".parse()?;
/// assert_eq!(shape.dims[..], [Dim::Static(2), Dim::Bounded(8), Dim::Unbounded]);
/// # Ok::<(), xlayout_shape::ParseError>(())
/// ```
pub type Dims = List<Dim, INLINE_RANK>;

/// Resolves a dimension number as Python does: -1 is the last dimension.
///
/// Returns `None` when there is no such dimension (XLA: `ShapeUtil::GetDimensionNumber`, which
/// aborts or answers nonsense there).
///
/// ```
/// use xlayout_shape::dimension_number;
/// assert_eq!(dimension_number(-1, 3), Some(2));
/// assert_eq!(dimension_number(0, 3), Some(0));
/// assert_eq!(dimension_number(3, 3), None);
/// assert_eq!(dimension_number(-4, 3), None);
/// ```
#[doc(alias = "GetDimensionNumber")]
#[must_use]
#[inline]
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
/// use xlayout_shape::dimension_letter;
/// assert_eq!(dimension_letter(0, 2), Some('y'));
/// assert_eq!(dimension_letter(1, 2), Some('x'));
/// assert_eq!(dimension_letter(0, 4), Some('p'));
/// assert_eq!(dimension_letter(0, 5), None);
/// ```
#[must_use]
#[inline]
pub const fn dimension_letter(dimension: usize, rank: usize) -> Option<char> {
    const LETTERS: [char; 4] = ['x', 'y', 'z', 'p'];
    if rank > 4 || dimension >= rank {
        None
    } else {
        Some(LETTERS[rank - 1 - dimension])
    }
}
