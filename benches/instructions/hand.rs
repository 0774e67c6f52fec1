//! The typed functions written by hand, what other crates do, and calls of all of them,
//! `CALLS` of each, for callgrind to count.

use std::hint::black_box;

use typed::cases;
use xlayout::{ArrayLayout, ConstLayout, DynLayout, SliceView, StridedLayout, branded};

/// `check.sh` divides by it.
const CALLS: usize = 64;

macro_rules! hand {
    ($($name:ident($($i:ident)*) [$($size:expr),*])*) => {$(
        mod $name {
            use crate::cases::$name::{self as case, Coordinates, Element};
            #[inline(never)]
            pub(crate) fn linear($($i: usize),*) -> usize {
                case::linear([$($i),*])
            }
            #[inline(never)]
            pub(crate) fn index(n: usize) -> Coordinates {
                case::index(n)
            }
            #[inline(never)]
            pub(crate) fn get(data: &[Element], index: Coordinates) -> Element {
                // SAFETY: all coordinates are in bounds.
                unsafe { *data.get_unchecked(case::linear(index)) }
            }
            #[inline(never)]
            pub(crate) fn checked(data: &[Element], $($i: usize),*) -> Element {
                if true $(&& $i < $size)* {
                    // SAFETY: all coordinates are in bounds.
                    unsafe { *data.get_unchecked(case::linear([$($i),*])) }
                } else {
                    out_of_bounds([$($i),*])
                }
            }
            #[cold]
            #[inline(never)]
            fn out_of_bounds(index: Coordinates) -> ! {
                panic!("out of bounds: {index:?}")
            }
        }
    )*};
}
hand! {
    dense2(i j)[104, 384] dense4(i j k l)[6, 10, 14, 18] permuted4(i j k l)[6, 10, 14, 18]
    padded2(i j)[100, 300] tiled(i j)[104, 384] ragged(i j)[100, 600] two_level(i j)[104, 384]
    tiled4(i j k l)[6, 10, 14, 18]
}

macro_rules! packed {
    ($($name:ident [$m:literal, $n:literal])*) => {$(
        mod $name {
            use crate::cases::$name::{self as case, Coordinates};
            #[inline(never)]
            pub(crate) fn linear(i: usize, j: usize) -> usize {
                case::linear([i, j])
            }
            #[inline(never)]
            pub(crate) fn index(n: usize) -> Coordinates {
                case::index(n)
            }
            #[inline(never)]
            pub(crate) fn get(bytes: &[u8], index: Coordinates) -> u8 {
                let n = case::linear(index);
                // SAFETY: all coordinates are in bounds.
                unsafe { *bytes.get_unchecked(n / 2) >> (n % 2 * 4) & 15 }
            }
            #[inline(never)]
            pub(crate) fn checked(bytes: &[u8], i: usize, j: usize) -> Option<u8> {
                if i < $m && j < $n {
                    let n = case::linear([i, j]);
                    // SAFETY: all coordinates are in bounds.
                    Some(unsafe { *bytes.get_unchecked(n / 2) >> (n % 2 * 4) & 15 })
                } else {
                    None
                }
            }
        }
    )*};
}
packed!(packed[104, 256] packed_tiled[104, 384]);

macro_rules! mixed {
    ($($name:ident: $of:ident [$m:expr, $n:expr])*) => {$(
        mod $name {
            use crate::cases::$name::{self as case, Coordinates};
            #[inline(never)]
            pub(crate) fn linear($of: usize, i: usize, j: usize) -> usize {
                case::linear($of, [i, j])
            }
            #[inline(never)]
            pub(crate) fn index($of: usize, n: usize) -> Coordinates {
                case::index($of, n)
            }
            // The slice checks the bounds, because the compiler does not know the size.
            #[inline(never)]
            pub(crate) fn get((data, $of): (&[u32], usize), index: Coordinates) -> u32 {
                data[case::linear($of, index)]
            }
            #[inline(never)]
            pub(crate) fn checked((data, $of): (&[u32], usize), i: usize, j: usize) -> u32 {
                if i < $m && j < $n {
                    data[case::linear($of, [i, j])]
                } else {
                    out_of_bounds([i, j], [$m, $n])
                }
            }
            #[cold]
            #[inline(never)]
            fn out_of_bounds(index: Coordinates, sizes: Coordinates) -> ! {
                panic!("{index:?} is out of bounds of {sizes:?}")
            }
        }
    )*};
}
mixed! {
    mixed_rows: rows[rows, 3] mixed_columns: columns[3, columns] mixed_tiled: rows[rows, 128]
    mixed_tiles: columns[100, columns]
}

