//! Which dimension varies fastest in memory: permutations, in both directions.
//!
//! XLA lists dimensions from the most minor (the one that varies fastest) to the most major:
//! *minor to major*. JAX's `Layout(major_to_minor=…)` lists the same thing backwards. The two are
//! different types here, so that one cannot be passed for the other.

use crate::constant::INLINE_RANK;
use crate::error::ParseError;
use crate::list::List;

/// Dimension numbers from the most minor to the most major (XLA: `Layout::minor_to_major`).
///
/// For rank 2, `{1,0}` is row-major and `{0,1}` is column-major. Entries are what the text said;
/// [`Layout::validate`](crate::Layout::validate_for) checks that they are a permutation.
///
/// ```
/// use xlayout_shape::MinorToMajor;
/// let row_major = MinorToMajor::row_major(3).unwrap();
/// assert_eq!(row_major[..], [2, 1, 0]);
/// assert_eq!(row_major.to_major_to_minor()[..], [0, 1, 2]);
/// ```
///
/// In the type of a layout (`xlayout::types::StaticLayout`) the numbers are types:
/// `MinorToMajor<(Nat<1>, Nat<0>)>`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct MinorToMajor<Numbers = List<i64, INLINE_RANK>>(Numbers);

/// Dimension numbers from the most major to the most minor (JAX: `Layout.major_to_minor`).
///
/// ```
/// use xlayout_shape::MajorToMinor;
/// let column_major = MajorToMinor::new(&[1, 0]).unwrap();
/// assert_eq!(column_major.to_minor_to_major()[..], [0, 1]);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct MajorToMinor(List<i64, INLINE_RANK>);

impl MinorToMajor {
    /// These dimension numbers, most minor first.
    ///
    /// # Errors
    /// [`TooMany`](crate::ErrorKind::TooMany) for more than 16 without the feature `alloc`.
    #[inline]
    pub fn new(minor_to_major: &[i64]) -> Result<Self, ParseError> {
        List::try_from_iter(minor_to_major.iter().copied()).map(Self)
    }

    #[doc(hidden)]
    pub const fn from_list(list: List<i64, INLINE_RANK>) -> Self {
        Self(list)
    }

    /// `{rank-1, …, 1, 0}`: the last dimension varies fastest (XLA: `MakeDescendingLayout`).
    ///
    /// # Errors
    /// [`TooMany`](crate::ErrorKind::TooMany) for a rank above 16 without the feature `alloc`.
    #[doc(alias = "MakeDescendingLayout")]
    pub fn row_major(rank: usize) -> Result<Self, ParseError> {
        List::try_from_iter((0..rank as i64).rev()).map(Self)
    }

    /// `{0, 1, …, rank-1}`: dimension 0 varies fastest (XLA: `MakeAscendingLayout`).
    ///
    /// ```
    /// use xlayout_shape::MinorToMajor;
    /// let order = MinorToMajor::column_major(3).unwrap();
    /// assert_eq!(order[..], [0, 1, 2]);
    /// assert!(order.is_permutation());
    /// assert!(!MinorToMajor::new(&[0, 0]).unwrap().is_permutation());
    /// ```
    ///
    /// # Errors
    /// [`TooMany`](crate::ErrorKind::TooMany) for a rank above 16 without the feature `alloc`.
    #[doc(alias = "MakeAscendingLayout")]
    #[inline]
    pub fn column_major(rank: usize) -> Result<Self, ParseError> {
        List::try_from_iter(0..rank as i64).map(Self)
    }

    /// Whether every number from 0 to the rank less one is here exactly once.
    ///
    /// ```
    /// use xlayout_shape::MinorToMajor;
    /// let mut order = MinorToMajor::row_major(300).unwrap();
    /// assert!(order.is_permutation());
    /// order[0] = 17;
    /// assert!(!order.is_permutation());
    /// assert!(!MinorToMajor::new(&[1, 2]).unwrap().is_permutation());
    /// ```
    #[must_use]
    #[inline]
    pub fn is_permutation(&self) -> bool {
        let mut times = Times::new(self.len());
        self.iter().all(|&number| {
            index_below(number, self.len()).is_some_and(|dimension| times.count(dimension) == 1)
        })
    }

