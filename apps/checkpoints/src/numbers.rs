//! Conversions between floating-point types: to the nearest number, ties to even, as in IEEE 754.

use half::{bf16, f16};
use xlayout::DynLayout;
use xlayout::ElementType::{self, Bf16, F16, F32, F64};

/// Whether elements of one type can be converted to another.
pub(crate) fn converts(from: ElementType, to: ElementType) -> bool {
    let is_float = |ty| [Bf16, F16, F32, F64].contains(&ty);
    from == to || is_float(from) && is_float(to)
}

/// The same layout with elements of another type; `None` if it would take too many bytes.
pub(crate) fn with_type(layout: &DynLayout, to: ElementType) -> Option<DynLayout> {
    let mut shape = layout.array_shape().clone();
    shape.element_type = to;
    DynLayout::new(shape).ok()
}

/// Converts all elements of `from` into as many of `to`.
pub(crate) fn convert(from: &[u8], from_type: ElementType, to: &mut [u8], to_type: ElementType) {
    // `f64` contains the values of all four types. So reading is exact, and only writing rounds.
    match from_type {
        Bf16 => write_as(to, to_type, from, |bytes| {
            bf16::from_le_bytes(bytes).to_f64()
        }),
        F16 => write_as(to, to_type, from, |bytes| {
            f16::from_le_bytes(bytes).to_f64()
        }),
        F32 => write_as(to, to_type, from, |bytes| f32::from_le_bytes(bytes).into()),
        F64 => write_as(to, to_type, from, f64::from_le_bytes),
        _ => unreachable!("`converts` was asked before"),
    }
}

/// Writes as elements of `to_type` what `read` makes of the elements of `from`.
fn write_as<const N: usize>(
    to: &mut [u8],
    to_type: ElementType,
    from: &[u8],
    read: impl Fn([u8; N]) -> f64,
) {
    match to_type {
        Bf16 => each_element(from, to, |it| bf16::from_f32(odd(read(it))).to_le_bytes()),
        F16 => each_element(from, to, |it| f16::from_f32(odd(read(it))).to_le_bytes()),
        F32 => each_element(from, to, |it| (read(it) as f32).to_le_bytes()),
        F64 => each_element(from, to, |it| read(it).to_le_bytes()),
        _ => unreachable!("`converts` was asked before"),
    }
}

/// The number as `f32`, rounded to odd if it is not exact, so that it is not a tie when it is
/// rounded again. `half` itself drops the low bits of an `f64`.
fn odd(number: f64) -> f32 {
    let nearest = number as f32;
    let back = f64::from(nearest);
    if number.is_nan() || back == number {
        return nearest;
    }
    let towards_zero = nearest.to_bits() - u32::from(back.abs() > number.abs());
    f32::from_bits(towards_zero | 1)
}

fn each_element<const N: usize, const M: usize>(
    from: &[u8],
    to: &mut [u8],
    convert: impl Fn([u8; N]) -> [u8; M],
) {
    for (from, to) in from.as_chunks().0.iter().zip(to.as_chunks_mut().0) {
        *to = convert(*from);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn converted<const N: usize, const M: usize>(
        from: [u8; N],
        types: (ElementType, ElementType),
    ) -> [u8; M] {
        let mut to = [0; M];
        convert(&from, types.0, &mut to, types.1);
        to
    }

    /// Converts all numbers of 16 bits to wider types and back.
    #[test]
    fn there_and_back() {
        for bits in 0..=u16::MAX {
            for narrow in [Bf16, F16] {
                let wide: [u8; 4] = converted(bits.to_le_bytes(), (narrow, F32));
                let widest: [u8; 8] = converted(wide, (F32, F64));
                let back: [u8; 2] = converted(widest, (F64, narrow));
                if f32::from_le_bytes(wide).is_nan() {
                    let again: [u8; 4] = converted(back, (narrow, F32));
                    assert!(f32::from_le_bytes(again).is_nan(), "{bits:x}");
                } else {
                    assert_eq!(u16::from_le_bytes(back), bits);
                }
            }
        }
    }

    /// Rounds numbers between two neighbours: to the nearest, ties to even.
    #[test]
    fn rounded() {
        let to_bf16 = |bits: u32| u16::from_le_bytes(converted(bits.to_le_bytes(), (F32, Bf16)));
        assert_eq!(
            [
                to_bf16(0x3f80_7fff),
                to_bf16(0x3f80_8000),
                to_bf16(0x3f80_8001)
            ],
            [0x3f80, 0x3f80, 0x3f81]
        );
        assert_eq!(
            [
                to_bf16(0x3f81_8000),
                to_bf16(0x7f7f_ffff),
                to_bf16(0xff80_0000)
            ],
            [0x3f82, 0x7f80, 0xff80]
        );
        // If it were rounded to nearest `f32` first, it would be a tie and go to the even one.
        let above = f64::from_bits(0x3ff0_1000_0000_0001).to_le_bytes();
        assert_eq!(u16::from_le_bytes(converted(above, (F64, Bf16))), 0x3f81);
        for (number, expected) in [(f64::MAX, 0x7f80), (-f64::MIN_POSITIVE, 0x8000)] {
            let bits = u16::from_le_bytes(converted(number.to_le_bytes(), (F64, Bf16)));
            assert_eq!(bits, expected, "{number}");
        }
        // A tie between two numbers of 16 bits, and the numbers next to it.
        for (bits, expected) in [
            (0x3ff0_0200_0000_0000, 0x3c00),
            (0x3ff0_0200_0000_0001, 0x3c01),
            (0x3ff0_01ff_ffff_ffff, 0x3c00),
        ] {
            let number = f64::from_bits(bits).to_le_bytes();
            assert_eq!(
                u16::from_le_bytes(converted(number, (F64, F16))),
                expected,
                "{bits:x}"
            );
        }
    }
}
