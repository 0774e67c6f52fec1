//! The elements of copies: one Rust type for each width, for all element types of that width.

use num_complex::Complex;
use xlayout_core::Element;

/// An element of the buffers.
pub(crate) trait Value: Element + std::fmt::Debug + PartialEq + Default {
    /// The value of the destination before a copy. No [`nth`](Self::nth) value is equal to it,
    /// except one byte in 256 and two bytes in 65,536.
    const BEFORE: Self;

    /// The value of the element at a linear index of the source. Values are distinct if the width
    /// allows it, otherwise neighbours in any dimension differ.
    fn nth(linear_index: usize) -> Self;

    /// HPTT's copy, if it has one for this type.
    #[cfg(hptt)]
    const HPTT: Option<HpttCopy<Self>>;
}

/// A copy by HPTT.
#[cfg(hptt)]
pub(crate) type HpttCopy<T> = fn(Hptt<'_, T>) -> hptt::Result<()>;

/// The arguments of HPTT's copy.
#[cfg(hptt)]
pub(crate) struct Hptt<'a, T> {
    pub(crate) dims: &'a [usize],
    pub(crate) axes: &'a [usize],
    pub(crate) src: &'a [T],
    pub(crate) dst: &'a mut [T],
    pub(crate) threads: usize,
}

/// Mixes all bits of an index into the low ones.
fn mix(linear_index: usize) -> u64 {
    let mixed = (linear_index as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    mixed ^ (mixed >> 29) ^ (mixed >> 47)
}

macro_rules! value {
    ($type:ty, $before:expr, $nth:expr, $hptt:expr) => {
        impl Value for $type {
            const BEFORE: Self = $before;
            #[cfg(hptt)]
            const HPTT: Option<HpttCopy<Self>> = $hptt;

            fn nth(linear_index: usize) -> Self {
                let nth: fn(usize) -> Self = $nth;
                nth(linear_index)
            }
        }
    };
}

/// The arguments of HPTT's functions: a plain copy, neither scaled nor added.
#[cfg(hptt)]
macro_rules! hptt {
    ($function:path) => {
        Some(|job| {
            let Hptt {
                dims,
                axes,
                src,
                dst,
                threads,
            } = job;
            let order = hptt::MemoryOrder::RowMajor;
            $function(axes, 1.0, src, dims, 0.0, dst, threads, order)
        })
    };
}

value!(u8, 0xa5, |k| mix(k) as u8, None);
value!(u16, 0xa5a5, |k| mix(k) as u16, None);
// Normal numbers: HPTT multiplies, which might change other bits.
value!(
    f32,
    -1.5,
    |k| f32::from_bits(0x0080_0000 + (k % 0x7f00_0000) as u32),
    hptt!(hptt::transpose_f32)
);
value!(
    f64,
    -1.5,
    |k| f64::from_bits((1 << 52) + k as u64),
    hptt!(hptt::transpose_f64)
);
value!(
    Complex<f64>,
    Complex::new(-1.5, -1.5),
    |k| Complex::new(f64::nth(k), f64::nth(k + 1)),
    None
);
