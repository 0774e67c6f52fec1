//! What a change of dimensions does to the attributes: only `padded_dimensions` counts dimensions
//! by their numbers. Tiles count them from minor to major, which no change here touches. Splits count
//! them from the most major one, so that no dimension is put in or taken out where there are splits.

use super::change::{EditAttributes, EditSizes};
use crate::types::list::{IntoTuple, Tuple};
use crate::types::parts::{
    ElementWidth, Fill, MemSpace, MetadataBytes, Padded, SplitDim, TailAlign, Tile,
};

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
    [const N: usize] TailAlign<N>;
    [const N: usize] ElementWidth<N>;
    [const N: i8] MemSpace<N>;
    [const DIMENSION: i64, Indices] SplitDim<DIMENSION, Indices>;
    [const N: i64] MetadataBytes<N>;
    [Value] Fill<Value>;
}