    /// Adds a dimension as the most major one (XLA: `Layout::add_minor_to_major`). To clear the
    /// list, assign a new one.
    ///
    /// ```
    /// use xlayout_shape::MinorToMajor;
    /// let mut minor_to_major = MinorToMajor::new(&[0]).unwrap();
    /// minor_to_major.push(1).unwrap();
    /// assert_eq!(minor_to_major[..], [0, 1]);
    /// ```
    ///
    /// # Errors
    /// [`TooMany`](crate::ErrorKind::TooMany) for a rank above 16 without the feature `alloc`.
    #[doc(alias("add_minor_to_major", "clear_minor_to_major"))]
    #[inline]
    pub fn push(&mut self, dimension: i64) -> Result<(), ParseError> {
        self.0.try_push(dimension)
    }

    /// Takes out a dimension; those with higher numbers move down by one. Answers where it stood,
    /// counted from the most minor one; `None` when it is not listed, and then nothing changes.
    #[doc(hidden)]
    #[inline]
    pub fn remove(&mut self, dimension: i64) -> Option<usize> {
        let at = self.iter().position(|&d| d == dimension)?;
        // What was read but not validated may list it twice.
        while let Some(at) = self.iter().position(|&d| d == dimension) {
            self.0.remove(at);
        }
        for d in self.0.iter_mut() {
            if *d > dimension {
                *d -= 1;
            }
        }
        Some(at)
    }

    /// The same list, most major first.
    #[must_use]
    #[inline]
    pub fn to_major_to_minor(&self) -> MajorToMinor {
        let mut list = self.0.clone();
        list.reverse();
        MajorToMinor(list)
    }
}

impl MajorToMinor {
    /// These dimension numbers, most major first.
    ///
    /// # Errors
    /// [`TooMany`](crate::ErrorKind::TooMany) for more than 16 without the feature `alloc`.
    #[inline]
    pub fn new(major_to_minor: &[i64]) -> Result<Self, ParseError> {
        List::try_from_iter(major_to_minor.iter().copied()).map(Self)
    }

    /// The same list, most minor first (XLA: `MakeLayoutFromMajorToMinor`).
    #[doc(alias = "MakeLayoutFromMajorToMinor")]
    #[must_use]
    #[inline]
    pub fn to_minor_to_major(&self) -> MinorToMajor {
        let mut list = self.0.clone();
        list.reverse();
        MinorToMajor(list)
    }
}

impl core::ops::Deref for MinorToMajor {
    type Target = [i64];
    #[inline]
    fn deref(&self) -> &[i64] {
        &self.0
    }
}

/// XLA: `Layout::set_minor_to_major`, `mutable_minor_to_major`.
///
/// ```
/// use xlayout_shape::MinorToMajor;
/// let mut minor_to_major = MinorToMajor::row_major(3).unwrap();
/// minor_to_major.swap(0, 1);
/// assert_eq!(minor_to_major[..], [1, 2, 0]);
/// ```
impl core::ops::DerefMut for MinorToMajor {
    #[inline]
    fn deref_mut(&mut self) -> &mut [i64] {
        &mut self.0
    }
}

impl core::ops::Deref for MajorToMinor {
    type Target = [i64];
    #[inline]
    fn deref(&self) -> &[i64] {
        &self.0
    }
}

/// `dimension` as an index, if it is one of `rank` dimensions.
pub(crate) fn index_below(dimension: i64, rank: usize) -> Option<usize> {
    let index = usize::try_from(dimension).ok()?;
    (index < rank).then_some(index)
}

/// How often each dimension was seen: up to 3 times, in 2 bits each.
pub(crate) struct Times {
    few: u128,
    #[cfg(feature = "alloc")]
    many: alloc::vec::Vec<u8>,
}

impl Times {
    /// The dimensions that are counted without a heap.
    const FEW: usize = 64;

    pub(crate) fn new(_rank: usize) -> Self {
        Self {
            few: 0,
            #[cfg(feature = "alloc")]
            many: alloc::vec![0; _rank.saturating_sub(Self::FEW)],
        }
    }

    /// Counts a dimension and returns how often it was seen, at most 3.
    pub(crate) fn count(&mut self, dimension: usize) -> u8 {
        if dimension < Self::FEW {
            let at = 2 * dimension;
            let times = (self.few >> at & 3) as u8;
            if times < 3 {
                self.few += 1 << at;
            }
            return times + u8::from(times < 3);
        }
        #[cfg(feature = "alloc")]
        {
            let times = &mut self.many[dimension - Self::FEW];
            *times = (*times + 1).min(3);
            *times
        }
        // Without a heap there are not as many dimensions.
        #[cfg(not(feature = "alloc"))]
        1
    }
}
