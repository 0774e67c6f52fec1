//! A layout of known rank that only the run time knows.

use core::fmt;

use crate::array_layout::{ArrayLayout, delegate, sealed};
use crate::dynamic::DynLayout;
use crate::element::AnyType;
use crate::layout_error::LayoutError;
use crate::region::own_region;

/// A [`DynLayout`] of rank `N`: its coordinates are `[usize; N]`.
///
/// [`ArrayBase::ranked`](crate::ArrayBase::ranked) makes it of a view's layout. A [`StridedLayout`](crate::StridedLayout)
/// has a known rank, too; it takes no tiles.
///
/// ```
/// use xlayout_core::{DynLayout, ArrayLayout, RankedLayout};
/// let layout: DynLayout = "f32[4,4]{1,0:T(2,2)}".parse()?;
/// let layout = RankedLayout::<2>::new(layout)?;
/// assert_eq!(layout.linear_index(&[3, 2]), 14);
/// assert!(RankedLayout::<3>::new("f32[4,4]".parse()?).is_err());
/// # Ok::<(), xlayout_core::LayoutError>(())
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct RankedLayout<const N: usize> {
    layout: DynLayout,
    sizes: [usize; N],
    /// Those of a layout that has strides.
    strides: Option<[usize; N]>,
}

impl<const N: usize> RankedLayout<N> {
    /// The layout as one of rank `N`.
    ///
    /// # Errors
    /// When the rank is another one.
    pub fn new(layout: DynLayout) -> Result<Self, LayoutError> {
        let Ok(sizes) = <[usize; N]>::try_from(layout.dims()) else {
            return Err(LayoutError::Rank {
                expected: N,
                found: layout.rank(),
            });
        };
        let strides = layout.strides().map(|of| {
            let mut strides = [0; N];
            strides.copy_from_slice(&of);
            strides
        });
        Ok(Self {
            layout,
            sizes,
            strides,
        })
    }
}

/// The layout of any rank.
impl<const N: usize> AsRef<DynLayout> for RankedLayout<N> {
    fn as_ref(&self) -> &DynLayout {
        &self.layout
    }
}

impl<const N: usize> sealed::Sealed for RankedLayout<N> {}

#[diagnostic::do_not_recommend]
impl<const N: usize> ArrayLayout for RankedLayout<N> {
    type Type = AnyType;
    type Coordinates = [usize; N];
    const FIXED_SIZES: bool = false;
    own_region! { &self }

    delegate! { self.layout:
        element_type with_resolved shape
    }

    #[inline(always)]
    fn rank(&self) -> usize {
        N
    }

    #[inline(always)]
    fn sizes(&self) -> [usize; N] {
        self.sizes
    }

    #[inline(always)]
    fn linear_index(&self, index: &[usize; N]) -> usize {
        match &self.strides {
            Some(strides) => crate::Coordinates::dot(index, strides),
            None => self
                .layout
                .with_resolved(sealed::Token, |of| of.linear_index(index)),
        }
    }

    fn multi_index(&self, linear_index: usize) -> Option<[usize; N]> {
        self.with_resolved(sealed::Token, |of| of.multi_index(linear_index))
    }

    fn strides(&self) -> Option<[usize; N]> {
        self.strides
    }
}

impl<const N: usize> sealed::Sealed for &RankedLayout<N> {}

#[diagnostic::do_not_recommend]
impl<const N: usize> ArrayLayout for &RankedLayout<N> {
    type Type = AnyType;
    type Coordinates = [usize; N];
    const FIXED_SIZES: bool = false;
    own_region! { self }

    delegate! { *self:
        element_type rank sizes in_bounds linear_index_in_bounds linear_index multi_index
        with_resolved shape strides
    }
}

impl<const N: usize> fmt::Debug for RankedLayout<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "RankedLayout({})", self.layout.shape())
    }
}
