//! Lists of types: `(A, (B, (C, ())))` for the tuple `(A, B, C)`, so that one implementation
//! serves all lengths.

use typenum::{
    Const, ToUInt, U, U0, U1, U2, U3, U4, U5, U6, U7, U8, U9, U10, U11, U12, U13, U14, U15,
    Unsigned,
};

use crate::types::parts::{AtMost, Nat, Num};

/// A number in the type of a layout that has a name in typenum.
#[diagnostic::on_unimplemented(
    message = "typenum has no name for the number in `{Self}`",
    label = "a number of this layout has no type in typenum",
    note = "0 to 1024, powers of 2 and of 10, and powers of 2 less 1 have names",
    note = "a dimension may be any typenum number `P`: write it `type P`, as in `layout!(f32[type P, 3])`",
    note = "code that is generic over the number takes the layout as a bound: `where layout!(…): TypeNumbers`"
)]
pub trait TypeNumber {
    /// The name.
    type Name: Unsigned;
}

// What is missing is a name for the number, not an implementation of one of typenum's traits.
#[diagnostic::do_not_recommend]
impl<const N: usize> TypeNumber for Nat<N>
where
    Const<N>: ToUInt<Output: Unsigned>,
{
    type Name = U<N>;
}

#[diagnostic::do_not_recommend]
impl<const N: usize> TypeNumber for AtMost<N>
where
    Const<N>: ToUInt<Output: Unsigned>,
{
    type Name = U<N>;
}

impl<P: Unsigned> TypeNumber for Num<P> {
    type Name = P;
}

/// A tuple, as lists.
#[diagnostic::on_unimplemented(
    message = "a layout's type has at most 16 dimensions, attributes, and entries in a tile",
    label = "too long for a layout's type"
)]
pub trait Tuple {
    type List;
    /// The last one first.
    type Reversed;
}

/// A list, as a tuple.
pub trait IntoTuple {
    type Tuple;
}

/// The item at a position of a list.
#[diagnostic::on_unimplemented(
    message = "the minor-to-major list does not fit the dimensions of the layout",
    label = "dimension number {Position} is out of range"
)]
pub trait Nth<Position> {
    type Item;
    /// The list with another item there.
    type With<Item>;
    /// The list without that item.
    type Without;
}

/// A position of a list, its end included, where an item may be put in.
pub trait Gap<Position> {
    type Insert<Item>;
}

macro_rules! list {
    (; $rest:ty) => { $rest };
    ($first:ident $($more:ident)*; $rest:ty) => { ($first, list!($($more)*; $rest)) };
}

macro_rules! lengths {
    ([$($name:ident)*] [$($reversed:ident)*]) => {
        impl<$($name),*> Tuple for ($($name,)*) {
            type List = list!($($name)*; ());
            type Reversed = list!($($reversed)*; ());
        }
        impl<$($name),*> IntoTuple for list!($($name)*; ()) {
            type Tuple = ($($name,)*);
        }
    };
    ([$($name:ident)*] [$($reversed:ident)*] $position:ident $next:ident $($more:ident)*) => {
        lengths!([$($name)*] [$($reversed)*]);
        impl<$($name,)* Here, Rest> Nth<$position> for list!($($name)*; (Here, Rest)) {
            type Item = Here;
            type With<Item> = list!($($name)*; (Item, Rest));
            type Without = list!($($name)*; Rest);
        }
        impl<$($name,)* Rest> Gap<$position> for list!($($name)*; Rest) {
            type Insert<Item> = list!($($name)*; (Item, Rest));
        }
        lengths!([$($name)* $next] [$next $($reversed)*] $($more)*);
    };
}

lengths! {
    [] []
    U0 A0 U1 A1 U2 A2 U3 A3 U4 A4 U5 A5 U6 A6 U7 A7
    U8 A8 U9 A9 U10 A10 U11 A11 U12 A12 U13 A13 U14 A14 U15 A15
}

/// A list of numbers, by their names.
pub trait Named {
    type Names;
}

impl Named for () {
    type Names = ();
}

impl<X: TypeNumber, Rest: Named> Named for (X, Rest) {
    type Names = (X::Name, Rest::Names);
}

/// A tuple of numbers, by their names.
pub trait NamedTuple: Tuple<List: Named<Names: IntoTuple>> {
    type Names;
}

impl<X: Tuple<List: Named<Names: IntoTuple>>> NamedTuple for X {
    type Names = <Names<X> as IntoTuple>::Tuple;
}

/// The names as a list.
pub(crate) type Names<X> = <<X as Tuple>::List as Named>::Names;

/// The items of a list at the positions in another.
pub trait Pick<From> {
    type Picked;
}

impl<From> Pick<From> for () {
    type Picked = ();
}

impl<Position, Rest, From> Pick<From> for (Position, Rest)
where
    From: Nth<Position>,
    Rest: Pick<From>,
{
    type Picked = (From::Item, Rest::Picked);
}

/// The list with an item at its end.
pub trait Append<Item> {
    type Appended;
}

impl<Item> Append<Item> for () {
    type Appended = (Item, ());
}

impl<First, Rest: Append<Item>, Item> Append<Item> for (First, Rest) {
    type Appended = (First, Rest::Appended);
}

/// A position that has no item yet.
pub struct Vacant;

/// A list of positions, each with its item in `Items`: `Found` with the items in those positions,
/// which are vacant before. So a list that names a position twice is refused.
pub trait Place<Items, Found> {
    type Placed;
}

impl<Items, Found> Place<Items, Found> for () {
    type Placed = Found;
}

impl<Position, Rest, Item, Items, Found> Place<(Item, Items), Found> for (Position, Rest)
where
    Found: Nth<Position, Item = Vacant>,
    Rest: Place<Items, Found::With<Item>>,
{
    type Placed = Rest::Placed;
}
