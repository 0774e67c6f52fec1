//! The measured layouts, each with the index arithmetic that a person would write for it.

use xlayout::layout;

/// `case!(name, layout, element, (coordinates) => linear index, (linear index) => coordinates)`
macro_rules! case {
    (
        $(#[$doc:meta])* $name:ident, [$($layout:tt)*], $element:ty,
        |$($i:ident),*| $linear:expr, |$n:ident| $index:expr
    ) => {
        $(#[$doc])*
        pub mod $name {
            use super::*;
            pub type L = layout!($($layout)*);
            pub type Element = $element;
            pub type Coordinates = <L as xlayout::ArrayLayout>::Coordinates;
            #[inline(always)]
            pub fn linear([$($i),*]: Coordinates) -> usize {
                $linear
            }
            #[inline(always)]
            pub fn index($n: usize) -> Coordinates {
                $index
            }
        }
    };
}

case! {
    dense2, [u32[104,384]], u32,
    |i, j| i * 384 + j,
    |n| [n / 384, n % 384]
}
case! {
    dense4, [u32[6,10,14,18]], u32,
    |i, j, k, l| i * 2520 + j * 252 + k * 18 + l,
    |n| {
        let c = n / 18;
        let b = n / 252;
        let a = n / 2520;
        [a, b - a * 10, c - b * 14, n - c * 18]
    }
}
case! {
    permuted4, [u32[6,10,14,18]{1,3,0,2}], u32,
    |i, j, k, l| k * 1080 + i * 180 + l * 10 + j,
    |n| {
        let c = n / 10;
        let b = n / 180;
        let a = n / 1080;
        [b - a * 6, n - c * 10, a, c - b * 18]
    }
}
case! {
    padded2, [u32[100,300]<1,0>, padded_dimensions = [104, 320]], u32,
    |i, j| i * 320 + j,
    |n| [n / 320, n % 320]
}
case! {
    tiled, [u32[104,384]{1,0:T(8,128)}], u32,
    |i, j| i / 8 * 3072 + j / 128 * 1024 + i % 8 * 128 + j % 128,
|n| [n / 3072 * 8 + n % 1024 / 128, n % 3072 / 1024 * 128 + n % 128]
}
case! {
    /// The tiles hang over both edges.
    ragged, [u32[100,600]{1,0:T(8,128)}], u32,
    |i, j| i / 8 * 5120 + j / 128 * 1024 + i % 8 * 128 + j % 128,
|n| [n / 5120 * 8 + n % 1024 / 128, n % 5120 / 1024 * 128 + n % 128]
}
case! {
    dense16, [u16[104,384]], u16,
    |i, j| i * 384 + j,
    |n| [n / 384, n % 384]
}
case! {
    two_level, [u16[104,384]{1,0:T(8,128)(2,1)}], u16,
    |i, j| i / 8 * 3072 + j / 128 * 1024 + i % 8 / 2 * 256 + j % 128 * 2 + i % 2,
    |n| {
        let tile = n / 1024;
        let inside = n % 1024;
        [tile / 3 * 8 + inside / 256 * 2 + inside % 2, tile % 3 * 128 + inside % 256 / 2]
    }
}
case! {
    tiled4, [u32[6,10,14,18]{3,2,1,0:T(8,128)}], u32,
    |i, j, k, l| i * 20480 + j * 2048 + k * 128 + l,
    |n| [n / 20480, n % 20480 / 2048, n % 2048 / 128, n % 128]
}
case! {
    packed, [s4[104,256]{1,0:E(4)}], u8,
    |i, j| i * 256 + j,
    |n| [n / 256, n % 256]
}
case! {
    packed_tiled, [s4[104,384]{1,0:T(8,128)(8,1)E(4)}], u8,
    // A column of tiles continues the one to its left.
    |i, j| i / 8 * 3072 + j * 8 + i % 8,
    |n| [n / 3072 * 8 + n % 8, n % 3072 / 8]
}

/// As `case!`, with a size that is known at run time only.
macro_rules! mixed {
    (
        $(#[$doc:meta])* $name:ident, [$($layout:tt)*], $sizes:expr,
        |$of:ident, $($i:ident),*| $linear:expr, |$of2:ident, $n:ident| $index:expr
    ) => {
        $(#[$doc])*
        pub mod $name {
            use super::*;
            pub type L = layout!($($layout)*);
            pub type Element = u32;
            pub type Coordinates = <L as xlayout::ArrayLayout>::Coordinates;
            pub const SIZES: Coordinates = $sizes;
            #[inline(always)]
            pub fn linear($of: usize, [$($i),*]: Coordinates) -> usize {
                let _ = $of;
                $linear
            }
            #[inline(always)]
            pub fn index($of2: usize, $n: usize) -> Coordinates {
                let _ = $of2;
                $index
            }
        }
    };
}

mixed! {
    mixed_rows, [u32[?,3]{1,0}], [100, 3],
    |_rows, i, j| i * 3 + j,
    |_rows, n| [n / 3, n % 3]
}
mixed! {
    mixed_columns, [u32[3,?]{1,0}], [3, 100],
    |columns, i, j| i * columns + j,
    |columns, n| [n / columns, n % columns]
}
mixed! {
    mixed_tiled, [u32[?,128]{1,0:T(8,128)}], [100, 128],
    |_rows, i, j| i * 128 + j,
    |_rows, n| [n / 128, n % 128]
}
mixed! {
    /// The number of tiles in a row is known at run time only.
    mixed_tiles, [u32[100,?]{1,0:T(8,128)}], [100, 300],
    |columns, i, j| i / 8 * (columns.div_ceil(128) * 1024) + j / 128 * 1024 + i % 8 * 128 + j % 128,
    |columns, n| {
        let row = columns.div_ceil(128) * 1024;
        [n / row * 8 + n / 128 % 8, n % row / 1024 * 128 + n % 128]
    }
}
