//! The bits of an element type as typenum's types.

use typenum::{U8, U16, U32, U64, U128, Unsigned};

use xlayout_core::dtype::{self, DType};

/// An element type whose bits in memory are one of typenum's types: all of XLA's element types.
pub trait TypeBits: DType {
    /// The bits of one element where the layout says no other (`E(n)`): whole bytes.
    type Bits: Unsigned;
}

macro_rules! bits {
    (
        elements { $(
            $(#[$doc:meta])*
            $variant:ident = $number:literal, $name:ident, $($text:tt),*;
            { $storage:ident $stored:ty, $bits:ident, $($values:tt)* }
            $libraries:tt
        )* }
        others $others:tt
    ) => {$(
        impl TypeBits for dtype::$name {
            type Bits = $bits;
        }
    )*};
}

xlayout_core::for_each_element_type! { bits }
