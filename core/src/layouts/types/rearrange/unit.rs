//! Dimensions of size 1, put in and taken out.

use super::change::{Change, ChangeOf, EditOrder, EditSizes, Rearrange};
use super::permute::{Counted, Vacancies};
use crate::layouts::types::list::{Append, Gap, IntoTuple, Nth, Pick, Scatter, Tuple};
use crate::layouts::types::parts::Nat;
use crate::layouts::types::sealed::ChangedBy;

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
/// type BOrder = MinorToMajor<(Nat<2>, Nat<0>, Nat<1>)>;
/// type B = StaticLayout<f32, (Nat<2>, Nat<1>, Nat<3>), BOrder, ()>;
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
/// type Order = MinorToMajor<(Nat<2>, Nat<1>, Nat<0>)>;
/// type A = StaticLayout<f32, (Nat<2>, Nat<1>, Nat<3>), Order, ()>;
/// type B = StaticLayout<f32, (Nat<2>, Nat<3>), MinorToMajor<(Nat<1>, Nat<0>)>, ()>;
/// let b: WithoutUnit<A, 1> = B::NEW;
/// # let _ = b;
/// ```
#[doc(alias = "DeleteDimension")]
pub type WithoutUnit<L, const DIM: usize> = <L as Rearrange<DeleteUnit<DIM>>>::Layout;

impl<L, const DIM: usize> ChangedBy<InsertUnit<DIM>> for L {}
impl<L, const DIM: usize> ChangedBy<DeleteUnit<DIM>> for L {}

impl<const DIM: usize> Change for InsertUnit<DIM> {
    const CHANGE: ChangeOf = ChangeOf::Insert(DIM);
}

impl<const DIM: usize> Change for DeleteUnit<DIM> {
    const CHANGE: ChangeOf = ChangeOf::Delete(DIM);
}

impl<X, const DIM: usize> EditSizes<InsertUnit<DIM>> for X
where
    X: Tuple<List: Gap<Nat<DIM>>>,
    <X::List as Gap<Nat<DIM>>>::Insert<Nat<1>>: IntoTuple,
{
    type Edited = <<X::List as Gap<Nat<DIM>>>::Insert<Nat<1>> as IntoTuple>::Tuple;
}

// From `DIM` on the numbers are one more: dimension `k` is item `k` of `Counted` without `DIM`.
// `DIM` comes last, as the most major one.
impl<O, const DIM: usize> EditOrder<InsertUnit<DIM>> for O
where
    O: Tuple,
    Counted: Nth<Nat<DIM>>,
    O::List:
        Pick<<Counted as Nth<Nat<DIM>>>::Without, Picked: Append<Nat<DIM>, Appended: IntoTuple>>,
{
    type Edited = <<<O::List as Pick<<Counted as Nth<Nat<DIM>>>::Without>>::Picked as Append<
        Nat<DIM>,
    >>::Appended as IntoTuple>::Tuple;
}

/// A dimension that the type says has size 1.
pub trait Unit {}

impl Unit for Nat<1> {}
// Of a size that is a type, `Fits` asks whether it is 1.
impl<S> Unit for crate::layouts::types::Num<S> {}

impl<X, const DIM: usize> EditSizes<DeleteUnit<DIM>> for X
where
    X: Tuple<List: Nth<Nat<DIM>, Item: Unit, Without: IntoTuple>>,
{
    type Edited = <<X::List as Nth<Nat<DIM>>>::Without as IntoTuple>::Tuple;
}

/// A list of dimension numbers without one of them.
pub trait Delete<Position> {
    type Deleted;
}

/// Where each dimension is in a list of dimension numbers.
type Places<Order> = <Order as Scatter<Counted, Vacancies>>::Scattered;

impl<Order, Position> Delete<Position> for Order
where
    Order: Scatter<Counted, Vacancies>,
    Places<Order>: Nth<Position>,
    Order: Nth<<Places<Order> as Nth<Position>>::Item>,
{
    type Deleted = <Order as Nth<<Places<Order> as Nth<Position>>::Item>>::Without;
}

// Behind `DIM` the numbers are one less: dimension `k` is item `k` of `Counted` with a gap at
// `DIM`.
impl<O, const DIM: usize> EditOrder<DeleteUnit<DIM>> for O
where
    O: Tuple,
    O::List: Delete<Nat<DIM>>,
    Counted: Gap<Nat<DIM>>,
    <O::List as Delete<Nat<DIM>>>::Deleted:
        Pick<<Counted as Gap<Nat<DIM>>>::Insert<()>, Picked: IntoTuple>,
{
    type Edited = <<<O::List as Delete<Nat<DIM>>>::Deleted as Pick<
        <Counted as Gap<Nat<DIM>>>::Insert<()>,
    >>::Picked as IntoTuple>::Tuple;
}
