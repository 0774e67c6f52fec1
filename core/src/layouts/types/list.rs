//! Lists of types: `(A, (B, (C, ())))` for the tuple `(A, B, C)`, so that one implementation
//! serves all lengths. A position in a list is a dimension number: `Nat<0>`, `Nat<1>`, …

use super::parts::Nat;

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
    label = "dimension number `{Position}` is out of range"
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

/// A list of 16 times the same.
pub(super) type Sixteen<X> = Four<X, Four<X, Four<X, Four<X, ()>>>>;
type Four<X, Rest> = (X, (X, (X, (X, Rest))));

// Each step puts one item before the lists of the step before: that of all items, and those that
// end with `(Here, Rest)`, with `(Item, Rest)` and with `Rest`.
macro_rules! lengths {
    ([$($name:ident)*] [$($reversed:ident)*] ($list:ty, $($ends:ty),*)) => {
        impl<$($name),*> Tuple for ($($name,)*) {
            type List = <($($reversed,)*) as Tuple>::Reversed;
            type Reversed = $list;
        }
        impl<$($name),*> IntoTuple for $list {
            type Tuple = ($($reversed,)*);
        }
    };
    (
        [$($name:ident)*] [$($reversed:ident)*] ($list:ty, $here:ty, $with:ty, $rest:ty)
        $position:literal $next:ident $($more:tt)*
    ) => {
        lengths!([$($name)*] [$($reversed)*] ($list, $here, $with, $rest));
        impl<$($name,)* Here, Rest> Nth<Nat<$position>> for $here {
            type Item = Here;
            type With<Item> = $with;
            type Without = $rest;
        }
        impl<$($name,)* Rest> Gap<Nat<$position>> for $rest {
            type Insert<Item> = $with;
        }
        lengths!(
            [$($name)* $next] [$next $($reversed)*]
            (($next, $list), ($next, $here), ($next, $with), ($next, $rest))
            $($more)*
        );
    };
}

lengths! {
    [] [] ((), (Here, Rest), (Item, Rest), Rest)
    0 A0 1 A1 2 A2 3 A3 4 A4 5 A5 6 A6 7 A7
    8 A8 9 A9 10 A10 11 A11 12 A12 13 A13 14 A14 15 A15
}

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
pub trait Scatter<Items, Found> {
    type Scattered;
}

impl<Items, Found> Scatter<Items, Found> for () {
    type Scattered = Found;
}

impl<Position, Rest, Item, Items, Found> Scatter<(Item, Items), Found> for (Position, Rest)
where
    Found: Nth<Position, Item = Vacant>,
    Rest: Scatter<Items, Found::With<Item>>,
{
    type Scattered = Rest::Scattered;
}