mod strided4 {
    #[inline(never)]
    pub(crate) fn linear(strides: &[usize; 4], index: &[usize; 4]) -> usize {
        index[0] * strides[0]
            + index[1] * strides[1]
            + index[2] * strides[2]
            + index[3] * strides[3]
    }
}

/// The blocked product of `typed::product`, written for `T(8,128)` by hand.
mod product {
    const TILE: usize = 8 * 128;
    #[inline(never)]
    pub(crate) fn fixed(a: &[f32], b: &[f32], c: &mut [f32]) {
        c.fill(0.0);
        for (tile, c) in c.chunks_exact_mut(TILE).enumerate() {
            let i = tile / 3;
            let j = tile % 3;
            for k in 0..2 {
                let a = &a[(i * 2 + k) * TILE..][..TILE];
                for row in 0..8 {
                    let c = &mut c[row * 128..][..128];
                    for inside in 0..128 {
                        let x = a[row * 128 + inside];
                        let tile = (k * 16 + inside / 8) * 3 + j;
                        let b = &b[tile * TILE + inside % 8 * 128..][..128];
                        for (c, b) in c.iter_mut().zip(b) {
                            *c += x * b;
                        }
                    }
                }
            }
        }
    }

    /// The same for an `m` by `k` and a `k` by `n` matrix, whose tiles hang over the edges.
    #[inline(never)]
    pub(crate) fn edges(a: &[f32], b: &[f32], c: &mut [f32], [m, k, n]: [usize; 3]) {
        let tiles_of_k = k.div_ceil(128);
        let tiles_of_n = n.div_ceil(128);
        c.fill(0.0);
        for (tile, c) in c.chunks_exact_mut(TILE).enumerate() {
            let tile_row = tile / tiles_of_n;
            let tile_column = tile % tiles_of_n;
            let rows = 8.min(m - tile_row * 8);
            let columns = 128.min(n - tile_column * 128);
            for tile_of_k in 0..tiles_of_k {
                let a = &a[(tile_row * tiles_of_k + tile_of_k) * TILE..][..TILE];
                for row in 0..rows {
                    let c = &mut c[row * 128..][..columns];
                    for inside in 0..128.min(k - tile_of_k * 128) {
                        let x = a[row * 128 + inside];
                        let tile = (tile_of_k * 16 + inside / 8) * tiles_of_n + tile_column;
                        let b = &b[tile * TILE + inside % 8 * 128..][..columns];
                        for (c, b) in c.iter_mut().zip(b) {
                            *c += x * b;
                        }
                    }
                }
            }
        }
    }
}

/// The dot product of `typed::packed_dot`: a byte is read once, and gives two numbers.
mod packed_dot {
    #[inline(never)]
    pub(crate) fn bytes(a: &[u8], b: &[u8], elements: usize) -> i32 {
        let low = |byte: u8| i32::from((byte as i8) << 4 >> 4);
        let high = |byte: u8| i32::from(byte as i8 >> 4);
        let pairs = elements / 2;
        let mut sum = 0;
        for (a, b) in a.iter().zip(b).take(pairs) {
            sum += low(*a) * low(*b);
            sum += high(*a) * high(*b);
        }
        if elements % 2 == 1 {
            sum += low(a[pairs]) * low(b[pairs]);
        }
        sum
    }
}

