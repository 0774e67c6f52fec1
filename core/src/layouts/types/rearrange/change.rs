//! A change of a layout's dimensions that leaves its memory as it is.

use core::marker::PhantomData;

use super::same::assert_same_memory;
use crate::array_layout::ArrayLayout;
use crate::coordinates::Coordinates;
use crate::element::DType;
use crate::layouts::types::parts::{Attributes, Dimensions, StaticDimensions};
use crate::layouts::types::sealed::ChangedBy;
use crate::layouts::types::spec::{OrderOf, Spec};
use crate::layouts::types::{MixedLayout, StaticLayout};
use crate::order::MinorToMajor;

/// A layout whose dimensions can be changed without moving an element: what [`Permute`],
/// [`InsertUnit`] and [`DeleteUnit`] make of it. Each layout of known rank is permuted; a dimension
/// of size 1 is put into or taken out of those that types know.
///
/// [`Permute`]: super::Permute
/// [`InsertUnit`]: super::InsertUnit
/// [`DeleteUnit`]: super::DeleteUnit
///
/// ```
/// use xlayout_core::types::{Nat, StaticLayout, MinorToMajor, Permute, Rearrange};
/// use xlayout_core::{ArrayLayout, ConstLayout, Rank};
///
/// // A kernel that names a layout made of another.
/// fn linear_index_of_transposed<L>(index: [usize; 2]) -> usize
/// where
///     L: ConstLayout + Rearrange<Permute<(Nat<1>, Nat<0>)>, Layout: Rank<2>>,
/// {
///     L::NEW.rearranged().linear_index(&index)
/// }
/// // layout!(f32[2,3]{1,0})
/// type A = StaticLayout<f32, (Nat<2>, Nat<3>), MinorToMajor<(Nat<1>, Nat<0>)>, ()>;
/// assert_eq!(linear_index_of_transposed::<A>([2, 1]), 5);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{How}` does not fit the dimensions of this layout",
    label = "the layout has no such dimensions",
    note = "the layout is `{Self}`",
    note = "a permutation lists every dimension number once, as `permute(nat![1, 0])`; an inserted \
            dimension has a number up to the rank, a deleted one a number below it and the size 1: \
            slice the dimension first; a layout of unknown rank gets one first: \
            `array.ranked::<2>()?.permute(nat![1, 0])`",
    note = "in a function for any layout add the bound \
            `L: Rearrange<Permute<nat![1, 0]>, Layout: Rank<2>>` with the change and the rank that \
            you need, and `use xlayout::types::*`"
)]
pub trait Rearrange<How>: ArrayLayout + ChangedBy<How> {
    /// The layout with the dimensions changed.
    type Layout: ArrayLayout<Type = Self::Type>;

    /// Stops the compiler where an element would not stay where it is.
    #[doc(hidden)]
    const FITS: ();

    /// The layout with the dimensions changed. It compiles only where the elements stay where they
    /// are.
    fn rearranged(&self) -> Self::Layout;
}

/// A change of dimensions.
pub trait Change {
    /// Which one.
    #[doc(hidden)]
    const CHANGE: ChangeOf;
}

/// Which change.
#[derive(Clone, Copy)]
pub enum ChangeOf {
    /// Dimension `i` is what was dimension `numbers[i]`.
    Permute(&'static [usize]),
    /// A new dimension has this number.
    Insert(usize),
    /// The dimension of this number goes.
    Delete(usize),
}

impl ChangeOf {
    /// What a dimension was before; `None` for the new one.
    #[inline]
    pub(super) const fn before(self, dim: usize) -> Option<usize> {
        match self {
            Self::Permute(numbers) if dim < numbers.len() => Some(numbers[dim]),
            Self::Insert(at) if dim == at => None,
            Self::Insert(at) if dim > at => Some(dim - 1),
            Self::Delete(at) if dim >= at => Some(dim + 1),
            _ => Some(dim),
        }
    }

