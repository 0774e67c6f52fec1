//! `Raw`: elements as their bits.

use std::mem::{align_of, size_of};

use xlayout_core::dtype::{self, DType};
use xlayout_core::{Element, ElementType, Raw, RawBits};

/// Width, alignment and type; and the values that are known as numbers.
fn check<D: RawBits>(bytes: usize, align: usize) -> ElementType
where
    Raw<D>: Element<Type = D>,
{
    assert_eq!(
        (size_of::<Raw<D>>(), align_of::<Raw<D>>()),
        (bytes, align),
        "{}",
        D::TYPE
    );
    assert_eq!(D::TYPE.bytes(), Some(bytes as u32));
    assert!(<Raw<D> as Element>::ANY_BITS);
    assert_eq!(Raw::<D>::from_bits(Raw::<D>::ONE.to_bits()), Raw::ONE);
    D::TYPE
}

#[test]
fn every_type_that_rust_has_none_for() {
    macro_rules! all {
        ($bytes:literal $align:expr; $($name:ident)*) => {
            [$(check::<dtype::$name>($bytes, $align)),*]
        };
    }
    let mut carried: Vec<ElementType> = Vec::new();
    carried.extend(all!(1 1; s1 s2 s4 u1 u2 u4 f8e5m2 f8e4m3fn f8e4m3b11fnuz f8e5m2fnuz));
    carried.extend(all!(1 1; f8e4m3fnuz f8e4m3 f8e3m4 f8e8m0fnu f4e2m1fn f6e3m2fn f6e2m3fn));
    carried.extend(all!(2 2; f16 bf16));
    carried.extend(all!(8 4; c64));
    carried.extend(all!(16 align_of::<u64>(); c128));
    let rust = [
        bool::TYPE,
        i8::TYPE,
        i16::TYPE,
        i32::TYPE,
        i64::TYPE,
        u8::TYPE,
        u16::TYPE,
        u32::TYPE,
        u64::TYPE,
        f32::TYPE,
        f64::TYPE,
    ];
    for known in ElementType::all().filter(|known| known.is_array()) {
        let times = carried
            .iter()
            .chain(&rust)
            .filter(|other| **other == known)
            .count();
        assert_eq!(times, 1, "{known}");
    }
}

/// A float of so many bits of exponent and mantissa, its bias given, as a number.
fn float(bits: u8, exponent: u32, mantissa: u32, bias: i32) -> f64 {
    let sign = if bits >> (exponent + mantissa) & 1 == 1 {
        -1.0
    } else {
        1.0
    };
    let fraction = f64::from(bits & ((1 << mantissa) - 1)) / f64::from(1 << mantissa);
    match i32::from(bits >> mantissa & ((1 << exponent) - 1) as u8) {
        0 => sign * fraction * 2_f64.powi(1 - bias),
        e => sign * (1.0 + fraction) * 2_f64.powi(e - bias),
    }
}

#[test]
fn one_and_the_ends() {
    macro_rules! values {
        ($name:ident $exponent:literal $mantissa:literal $bias:literal: $highest:literal) => {
            let of = |raw: Raw<dtype::$name>| float(raw.to_bits(), $exponent, $mantissa, $bias);
            assert_eq!((of(Raw::ZERO), of(Raw::ONE)), (0.0, 1.0));
            assert_eq!((of(Raw::LOWEST), of(Raw::HIGHEST)), (-$highest, $highest));
        };
    }
    // Infinity has the exponent behind the largest one.
    values!(f8e5m2 5 2 15: 65536.0);
    values!(f8e4m3fn 4 3 7: 448.0);
    values!(f8e4m3b11fnuz 4 3 11: 30.0);
    values!(f8e5m2fnuz 5 2 16: 57344.0);
    values!(f8e4m3fnuz 4 3 8: 240.0);
    values!(f8e4m3 4 3 7: 256.0);
    values!(f8e3m4 3 4 3: 16.0);
    values!(f4e2m1fn 2 1 1: 6.0);
    values!(f6e3m2fn 3 2 3: 28.0);
    values!(f6e2m3fn 2 3 1: 7.5);
    assert_eq!(format!("{:?}", Raw::<dtype::bf16>::ONE), "bf16:3f80");
}
