//! The coordinates of one element: an array where the rank is known, a list where it is not.

use core::fmt::Debug;
use core::hash::Hash;

use crate::List;
use crate::dims::INLINE_RANK;

/// The coordinates of one element, dimension 0 first: `[usize; N]`, or [`DynCoordinates`] where
/// the rank is known at run time only.
pub trait Coordinates:
    sealed::Sealed + Clone + Debug + PartialEq + Eq + Hash + AsRef<[usize]> + AsMut<[usize]>
{
    /// The origin of an array of this rank. (For `[usize; N]` the rank is `N`, whatever is said.)
    fn origin(rank: usize) -> Self;
}

/// Coordinates of an array whose rank is known at run time only.
///
/// ```
/// use xlayout_core::DynCoordinates;
/// let at = DynCoordinates::from(&[1, 2][..]);
/// assert_eq!(at[..], [1, 2]);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct DynCoordinates(pub(crate) List<usize, INLINE_RANK>);

mod sealed {
    pub trait Sealed {}
    impl<const N: usize> Sealed for [usize; N] {}
    impl Sealed for super::DynCoordinates {}
}

impl<const N: usize> Coordinates for [usize; N] {
    #[inline(always)]
    fn origin(_rank: usize) -> Self {
        [0; N]
    }
}

impl Coordinates for DynCoordinates {
    fn origin(rank: usize) -> Self {
        let mut list = List::new();
        for _ in 0..rank {
            // A rank above 16 exists only where there is a heap, and there the list takes it.
            let _ = list.try_push(0);
        }
        Self(list)
    }
}

/// # Panics
/// For more than 16 coordinates without the feature `alloc`, where no array has that many.
impl From<&[usize]> for DynCoordinates {
    fn from(coordinates: &[usize]) -> Self {
        match List::try_from_iter(coordinates.iter().copied()) {
            Ok(list) => Self(list),
            Err(full) => panic!("{full}"),
        }
    }
}

impl<const N: usize> From<[usize; N]> for DynCoordinates {
    fn from(coordinates: [usize; N]) -> Self {
        Self::from(&coordinates[..])
    }
}

impl core::ops::Deref for DynCoordinates {
    type Target = [usize];
    #[inline]
    fn deref(&self) -> &[usize] {
        &self.0
    }
}

impl AsRef<[usize]> for DynCoordinates {
    #[inline]
    fn as_ref(&self) -> &[usize] {
        &self.0
    }
}

impl AsMut<[usize]> for DynCoordinates {
    #[inline]
    fn as_mut(&mut self) -> &mut [usize] {
        self.0.as_mut_slice()
    }
}
