//! Which Rust type holds an element of a kernel's array.

use xlayout_core::{
    Element,
    dtype::{self, DType, StoredAs},
};

/// An element type with the Rust type that a kernel's array of it holds.
///
/// It is the type of Rust's standard library, if there is one. With the feature of that name, bf16
/// and f16 are types of `half`, f8e4m3fn and f8e5m2 types of `float8`, and complex numbers types of
/// `num_complex`. For all other types, and without these features, [`Raw`](xlayout_core::Raw) holds
/// the bits. The trait is sealed, because [`DType`] is.
pub trait ElementStorage: DType + StoredAs<<Self as ElementStorage>::Stored> {
    /// The Rust type.
    type Stored: Element<Type = Self>;
}

macro_rules! storage {
    (
        elements { $($(#[$doc:meta])* $variant:ident = $number:literal, $name:ident, $($text:tt),*; $memory:tt $libraries:tt)* }
        others $others:tt
    ) => {
        $(stored! { $name $memory })*
    };
}

macro_rules! stored {
    ($name:ident { own $($rest:tt)* }) => {
        impl ElementStorage for dtype::$name {
            type Stored = Self;
        }
    };
    ($name:ident { raw $raw:ty, $bits:ident, $values:tt }) => {
        impl ElementStorage for dtype::$name {
            type Stored = xlayout_core::Raw<Self>;
        }
    };
    ($name:ident { raw $raw:ty, $bits:ident, $values:tt or $feature:literal {$foreign:ty} $from_bits:tt $to_bits:tt }) => {
        #[cfg(not(feature = $feature))]
        stored! { $name { raw $raw, $bits, $values } }
        #[cfg(feature = $feature)]
        impl ElementStorage for dtype::$name {
            type Stored = $foreign;
        }
    };
}

xlayout_core::for_each_element_type! { storage }
