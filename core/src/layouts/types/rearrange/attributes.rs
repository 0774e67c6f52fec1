//! What a change of dimensions does to the attributes: only `padded_dimensions` counts dimensions
//! by their numbers. Tiles count them from minor to major, which no change here touches. Splits
//! count them from the most major one, so that no dimension is put in or taken out where there are
//! splits. A header M(…) lists the sizes of the whole in their own sequence: it describes no
//! changed layout, which has none, as those of `DynLayout`.

use super::change::{EditAttributes, EditSizes};
use crate::layouts::types::list::{IntoTuple, Tuple};
use crate::layouts::types::parts::{
    ElementWidth, Fill, MemSpace, MetadataBytes, Padded, SplitDim, TailAlign, Tile,
};

/// One attribute, changed: the list of attributes that begins with it, if it stays, and goes on
/// with `Rest`.
pub trait EditAttribute<How> {
    type Edited<Rest>;
}

/// A list of attributes, changed.
pub trait EditEach<How> {
    type Edited;
}

impl<How> EditEach<How> for () {
    type Edited = ();
}

impl<X: EditAttribute<How>, Rest: EditEach<How>, How> EditEach<How> for (X, Rest) {
    type Edited = X::Edited<Rest::Edited>;
}

impl<A, How> EditAttributes<How> for A
where
    A: Tuple<List: EditEach<How, Edited: IntoTuple>>,
{
    type Edited = <<A::List as EditEach<How>>::Edited as IntoTuple>::Tuple;
}

impl<Widths: EditSizes<How>, How> EditAttribute<How> for Padded<Widths> {
    type Edited<Rest> = (Padded<Widths::Edited>, Rest);
}

macro_rules! unchanged {
    ($([$($generics:tt)*] $name:ty;)*) => {$(
        impl<How, $($generics)*> EditAttribute<How> for $name {
            type Edited<Rest> = (Self, Rest);
        }
    )*};
}

unchanged! {
    [Entries] Tile<Entries>;
    [const DIMENSION: i64, Indices] SplitDim<DIMENSION, Indices>;
    [Value] Fill<Value>;
    [const N: usize] TailAlign<N>;
    [const N: usize] ElementWidth<N>;
    [const N: i8] MemSpace<N>;
}

impl<How, const N: i64> EditAttribute<How> for MetadataBytes<N> {
    type Edited<Rest> = Rest;
}
