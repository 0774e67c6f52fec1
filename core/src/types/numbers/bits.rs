//! The bits of an element type as typenum's types.

use typenum::{U8, U16, U32, U64, U128, Unsigned};

use crate::element::{DType, dtype};

/// An element type whose bits in memory are one of typenum's types: all of XLA's element types.
pub trait TypeBits: DType {
    /// The bits of one element where the layout says no other (`E(n)`): whole bytes.
    type Bits: Unsigned;
}

macro_rules! bits {
    ($($bits:ident: $($name:ident)*;)*) => {$($(
        impl TypeBits for dtype::$name {
            type Bits = $bits;
        }
    )*)*};
}

bits! {
    U8: pred s1 s2 s4 s8 u1 u2 u4 u8 f8e5m2 f8e4m3fn f8e4m3b11fnuz f8e5m2fnuz f8e4m3fnuz f8e4m3
        f8e3m4 f8e8m0fnu f4e2m1fn f6e3m2fn f6e2m3fn;
    U16: s16 u16 f16 bf16;
    U32: s32 u32 f32;
    U64: s64 u64 f64 c64;
    U128: c128;
}
