//! Layouts that are known at run time only, and the divisions of a linear index.

use super::*;

pub(super) fn dynamic(all: &mut Vec<Case>) {
    #[inline(never)]
    fn hand(data: &[u32], s: &[usize; 4], sizes: &[usize; 4]) -> u32 {
        let mut sum = 0_u32;
        loops!(*sizes, |i, j, k, l| {
            let n = i * s[0] + j * s[1] + k * s[2] + l * s[3];
            // SAFETY: all coordinates are in bounds.
            sum = sum.wrapping_add(unsafe { *data.get_unchecked(n) });
        });
        sum
    }
    #[inline(never)]
    fn strided(view: &SliceView<'_, u32, StridedLayout<[usize; 4]>>) -> u32 {
        let mut sum = 0_u32;
        loops!(view.layout().shape(), |i, j, k, l| sum =
            sum.wrapping_add(view[[i, j, k, l]]));
        sum
    }
    #[inline(never)]
    fn ndarray(array: &ndarray::Array4<u32>) -> u32 {
        let (m, n, o, p) = array.dim();
        let mut sum = 0_u32;
        loops!([m, n, o, p], |i, j, k, l| sum =
            sum.wrapping_add(array[[i, j, k, l]]));
        sum
    }
    #[inline(never)]
    fn dynamic(view: &SliceView<'_, u32, DynLayout>) -> u32 {
        let mut sum = 0_u32;
        loops!([6, 10, 14, 18], |i, j, k, l| sum =
            sum.wrapping_add(view[[i, j, k, l]]));
        sum
    }

    const ELEMENTS: usize = 15120;
    let layout: DynLayout = "u32[6,10,14,18]".parse().unwrap();
    let data = numbers::<u32>(ELEMENTS);
    let with_strides =
        SliceView::new(StridedLayout::<[usize; 4]>::of(&layout).unwrap(), data).unwrap();
    let with_dyn = SliceView::new(layout, data).unwrap();
    let array = ndarray::Array4::from_shape_vec((6, 10, 14, 18), data.to_vec()).unwrap();
    let strides = [2520, 252, 18, 1];
    let sizes = [6, 10, 14, 18];
    all.push(
        Case::new("sum, run-time strides")
            .way("hand", ELEMENTS, move || {
                hand(black_box(data), black_box(&strides), black_box(&sizes))
            })
            .way("StridedLayout<[usize; 4]>", ELEMENTS, move || {
                strided(black_box(&with_strides))
            })
            .way("ndarray [[i, j, k, l]]", ELEMENTS, move || {
                ndarray(black_box(&array))
            })
            .way("DynLayout", ELEMENTS, move || dynamic(black_box(&with_dyn))),
    );
}

/// The same functions over tiles that the type says, and over tiles that the run time knows.
pub(super) fn tiled(all: &mut Vec<Case>) {
    #[inline(never)]
    fn iter<L: ArrayLayout>(view: &SliceView<'_, u32, L>) -> u32 {
        view.iter()
            .fold(0, |sum: u32, element| sum.wrapping_add(*element))
    }
    #[inline(never)]
    fn for_each<L: ArrayLayout>(view: &SliceView<'_, u32, L>) -> u32 {
        let mut sum = 0_u32;
        view.for_each_in_memory(|_, element| sum = sum.wrapping_add(*element));
        sum
    }
    #[inline(never)]
    fn indexed<L: ArrayLayout>(view: &SliceView<'_, u32, L>) -> u32 {
        let elements = view.indexed_iter();
        elements.fold(0, |sum: u32, (_, element)| sum.wrapping_add(*element))
    }
    #[inline(never)]
    fn by_index<L: ArrayLayout<Coordinates = [usize; 2]>>(view: &SliceView<'_, u32, L>) -> u32 {
        let mut sum = 0_u32;
        loops!(view.layout().shape(), |i, j| sum =
            sum.wrapping_add(view[[i, j]]));
        sum
    }

    type L = layout!(u32[104,384]{1,0:T(8,128)});
    let data = numbers::<u32>(L::BUFFER_LEN);
    let elements = data.len();
    let typed = SliceView::new(L::NEW, data).unwrap();
    let any = SliceView::new(DynLayout::new(L::NEW).unwrap(), data).unwrap();
    let ranked = any.clone().ranked::<2>().unwrap();
    macro_rules! compare {
        ($($way:ident $name:literal [$($extra:ident)?];)*) => {$({
            let ranked = ranked.clone();
            let case = Case::new(concat!("sum tiles of the run time, ", $name))
                .way("typed", elements, move || $way(black_box(&typed)))
                .way("DynLayout<[usize; 2]>", elements, move || $way(black_box(&ranked)));
            $(
                let $extra = $extra.clone();
                let case = case.way("DynLayout", elements, move || $way(black_box(&$extra)));
            )?
            all.push(case);
        })*};
    }
    compare! {
        iter "iter()" [any];
        for_each "for_each_in_memory()" [any];
        indexed "indexed_iter()" [any];
        by_index "[[i, j]]" [];
    }
}

