//! Dimensions of size 1, put in and taken out.

use super::change::{Change, ChangeOf, EditOrder, EditSizes, Rearrange};
use super::permute::{Counted, Vacancies};
use crate::types::numbers::list::{
    Append, Gap, IntoTuple, NamedTuple, Names, Nth, Pick, Place, Tuple, TypeNumber,
};
use crate::types::parts::{Nat, Num};

/// A dimension of size 1 more, which has the number `DIM`. It becomes the most major one in memory,
/// so that no tile changes.
pub struct InsertUnit<const DIM: usize>;

/// Without dimension `DIM`, which has size 1.
pub struct DeleteUnit<const DIM: usize>;

/// A layout with a dimension of size 1 more, which has the number `DIM`.
///
/// ```
/// use xlayout_core::types::{Nat, StaticLayout, MinorToMajor, WithUnit};
///
/// // layout!(f32[2,3]{1,0}) is layout!(f32[2,1,3]{2,0,1})
/// type A = StaticLayout<f32, (Nat<2>, Nat<3>), MinorToMajor<(Nat<1>, Nat<0>)>, ()>;
/// type B = StaticLayout<f32, (Nat<2>, Nat<1>, Nat<3>), MinorToMajor<(Nat<2>, Nat<0>, Nat<1>)>, ()>;
/// let b: WithUnit<A, 1> = B::NEW;
/// # let _ = b;
/// ```
pub type WithUnit<L, const DIM: usize> = <L as Rearrange<InsertUnit<DIM>>>::Layout;

/// A layout without dimension `DIM`, which has size 1 (XLA: `ShapeUtil::DeleteDimension`).
///
/// ```
/// use xlayout_core::types::{Nat, StaticLayout, MinorToMajor, WithoutUnit};
///
/// // layout!(f32[2,1,3]{2,1,0}) is layout!(f32[2,3]{1,0})
/// type A = StaticLayout<f32, (Nat<2>, Nat<1>, Nat<3>), MinorToMajor<(Nat<2>, Nat<1>, Nat<0>)>, ()>;
/// type B = StaticLayout<f32, (Nat<2>, Nat<3>), MinorToMajor<(Nat<1>, Nat<0>)>, ()>;
/// let b: WithoutUnit<A, 1> = B::NEW;
/// # let _ = b;
/// ```
#[doc(alias = "DeleteDimension")]
pub type WithoutUnit<L, const DIM: usize> = <L as Rearrange<DeleteUnit<DIM>>>::Layout;

impl<const DIM: usize> Change for InsertUnit<DIM> {
    const CHANGE: ChangeOf = ChangeOf::Insert(DIM);
}

impl<const DIM: usize> Change for DeleteUnit<DIM> {
    const CHANGE: ChangeOf = ChangeOf::Delete(DIM);
}

/// The name of a dimension's number.
type At<const DIM: usize> = <Nat<DIM> as TypeNumber>::Name;

impl<X, const DIM: usize> EditSizes<InsertUnit<DIM>> for X
where
    Nat<DIM>: TypeNumber,
    X: Tuple<List: Gap<At<DIM>>>,
    <X::List as Gap<At<DIM>>>::Insert<Nat<1>>: IntoTuple,
{
    type Edited = <<X::List as Gap<At<DIM>>>::Insert<Nat<1>> as IntoTuple>::Tuple;
}

// From `DIM` on the numbers are one more.
impl<O, const DIM: usize> EditOrder<InsertUnit<DIM>> for O
where
    Nat<DIM>: TypeNumber,
    O: NamedTuple,
    Counted: Nth<At<DIM>>,
    Names<O>:
        Pick<<Counted as Nth<At<DIM>>>::Without, Picked: Append<Nat<DIM>, Appended: IntoTuple>>,
{
    type Edited = <<<Names<O> as Pick<<Counted as Nth<At<DIM>>>::Without>>::Picked as Append<
        Nat<DIM>,
    >>::Appended as IntoTuple>::Tuple;
}

/// A dimension that the type says has size 1.
pub trait Unit {}

impl Unit for Nat<1> {}
impl Unit for Num<typenum::U1> {}

impl<X, const DIM: usize> EditSizes<DeleteUnit<DIM>> for X
where
    Nat<DIM>: TypeNumber,
    X: Tuple<List: Nth<At<DIM>, Item: Unit, Without: IntoTuple>>,
{
    type Edited = <<X::List as Nth<At<DIM>>>::Without as IntoTuple>::Tuple;
}

/// Dimension numbers, by their names, without one of them.
pub trait Delete<Position> {
    type Deleted;
}

/// Where each dimension stands in a list of dimension numbers.
type Places<Order> = <Order as Place<Counted, Vacancies>>::Placed;

impl<Order, Position> Delete<Position> for Order
where
    Order: Place<Counted, Vacancies>,
    Places<Order>: Nth<Position, Item: TypeNumber>,
    Order: Nth<<<Places<Order> as Nth<Position>>::Item as TypeNumber>::Name>,
{
    type Deleted =
        <Order as Nth<<<Places<Order> as Nth<Position>>::Item as TypeNumber>::Name>>::Without;
}

// Behind `DIM` the numbers are one less.
impl<O, const DIM: usize> EditOrder<DeleteUnit<DIM>> for O
where
    Nat<DIM>: TypeNumber,
    O: NamedTuple,
    Names<O>: Delete<At<DIM>>,
    Counted: Gap<At<DIM>>,
    <Names<O> as Delete<At<DIM>>>::Deleted:
        Pick<<Counted as Gap<At<DIM>>>::Insert<()>, Picked: IntoTuple>,
{
    type Edited = <<<Names<O> as Delete<At<DIM>>>::Deleted as Pick<
        <Counted as Gap<At<DIM>>>::Insert<()>,
    >>::Picked as IntoTuple>::Tuple;
}