/// The access of other crates to a dense array.
mod others {
    #[inline(never)]
    pub(crate) fn nested2(array: &[[u32; 384]; 104], i: usize, j: usize) -> u32 {
        array[i][j]
    }
    #[inline(never)]
    pub(crate) fn nested4(
        a: &[[[[u32; 18]; 14]; 10]; 6],
        i: usize,
        j: usize,
        k: usize,
        l: usize,
    ) -> u32 {
        a[i][j][k][l]
    }
    #[inline(never)]
    pub(crate) fn ndarray2(array: &ndarray::Array2<u32>, i: usize, j: usize) -> u32 {
        array[[i, j]]
    }
    #[inline(never)]
    pub(crate) fn ndarray4(
        a: &ndarray::Array4<u32>,
        i: usize,
        j: usize,
        k: usize,
        l: usize,
    ) -> u32 {
        a[[i, j, k, l]]
    }
    #[inline(never)]
    pub(crate) fn ndarray2_uget(array: &ndarray::Array2<u32>, index: [usize; 2]) -> u32 {
        // SAFETY: all coordinates are in bounds.
        unsafe { *array.uget(index) }
    }
    #[inline(never)]
    pub(crate) fn ndarray4_uget(array: &ndarray::Array4<u32>, index: [usize; 4]) -> u32 {
        // SAFETY: all coordinates are in bounds.
        unsafe { *array.uget(index) }
    }
    pub(crate) type Shape2 = (mdarray::Const<104>, mdarray::Const<384>);
    pub(crate) type Const2 = mdarray::Array<u32, Shape2>;
    pub(crate) type Shape4 = (
        mdarray::Const<6>,
        mdarray::Const<10>,
        mdarray::Const<14>,
        mdarray::Const<18>,
    );
    pub(crate) type Const4 = mdarray::Array<u32, Shape4>;
    #[inline(never)]
    pub(crate) fn mdarray2(array: &Const2, i: usize, j: usize) -> u32 {
        array[[i, j]]
    }
    #[inline(never)]
    pub(crate) fn mdarray4(array: &Const4, i: usize, j: usize, k: usize, l: usize) -> u32 {
        array[[i, j, k, l]]
    }
    #[inline(never)]
    pub(crate) fn mdarray4_dyn(
        a: &mdarray::DArray<u32, 4>,
        i: usize,
        j: usize,
        k: usize,
        l: usize,
    ) -> u32 {
        a[[i, j, k, l]]
    }
}

/// Coordinates in bounds, spread over the array.
fn places<const N: usize>(sizes: [usize; N]) -> impl Iterator<Item = [usize; N]> {
    (0..CALLS).map(move |n| {
        let mut step = n;
        black_box(sizes.map(|size| {
            step = step * 7 + 3;
            step % size
        }))
    })
}

macro_rules! call {
    ($($name:ident($($i:ident)*))*) => {$({
        use cases::$name::{Element, L};
        let data: Vec<Element> = (0..L::BUFFER_LEN).map(|n| n as Element).collect();
        let view = SliceView::new(L::NEW, &data[..]).unwrap();
        for index @ [$($i),*] in places(<L as ConstLayout>::SIZE_COORDINATES) {
            let proven = L::NEW.index(index).unwrap();
            let linear = typed::$name::linear($($i),*);
            assert_eq!(linear, $name::linear($($i),*));
            assert_eq!(typed::$name::index(proven.linear()), index);
            assert_eq!($name::index(linear), index);
            let element = data[linear];
            assert_eq!(typed::$name::get(view, proven), element);
            assert_eq!($name::get(&data, index), element);
            assert_eq!(typed::$name::checked(view, $($i),*), element);
            assert_eq!($name::checked(&data, $($i),*), element);
        }
    })*};
}

macro_rules! call_packed {
    ($($name:ident)*) => {$({
        use cases::$name::L;
        let bytes: Vec<u8> = (0..L::BYTES).map(|n| (n * 37) as u8).collect();
        let view = SliceView::packed(L::NEW, &bytes).unwrap();
        for index @ [i, j] in places(<L as ConstLayout>::SIZE_COORDINATES) {
            let proven = L::NEW.index(index).unwrap();
            let linear = typed::$name::linear(i, j);
            assert_eq!(linear, $name::linear(i, j));
            assert_eq!(typed::$name::index(proven.linear()), index);
            assert_eq!($name::index(linear), index);
            assert_eq!(typed::$name::get(view, proven), $name::get(&bytes, index));
            assert_eq!(typed::$name::checked(view, i, j), $name::checked(&bytes, i, j));
        }
    })*};
}

