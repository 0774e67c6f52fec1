//! What a change of dimensions does to the attributes: only `padded_dimensions` counts dimensions
//! by their numbers. Tiles count them from minor to major, which no change here touches. Splits count
//! them from the most major one, so that no dimension is put in or taken out where there are splits.

use super::change::{EditAttributes, EditSizes};
use crate::types::list::{IntoTuple, Tuple};
use crate::types::parts::{Fill, Padded, SplitDim, Tile};

/// One attribute, changed.
pub trait EditAttribute<How> {
    type Edited;
}

/// A list of attributes, changed.
pub trait EditEach<How> {
    type Edited;
}

impl<How> EditEach<How> for () {
    type Edited = ();
}

impl<X: EditAttribute<How>, Rest: EditEach<How>, How> EditEach<How> for (X, Rest) {
    type Edited = (X::Edited, Rest::Edited);
}

impl<A, How> EditAttributes<How> for A
where
    A: Tuple<List: EditEach<How, Edited: IntoTuple>>,
{
    type Edited = <<A::List as EditEach<How>>::Edited as IntoTuple>::Tuple;
}

impl<Widths: EditSizes<How>, How> EditAttribute<How> for Padded<Widths> {
    type Edited = Padded<Widths::Edited>;
}

macro_rules! unchanged {
    ($([$($generics:tt)*] $name:ty;)*) => {$(
        impl<How, $($generics)*> EditAttribute<How> for $name {
            type Edited = Self;
        }
    )*};
}

unchanged! {
    [Entries] Tile<Entries>;
    [const DIMENSION: i64, Indices] SplitDim<DIMENSION, Indices>;
    [Value] Fill<Value>;
}

macro_rules! numbers {
    (
        attributes $attributes:tt
        numbers { $(
            $(#[$doc:meta])*
            $variant:ident: $field:ident: $type:ty = $default:literal, nothing $nothing:pat,
            type $marker:ident<$generic:ty> = {$value:expr}, in $gathered:ident, $sized:ident;
        )* }
    ) => {
        unchanged! { $([const N: $generic] crate::types::$marker<N>;)* }
    };
}
xlayout_shape::for_each_attribute! { numbers }
