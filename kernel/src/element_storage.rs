//! Which Rust type holds an element of a kernel's array.

use xlayout_core::{DType, Element, StoredAs, dtype};

/// An element type with the Rust type that a kernel's array of it holds.
///
/// It is the type of Rust's standard library, if there is one. With the feature of that name, bf16 and f16
/// are types of `half`, f8e4m3fn and f8e5m2 types of `float8`, and complex numbers types of `num_complex`.
/// For all other types, and without these features, [`Raw`](xlayout_core::Raw) holds the bits. The trait is
/// sealed, because [`DType`] is.
pub trait ElementStorage: DType + StoredAs<<Self as ElementStorage>::Stored> {
    /// The Rust type.
    type Stored: Element<Type = Self>;
}

macro_rules! carried {
    ($($name:ident)*) => {$(
        impl ElementStorage for dtype::$name {
            type Stored = Self;
        }
    )*};
}
carried!(pred s8 s16 s32 s64 u8 u16 u32 u64 f32 f64);

macro_rules! raw {
    ($($(#[$cfg:meta])? $name:ident)*) => {$(
        $(#[$cfg])?
        impl ElementStorage for dtype::$name {
            type Stored = xlayout_core::Raw<Self>;
        }
    )*};
}
raw! {
    s1 s2 s4 u1 u2 u4
    f8e4m3b11fnuz f8e5m2fnuz f8e4m3fnuz f8e4m3 f8e3m4 f8e8m0fnu f4e2m1fn f6e3m2fn f6e2m3fn
    #[cfg(not(feature = "half"))] f16
    #[cfg(not(feature = "half"))] bf16
    #[cfg(not(feature = "float8"))] f8e4m3fn
    #[cfg(not(feature = "float8"))] f8e5m2
    #[cfg(not(feature = "num-complex"))] c64
    #[cfg(not(feature = "num-complex"))] c128
}

#[cfg(any(feature = "half", feature = "float8", feature = "num-complex"))]
macro_rules! foreign {
    ($($name:ident $rust:ty;)*) => {$(
        impl ElementStorage for dtype::$name {
            type Stored = $rust;
        }
    )*};
}
#[cfg(feature = "half")]
foreign! {
    f16 half::f16;
    bf16 half::bf16;
}
#[cfg(feature = "float8")]
foreign! {
    f8e4m3fn float8::F8E4M3;
    f8e5m2 float8::F8E5M2;
}
#[cfg(feature = "num-complex")]
foreign! {
    c64 num_complex::Complex<f32>;
    c128 num_complex::Complex<f64>;
}
