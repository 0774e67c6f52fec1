//! Permuted dimensions.

use core::marker::PhantomData;

use super::change::{Change, ChangeOf, EditOrder, EditSizes, Rearrange};
use crate::coordinates::Coordinates;
use crate::layouts::types::list::{IntoTuple, Pick, Scatter, Sixteen, Tuple, Vacant};
use crate::layouts::types::parts::{Nat, NumberList, StaticDimensions};
use crate::layouts::types::sealed::ChangedBy;

/// The dimensions in another sequence: dimension `i` is what was dimension `Permutation[i]`.
pub struct Permute<Permutation>(PhantomData<fn() -> Permutation>);

/// A layout with its dimensions permuted: dimension `i` is what was dimension `Permutation[i]`, and
/// every element stays where it is (XLA: `ShapeUtil::PermuteDimensions`).
///
/// ```
/// use xlayout_core::types::{Nat, StaticLayout, MinorToMajor, Permuted};
///
/// // layout!(f32[2,3,4]{2,1,0}) is layout!(f32[4,2,3]{0,2,1})
/// type Order = MinorToMajor<(Nat<2>, Nat<1>, Nat<0>)>;
/// type A = StaticLayout<f32, (Nat<2>, Nat<3>, Nat<4>), Order, ()>;
/// type BOrder = MinorToMajor<(Nat<0>, Nat<2>, Nat<1>)>;
/// type B = StaticLayout<f32, (Nat<4>, Nat<2>, Nat<3>), BOrder, ()>;
/// let b: Permuted<A, (Nat<2>, Nat<0>, Nat<1>)> = B::NEW;
/// # let _ = b;
/// ```
#[doc(alias = "PermuteDimensions")]
pub type Permuted<L, Permutation> = <L as Rearrange<Permute<Permutation>>>::Layout;

impl<L, P> ChangedBy<Permute<P>> for L {}

impl<P: NumberList> Change for Permute<P> {
    const CHANGE: ChangeOf = ChangeOf::Permute(P::SIZES);
}

macro_rules! counted {
    () => { () };
    ($first:literal $($more:literal)*) => { (Nat<$first>, counted!($($more)*)) };
}

/// The numbers 0, 1, … as a list.
pub(super) type Counted = counted!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15);

/// As many vacant positions.
pub(super) type Vacancies = Sixteen<Vacant>;

/// A permutation of the dimensions of an array with coordinates `C`: each number below the rank is
/// in it once.
pub trait PermutationOf<C>: NumberList {
    /// Where each dimension goes: for each number its place in the permutation.
    type Inverse;
}

impl<P> PermutationOf<P::Coordinates> for P
where
    P: NumberList + StaticDimensions + Tuple,
    // No number twice, and none beyond the rank.
    P::List: Scatter<Counted, Vacancies> + Pick<P::List>,
{
    type Inverse = <P::List as Scatter<Counted, Vacancies>>::Scattered;
}

/// Coordinates or sizes, permuted.
pub(crate) fn permuted<P: PermutationOf<C>, C: Coordinates>(coordinates: &C) -> C {
    Permute::<P>::CHANGE.sizes(coordinates, P::SIZES.len())
}

impl<X, P> EditSizes<Permute<P>> for X
where
    X: Tuple,
    P: Tuple,
    P::List: Pick<X::List, Picked: IntoTuple>,
{
    type Edited = <<P::List as Pick<X::List>>::Picked as IntoTuple>::Tuple;
}

// Where a dimension goes is what the inverse says: its number's place in the permutation.
impl<O, P> EditOrder<Permute<P>> for O
where
    O: Tuple,
    P: Tuple,
    P::List: Scatter<Counted, Vacancies>,
    O::List: Pick<<P::List as Scatter<Counted, Vacancies>>::Scattered, Picked: IntoTuple>,
{
    type Edited = <<O::List as Pick<<P::List as Scatter<Counted, Vacancies>>::Scattered>>::Picked as IntoTuple>::Tuple;
}