macro_rules! call_mixed {
    ($($name:ident $run_time:literal)*) => {$({
        use cases::$name::{L, SIZES};
        let layout = black_box(L::with_sizes(SIZES).unwrap());
        let data: Vec<u32> = (0..layout.buffer_len()).map(|n| n as u32).collect();
        let view = SliceView::new(layout, &data[..]).unwrap();
        let size = black_box(SIZES[$run_time]);
        for index @ [i, j] in places(SIZES) {
            let proven = layout.index(index).unwrap();
            let linear = typed::$name::linear(layout, i, j);
            assert_eq!(linear, $name::linear(size, i, j));
            let found = branded(layout, |layout| {
                typed::$name::index(layout, layout.linear(linear).unwrap())
            });
            assert_eq!(found, index);
            assert_eq!($name::index(size, linear), index);
            let element = data[linear];
            assert_eq!(typed::$name::get(view, proven), element);
            assert_eq!($name::get((&data, size), index), element);
            assert_eq!(typed::$name::checked(view, i, j), element);
            assert_eq!($name::checked((&data, size), i, j), element);
        }
    })*};
}

fn main() {
    call! {
        dense2(i j) dense4(i j k l) permuted4(i j k l) padded2(i j) tiled(i j) ragged(i j)
        two_level(i j) tiled4(i j k l)
    }
    call_packed!(packed packed_tiled);
    call_mixed!(mixed_rows 0 mixed_columns 1 mixed_tiled 0 mixed_tiles 1);

    let layout: DynLayout = "u32[6,10,14,18]".parse().unwrap();
    let strided = StridedLayout::<[usize; 4]>::of(&layout).unwrap();
    for index in places([6, 10, 14, 18]) {
        let linear = typed::strided4::linear(&strided, &index);
        assert_eq!(
            linear,
            strided4::linear(
                &strided.strides().expect("a strided layout has strides"),
                &index
            )
        );
        assert_eq!(linear, typed::dynamic4::linear(&layout, &index.into()));
        let found = branded(strided.clone(), |strided| {
            typed::strided4::index(&strided, strided.linear(linear).unwrap())
        });
        assert_eq!(found, index);
    }

    typed::product::run(product::fixed);
    typed::product::run_with_edges(product::edges);
    typed::packed_dot::run(packed_dot::bytes);

    let nested2: Box<[[u32; 384]; 104]> = Box::new([[1; 384]; 104]);
    let nested4 = Box::new([[[[1; 18]; 14]; 10]; 6]);
    let ndarray2 = ndarray::Array2::from_elem((104, 384), 1);
    let ndarray4 = ndarray::Array4::from_elem((6, 10, 14, 18), 1);
    let mdarray2 = Box::new(others::Const2::from_elem(others::Shape2::default(), 1));
    let mdarray4 = Box::new(others::Const4::from_elem(others::Shape4::default(), 1));
    let mdarray4_dyn = mdarray::DArray::<u32, 4>::from_elem([6, 10, 14, 18], 1);
    for index @ [i, j] in places([104, 384]) {
        black_box(others::nested2(&nested2, i, j));
        black_box(others::ndarray2(&ndarray2, i, j));
        black_box(others::ndarray2_uget(&ndarray2, index));
        black_box(others::mdarray2(&mdarray2, i, j));
    }
    for index @ [i, j, k, l] in places([6, 10, 14, 18]) {
        black_box(others::nested4(&nested4, i, j, k, l));
        black_box(others::ndarray4(&ndarray4, i, j, k, l));
        black_box(others::ndarray4_uget(&ndarray4, index));
        black_box(others::mdarray4(&mdarray4, i, j, k, l));
        black_box(others::mdarray4_dyn(&mdarray4_dyn, i, j, k, l));
    }
}