/// Linear to multi index, dims 6, 10, 14, 18: as constants, and known at run time only.
pub(super) fn divisions(all: &mut Vec<Case>) {
    const LEN: usize = 15120;
    let strided: StridedLayout<[usize; 4]> = "u32[6,10,14,18]".parse().unwrap();
    let permuted: StridedLayout<[usize; 4]> = "u32[6,10,14,18]{1,3,0,2}".parse().unwrap();
    let linear: Vec<usize> = (0..LEN).map(|n| n * 7919 % LEN).collect();
    let narrow: Vec<u32> = linear.iter().map(|&n| n as u32).collect();
    fn u64s(n: usize) -> [usize; 4] {
        [n / 2520, n / 252 % 10, n / 18 % 14, n % 18]
    }
    fn u32s(n: u32) -> [u32; 4] {
        [n / 2520, n / 252 % 10, n / 18 % 14, n % 18]
    }
    macro_rules! throughput {
        ($indices:ident, |$n:ident| $index:expr) => {{
            let linear = $indices.clone();
            move || {
                let mut sum = 0_u32;
                for &$n in black_box(&linear) {
                    let [i, j, k, l] = $index;
                    sum = sum.wrapping_add((i ^ j ^ k ^ l) as u32);
                }
                sum
            }
        }};
    }
    macro_rules! stored {
        ($indices:ident, |$n:ident| $index:expr) => {{
            let linear = $indices.clone();
            let mut out = vec![Default::default(); LEN];
            move || {
                for (out, &$n) in black_box(&mut out).iter_mut().zip(black_box(&linear)) {
                    *out = $index;
                }
                out[5][1] as u32
            }
        }};
    }
    macro_rules! latency {
        ($int:ty, |$n:ident| $index:expr) => {
            move || {
                let mut $n: $int = black_box(7);
                for _ in 0..LEN {
                    let [i, j, k, l] = $index;
                    $n = (i ^ j ^ k ^ l) + 13_000;
                }
                $n as u32
            }
        };
    }
    let s = || black_box(strided.clone());
    let p = || black_box(permuted.clone());
    let a = s();
    let b = s();
    let c = s();
    let d = p();
    type L = layout!(u32[6,10,14,18]);
    let of = |linear: usize| xlayout::ArrayLayout::multi_index_of_element(&L::NEW, linear);
    all.push(
        Case::new("division, throughput")
            .way("constants, u64", LEN, throughput!(linear, |n| u64s(n)))
            .way("constants, u32", LEN, throughput!(narrow, |n| u32s(n)))
            .way("typed", LEN, throughput!(linear, |n| of(n)))
            .way(
                "StridedLayout<[usize; 4]>",
                LEN,
                throughput!(linear, |n| a.multi_index_of_element(n)),
            )
            .way(
                "StridedLayout<[usize; 4]>, permuted",
                LEN,
                throughput!(linear, |n| d.multi_index_of_element(n)),
            ),
    );
    let d = p();
    let e = s();
    all.push(
        Case::new("division, stored")
            .way("constants, u64", LEN, stored!(linear, |n| u64s(n)))
            .way("constants, u32", LEN, stored!(narrow, |n| u32s(n)))
            .way("typed", LEN, stored!(linear, |n| of(n)))
            .way(
                "StridedLayout<[usize; 4]>",
                LEN,
                stored!(linear, |n| b.multi_index_of_element(n)),
            )
            .way(
                "StridedLayout<[usize; 4]>, permuted",
                LEN,
                stored!(linear, |n| d.multi_index_of_element(n)),
            )
            .way(
                "StridedLayout<[usize; 4]>, checked",
                LEN,
                stored!(linear, |n| e.multi_index(n).unwrap()),
            ),
    );
    all.push(
        Case::new("division, latency")
            .way("constants, u64", LEN, latency!(usize, |n| u64s(n)))
            .way("constants, u32", LEN, latency!(u32, |n| u32s(n)))
            .way("typed", LEN, latency!(usize, |n| of(n)))
            .way(
                "StridedLayout<[usize; 4]>",
                LEN,
                latency!(usize, |n| c.multi_index_of_element(n)),
            ),
    );
}