    /// The changed sizes.
    pub(super) fn sizes<A: Coordinates, B: Coordinates>(self, sizes: &A, rank: usize) -> B {
        let mut changed = B::origin(rank);
        for (dim, slot) in changed.as_mut().iter_mut().enumerate() {
            *slot = match self.before(dim) {
                Some(before) => sizes.coordinate(before),
                // The new dimension.
                None => 1,
            };
        }
        changed
    }
}

/// A tuple of sizes, changed.
pub trait EditSizes<How> {
    /// The changed tuple.
    type Edited;
}

/// A tuple of dimension numbers from minor to major, changed.
pub trait EditOrder<How> {
    /// The changed tuple.
    type Edited;
}

/// A tuple of attributes, changed.
pub trait EditAttributes<How> {
    /// The changed tuple.
    type Edited;
}

/// Whether a change fits a layout: the compiler stops where it does not.
struct Fits<How, E, D, O, A>(PhantomData<(How, E, D, O, A)>);

impl<How, E, D, O, A> Fits<How, E, D, O, A>
where
    How: Change,
    E: DType,
    D: Dimensions + EditSizes<How, Edited: Dimensions>,
    O: EditOrder<How>,
    A: Attributes + EditAttributes<How, Edited: Attributes>,
    MinorToMajor<O>: OrderOf,
    MinorToMajor<O::Edited>: OrderOf,
{
    const MEMORY: () = {
        let from = Spec::<E, D, MinorToMajor<O>, A>::TABLE;
        let to = Spec::<E, D::Edited, MinorToMajor<O::Edited>, A::Edited>::TABLE;
        let splits = Spec::<E, D, MinorToMajor<O>, A>::GATHERED.splits_len > 0;
        let obstacle = match How::CHANGE {
            ChangeOf::Delete(dim) if D::SIZES[dim] != 1 => Some("the dimension has another size"),
            // They count physical dimensions from the most major one.
            ChangeOf::Insert(_) | ChangeOf::Delete(_) if splits => {
                Some("the splits SC(…) would cut another dimension")
            }
            _ => None,
        };
        assert_same_memory(How::CHANGE, E::TYPE, D::SIZES, obstacle, from, to);
    };
}

// Written out twice rather than by a macro, of whose lines the compiler would tell the user. And
// the parts that do not fit are our own words for it: the layout is what the user wrote.
#[diagnostic::do_not_recommend]
impl<E, D, O, A, How> Rearrange<How> for StaticLayout<E, D, MinorToMajor<O>, A>
where
    Self: ChangedBy<How>,
    How: Change,
    E: DType,
    D: StaticDimensions + EditSizes<How, Edited: StaticDimensions>,
    O: EditOrder<How>,
    A: Attributes + EditAttributes<How, Edited: Attributes>,
    MinorToMajor<O>: OrderOf,
    MinorToMajor<O::Edited>: OrderOf,
{
    type Layout = StaticLayout<E, D::Edited, MinorToMajor<O::Edited>, A::Edited>;

    const FITS: () = Fits::<How, E, D, O, A>::MEMORY;

    #[inline(always)]
    fn rearranged(&self) -> Self::Layout {
        let () = Self::FITS;
        Self::Layout::NEW
    }
}

// The parts that do not fit are our own words for it: the layout is what the user wrote.
#[diagnostic::do_not_recommend]
impl<E, D, O, A, How> Rearrange<How> for MixedLayout<E, D, MinorToMajor<O>, A>
where
    Self: ChangedBy<How>,
    How: Change,
    E: DType,
    D: Dimensions + EditSizes<How, Edited: Dimensions>,
    O: EditOrder<How>,
    A: Attributes + EditAttributes<How, Edited: Attributes>,
    MinorToMajor<O>: OrderOf,
    MinorToMajor<O::Edited>: OrderOf,
{
    type Layout = MixedLayout<E, D::Edited, MinorToMajor<O::Edited>, A::Edited>;

    const FITS: () = Fits::<How, E, D, O, A>::MEMORY;

    #[inline(always)]
    fn rearranged(&self) -> Self::Layout {
        let () = Self::FITS;
        let sizes = How::CHANGE.sizes(&self.shape(), D::Edited::SIZES.len());
        Self::Layout::with_checked_sizes(&sizes)
    }
}
