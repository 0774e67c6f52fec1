//! Attributes of every type that XLA passes.

use xlayout::layout;
use xlayout_kernel::{In, Out, Scalar, Word, Words};

// Each row: the type of Rust, the element type of XLA, the name of the kernel that takes a number,
// and that of the kernel that takes a slice, which does not exist for `bool`.
macro_rules! numbers {
    ($($rust:ident $dtype:ident $scalar:ident $($array:ident)?;)*) => {$(
        /// Returns the attribute.
        #[xlayout_kernel::kernel]
        fn $scalar(a: Scalar<$rust>, mut y: Out<layout!($dtype[])>) {
            y.memory_mut()[0] = *a;
        }

        $(
            /// Returns the attribute.
            #[xlayout_kernel::kernel]
            fn $array(a: &[$rust], mut y: Out<layout!($dtype[?]{0})>) {
                y.memory_mut().copy_from_slice(a);
            }
        )?
    )*};
}
numbers! {
    bool pred scalar_pred;
    i8 s8 scalar_s8 array_s8;
    i16 s16 scalar_s16 array_s16;
    i32 s32 scalar_s32 array_s32;
    i64 s64 scalar_s64 array_s64;
    u8 u8 scalar_u8 array_u8;
    u16 u16 scalar_u16 array_u16;
    u32 u32 scalar_u32 array_u32;
    u64 u64 scalar_u64 array_u64;
    f32 f32 scalar_f32 array_f32;
    f64 f64 scalar_f64 array_f64;
}

/// The bytes of s as UTF-8.
#[xlayout_kernel::kernel]
fn text(s: &str, mut y: Out<layout!(u8[?]{0})>) {
    y.memory_mut().copy_from_slice(s.as_bytes());
}

/// Returns the attributes that are present: a, the sum of w, the length of lambda; -1 for a missing
/// one.
#[xlayout_kernel::kernel]
fn optional(
    a: Option<Scalar<f32>>,
    w: Option<&[i64]>,
    lambda: Option<&str>,
    mut y: Out<layout!(f32[3]{0})>,
) {
    y.memory_mut().copy_from_slice(&[
        a.map_or(-1.0, |a| *a),
        w.map_or(-1.0, |w| w.iter().sum::<i64>() as f32),
        lambda.map_or(-1.0, |s| s.len() as f32),
    ]);
}

/// `a * x + b`, `n` times: attributes behind the array, which a call may pass by position.
#[xlayout_kernel::kernel]
fn behind(
    x: In<layout!(f32[?]{0})>,
    a: Scalar<f32>,
    b: Option<Scalar<f32>>,
    n: Scalar<u8>,
    mut y: Out<layout!(f32[?]{0})>,
) {
    let b = b.map_or(0.0, |b| *b);
    for (y, x) in y.memory_mut().iter_mut().zip(x.memory()) {
        *y = (0..*n).fold(*x, |x, _| a * x + b);
    }
}

/// The operation of `pooled`.
#[derive(Clone, Copy)]
enum Pooling {
    Max,
    Mean,
}

impl Words for Pooling {
    const WORDS: &'static [(&'static str, Self)] = &[("max", Self::Max), ("mean", Self::Mean)];
}

/// The largest element of x, or the mean; of both or one of them, if `other` is there.
#[xlayout_kernel::kernel]
fn pooled(
    x: In<layout!(f32[?]{0})>,
    pooling: Word<Pooling>,
    other: Option<Word<Pooling>>,
    mut y: Out<layout!(f32[2]{0})>,
) {
    let wanted = [Some(pooling), other];
    for (result, word) in y.memory_mut().iter_mut().zip(wanted) {
        *result = match word.map(|word| *word) {
            Some(Pooling::Max) => x.memory().iter().copied().fold(f32::MIN, f32::max),
            Some(Pooling::Mean) => x.memory().iter().sum::<f32>() / x.memory().len() as f32,
            None => -1.0,
        };
    }
}
