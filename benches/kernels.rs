//! Loops over whole arrays, written by hand, with typed layouts, and with other crates.

use std::cell::RefCell;
use std::hint::black_box;
use std::rc::Rc;

use typed::cases;
use xlayout::{DynLayout, ConstLayout, ArrayLayout, PackedView, StridedLayout, View, ViewMut, layout};

/// One way to do something, and how many elements it visits.
pub struct Way {
    pub name: &'static str,
    pub elements: usize,
    pub run: Box<dyn FnMut() -> u32>,
}

/// Ways to do the same; the first is what the others are compared with.
pub struct Case {
    pub name: String,
    pub ways: Vec<Way>,
}

impl Case {
    fn new(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            ways: Vec::new(),
        }
    }

    fn way(
        mut self,
        name: &'static str,
        elements: usize,
        run: impl FnMut() -> u32 + 'static,
    ) -> Self {
        self.ways.push(Way {
            name,
            elements,
            run: Box::new(run),
        });
        self
    }
}

/// Memory that the ways share, so that none has a better place; for as long as the program runs.
fn numbers<T: TryFrom<usize>>(len: usize) -> &'static [T] {
    Vec::leak(
        (0..len)
            .map(|n| T::try_from(n % 251).ok().unwrap())
            .collect(),
    )
}

/// The loops over all coordinates, the last dimension fastest.
macro_rules! loops {
    ($sizes:expr, |$i:ident, $j:ident| $body:expr) => {
        let sizes = $sizes;
        for $i in 0..sizes[0] {
            for $j in 0..sizes[1] {
                $body
            }
        }
    };
    ($sizes:expr, |$i:ident, $j:ident, $k:ident, $l:ident| $body:expr) => {
        let sizes = $sizes;
        for $i in 0..sizes[0] {
            for $j in 0..sizes[1] {
                for $k in 0..sizes[2] {
                    for $l in 0..sizes[3] {
                        $body
                    }
                }
            }
        }
    };
}

macro_rules! sums {
    ($cases:ident: $($name:ident($($i:ident)*))*) => {$({
        use cases::$name::{Element, L, linear};
        const SIZES: <L as ArrayLayout>::Coordinates = <L as ConstLayout>::SIZE_COORDINATES;

        #[inline(never)]
        fn hand(data: &[Element]) -> Element {
            let mut sum: Element = 0;
            loops!(SIZES, |$($i),*| {
                // SAFETY: all coordinates are in bounds.
                sum = sum.wrapping_add(unsafe { *data.get_unchecked(linear([$($i),*])) });
            });
            sum
        }
        #[inline(never)]
        fn typed(view: View<'_, Element, L>) -> Element {
            let mut sum: Element = 0;
            loops!(SIZES, |$($i),*| sum = sum.wrapping_add(view[[$($i),*]]));
            sum
        }
        #[inline(never)]
        fn indices(view: View<'_, Element, L>) -> Element {
            view.layout().indices().fold(0, |sum: Element, index| sum.wrapping_add(view[index]))
        }

        let data = numbers::<Element>(L::BUFFER_LEN);
        let view = View::new(data, L::NEW).unwrap();
        let case = Case::new(concat!("sum ", stringify!($name)))
            .way("hand", L::ELEMENTS, move || hand(black_box(data)).into())
            .way("typed", L::ELEMENTS, move || typed(black_box(view)).into())
            .way("typed, indices()", L::ELEMENTS, move || indices(black_box(view)).into());
        $cases.push(case);
    })*};
}

macro_rules! packed_sums {
    ($cases:ident: $($name:ident)*) => {$({
        use cases::$name::{L, linear};
        const SIZES: [usize; 2] = <L as ConstLayout>::SIZE_COORDINATES;

        #[inline(never)]
        fn hand(data: &[u8]) -> u32 {
            let mut sum = 0;
            loops!(SIZES, |i, j| {
                let n = linear([i, j]);
                // SAFETY: all coordinates are in bounds.
                sum += u32::from(unsafe { *data.get_unchecked(n / 2) } >> (n % 2 * 4) & 15);
            });
            sum
        }
        #[inline(never)]
        fn typed(view: PackedView<'_, L>) -> u32 {
            let mut sum = 0;
            loops!(SIZES, |i, j| sum += u32::from(view.get(&[i, j]).unwrap()));
            sum
        }

        let data = numbers::<u8>(L::BYTES);
        let view = PackedView::new(data, L::NEW).unwrap();
        let case = Case::new(concat!("sum ", stringify!($name)))
            .way("hand", L::ELEMENTS, move || hand(black_box(data)))
            .way("typed", L::ELEMENTS, move || typed(black_box(view)));
        $cases.push(case);
    })*};
}

/// Every inner element becomes the sum of its four neighbours in the last two dimensions.
macro_rules! stencils {
    ($cases:ident: $($name:ident($($outer:ident)*))*) => {$({
        use cases::$name::{Element, L, linear};
        const SIZES: <L as ArrayLayout>::Coordinates = <L as ConstLayout>::SIZE_COORDINATES;

        #[inline(never)]
        fn hand(data: &[Element], out: &mut [Element]) {
            stencils!(@loops $($outer)*, i, j, {
                // SAFETY: all coordinates are in bounds.
                unsafe {
                    *out.get_unchecked_mut(linear([$($outer,)* i, j])) = data
                        .get_unchecked(linear([$($outer,)* i - 1, j]))
                        .wrapping_add(*data.get_unchecked(linear([$($outer,)* i + 1, j])))
                        .wrapping_add(*data.get_unchecked(linear([$($outer,)* i, j - 1])))
                        .wrapping_add(*data.get_unchecked(linear([$($outer,)* i, j + 1])));
                }
            });
        }
        #[inline(never)]
        fn typed(data: View<'_, Element, L>, mut out: ViewMut<'_, Element, L>) {
            stencils!(@loops $($outer)*, i, j, {
                out[[$($outer,)* i, j]] = data[[$($outer,)* i - 1, j]]
                    .wrapping_add(data[[$($outer,)* i + 1, j]])
                    .wrapping_add(data[[$($outer,)* i, j - 1]])
                    .wrapping_add(data[[$($outer,)* i, j + 1]]);
            });
        }

        let data = numbers::<Element>(L::BUFFER_LEN);
        let out_a = Rc::new(RefCell::new(data.to_vec()));
        let (view, out_b) = (View::new(data, L::NEW).unwrap(), out_a.clone());
        let case = Case::new(concat!("stencil ", stringify!($name)))
            .way("hand", L::ELEMENTS, move || {
                hand(black_box(data), &mut out_a.borrow_mut());
                black_box(&out_a).borrow()[0].into()
            })
            .way("typed", L::ELEMENTS, move || {
                typed(black_box(view), ViewMut::new(&mut out_b.borrow_mut()[..], L::NEW).unwrap());
                black_box(&out_b).borrow()[0].into()
            });
        $cases.push(case);
    })*};
    (@loops , $i:ident, $j:ident, $body:expr) => {
        for $i in 1..SIZES[0] - 1 {
            for $j in 1..SIZES[1] - 1 {
                $body
            }
        }
    };
    (@loops $a:ident $b:ident, $i:ident, $j:ident, $body:expr) => {
        for $a in 0..SIZES[0] {
            for $b in 0..SIZES[1] {
                for $i in 1..SIZES[2] - 1 {
                    for $j in 1..SIZES[3] - 1 {
                        $body
                    }
                }
            }
        }
    };
}

macro_rules! mixed_sums {
    ($cases:ident: $($name:ident[$m:expr, $n:expr; $of:ident: $rows:expr, $columns:expr])*) => {$({
        use cases::$name::{L, linear};

        // One size comes from the run time.
        #[inline(never)]
        fn hand(data: &[u32], $of: usize) -> u32 {
            let mut sum = 0_u32;
            for i in 0..$rows {
                for j in 0..$columns {
                    // SAFETY: all coordinates are in bounds.
                    sum = sum.wrapping_add(unsafe { *data.get_unchecked(linear($of, [i, j])) });
                }
            }
            sum
        }
        #[inline(never)]
        fn typed(view: View<'_, u32, L>) -> u32 {
            let [m, n] = view.layout().sizes();
            let mut sum = 0_u32;
            loops!([m, n], |i, j| sum = sum.wrapping_add(view[[i, j]]));
            sum
        }

        let sizes = [$m, $n];
        let data = numbers::<u32>(L::with_sizes(sizes).unwrap().buffer_len());
        let view = View::new(data, L::with_sizes(sizes).unwrap()).unwrap();
        let size = sizes[mixed_sums!(@ $of)];
        let case = Case::new(concat!("sum ", stringify!($name)))
            .way("hand", $m * $n, move || hand(black_box(data), black_box(size)))
            .way("typed", $m * $n, move || typed(black_box(view)));
        $cases.push(case);
    })*};
    (@ rows) => { 0 };
    (@ columns) => { 1 };
}

/// `for_each` over each of these, with and without a look at the index.
macro_rules! in_memory {
    ($cases:ident, $element:ident: $dense:ident $($names:tt)*) => {{
        let mut plain_case = Case::new(concat!("memory, sum ", stringify!($element)));
        let mut indexed_case =
            Case::new(concat!("memory, sum ", stringify!($element), ", index used"));
        let mut updates = Case::new(concat!("memory, update ", stringify!($element)));
        let mut indexed_updates =
            Case::new(concat!("memory, update ", stringify!($element), ", index used"));
        in_memory!(@ plain_case, indexed_case, updates, indexed_updates, $element: $dense $($names)*);
        #[inline(never)]
        fn slice(data: &[$element]) -> $element {
            data.iter().fold(0, |sum: $element, &element| sum.wrapping_add(element))
        }
        let data = numbers::<$element>(cases::$dense::L::BUFFER_LEN);
        plain_case = plain_case.way("slice", data.len(), move || slice(black_box(data)).into());
        $cases.push(plain_case);
        $cases.push(indexed_case);
        $cases.push(updates);
        $cases.push(indexed_updates);
    }};
    (@ $plain:ident, $indexed:ident, $updates:ident, $indexed_updates:ident, $element:ident: $($name:ident($($i:ident)*))*) => {$({
        type L = cases::$name::L;

        #[inline(never)]
        fn plain(view: View<'_, $element, L>) -> $element {
            let mut sum: $element = 0;
            view.for_each(|_, &element| sum = sum.wrapping_add(element));
            sum
        }
        #[inline(never)]
        fn indexed(view: View<'_, $element, L>) -> $element {
            let mut sum: $element = 0;
            view.for_each(|index, &element| {
                let [$($i),*] = *index;
                let weight: $element = 0;
                $(let weight = weight.wrapping_mul(3).wrapping_add($i as $element);)*
                sum = sum.wrapping_add(element ^ weight);
            });
            sum
        }

        #[inline(never)]
        fn update(mut view: ViewMut<'_, $element, L>) {
            view.for_each_mut(|_, element| *element = element.wrapping_mul(3));
        }
        #[inline(never)]
        fn update_indexed(mut view: ViewMut<'_, $element, L>) {
            view.for_each_mut(|index, element| {
                let [$($i),*] = *index;
                let weight: $element = 0;
                $(let weight = weight.wrapping_mul(3).wrapping_add($i as $element);)*
                *element = element.wrapping_add(weight);
            });
        }

        let data = numbers::<$element>(L::BUFFER_LEN);
        let out = Rc::new(RefCell::new(data.to_vec()));
        let again = out.clone();
        $updates = $updates.way(stringify!($name), L::ELEMENTS, move || {
            update(ViewMut::new(&mut out.borrow_mut()[..], L::NEW).unwrap());
            black_box(&out).borrow()[0].into()
        });
        $indexed_updates = $indexed_updates.way(stringify!($name), L::ELEMENTS, move || {
            update_indexed(ViewMut::new(&mut again.borrow_mut()[..], L::NEW).unwrap());
            black_box(&again).borrow()[0].into()
        });
        let view = View::new(data, L::NEW).unwrap();
        $plain = $plain.way(stringify!($name), L::ELEMENTS, move || plain(black_box(view)).into());
        $indexed =
            $indexed.way(stringify!($name), L::ELEMENTS, move || indexed(black_box(view)).into());
    })*};
}

fn others(all: &mut Vec<Case>) {
    let sum2 = all
        .iter_mut()
        .find(|case| case.name == "sum dense2")
        .unwrap();
    let nested: Vec<[u32; 384]> = vec![[1; 384]; 104];
    let nested: Box<[[u32; 384]; 104]> = nested.into_boxed_slice().try_into().unwrap();
    let mut ways = Case::new("").way("nested arrays", 104 * 384, move || {
        let array = black_box(&nested);
        let mut sum = 0_u32;
        loops!([104, 384], |i, j| sum = sum.wrapping_add(array[i][j]));
        sum
    });
    let array = ndarray::Array2::<u32>::from_elem((104, 384), 1);
    let again = array.clone();
    ways = ways
        .way("ndarray [[i, j]]", array.len(), move || {
            let array = black_box(&array);
            let mut sum = 0_u32;
            loops!([104, 384], |i, j| sum = sum.wrapping_add(array[[i, j]]));
            sum
        })
        .way("ndarray uget", again.len(), move || {
            let array = black_box(&again);
            let mut sum = 0_u32;
            loops!([104, 384], |i, j| {
                // SAFETY: all coordinates are in bounds.
                let element = unsafe { *array.uget([i, j]) };
                sum = sum.wrapping_add(element);
            });
            sum
        });
    type Shape2 = (mdarray::Const<104>, mdarray::Const<384>);
    let array = Box::new(mdarray::Array::<u32, Shape2>::from_elem(
        Shape2::default(),
        1,
    ));
    ways = ways.way("mdarray const", 104 * 384, move || {
        let array = black_box(&array);
        let mut sum = 0_u32;
        loops!([104, 384], |i, j| sum = sum.wrapping_add(array[[i, j]]));
        sum
    });
    sum2.ways.extend(ways.ways);

    let sum4 = all
        .iter_mut()
        .find(|case| case.name == "sum dense4")
        .unwrap();
    let nested = Box::new([[[[1_u32; 18]; 14]; 10]; 6]);
    let array = ndarray::Array4::<u32>::from_elem((6, 10, 14, 18), 1);
    type Shape4 = (
        mdarray::Const<6>,
        mdarray::Const<10>,
        mdarray::Const<14>,
        mdarray::Const<18>,
    );
    let constant = Box::new(mdarray::Array::<u32, Shape4>::from_elem(
        Shape4::default(),
        1,
    ));
    let ways = Case::new("")
        .way("nested arrays", 15120, move || {
            let array = black_box(&nested);
            let mut sum = 0_u32;
            loops!([6, 10, 14, 18], |i, j, k, l| sum =
                sum.wrapping_add(array[i][j][k][l]));
            sum
        })
        .way("ndarray [[i, j]]", 15120, move || {
            let array = black_box(&array);
            let mut sum = 0_u32;
            loops!([6, 10, 14, 18], |i, j, k, l| sum =
                sum.wrapping_add(array[[i, j, k, l]]));
            sum
        })
        .way("mdarray const", 15120, move || {
            let array = black_box(&constant);
            let mut sum = 0_u32;
            loops!([6, 10, 14, 18], |i, j, k, l| sum =
                sum.wrapping_add(array[[i, j, k, l]]));
            sum
        });
    sum4.ways.extend(ways.ways);
}

fn dynamic(all: &mut Vec<Case>) {
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
    fn strided(view: &View<'_, u32, StridedLayout<4>>) -> u32 {
        let mut sum = 0_u32;
        loops!(view.layout().sizes(), |i, j, k, l| sum =
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
    fn dynamic(view: &View<'_, u32, DynLayout>) -> u32 {
        let mut sum = 0_u32;
        loops!([6, 10, 14, 18], |i, j, k, l| sum =
            sum.wrapping_add(view[[i, j, k, l]]));
        sum
    }

    const ELEMENTS: usize = 15120;
    let layout: DynLayout = "u32[6,10,14,18]".parse().unwrap();
    let data = numbers::<u32>(ELEMENTS);
    let with_strides = View::new(data, StridedLayout::<4>::new(&layout).unwrap()).unwrap();
    let with_dyn = View::new(data, layout).unwrap();
    let array = ndarray::Array4::from_shape_vec((6, 10, 14, 18), data.to_vec()).unwrap();
    let (strides, sizes) = ([2520, 252, 18, 1], [6, 10, 14, 18]);
    all.push(
        Case::new("sum, run-time strides")
            .way("hand", ELEMENTS, move || {
                hand(black_box(data), black_box(&strides), black_box(&sizes))
            })
            .way("StridedLayout<4>", ELEMENTS, move || {
                strided(black_box(&with_strides))
            })
            .way("ndarray [[i, j, k, l]]", ELEMENTS, move || {
                ndarray(black_box(&array))
            })
            .way("DynLayout", ELEMENTS, move || dynamic(black_box(&with_dyn))),
    );
}

/// Linear to multi index, dims 6, 10, 14, 18: constants, and numbers of the run time.
fn divisions(all: &mut Vec<Case>) {
    const LEN: usize = 15120;
    let strided: StridedLayout<4> = "u32[6,10,14,18]".parse().unwrap();
    let permuted: StridedLayout<4> = "u32[6,10,14,18]{1,3,0,2}".parse().unwrap();
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
    let (a, b, c, d) = (s(), s(), s(), p());
    type L = layout!(u32[6,10,14,18]);
    let of = |linear: usize| xlayout::ArrayLayout::multi_index_of_element(&L::NEW, linear);
    all.push(
        Case::new("division, throughput")
            .way("constants, u64", LEN, throughput!(linear, |n| u64s(n)))
            .way("constants, u32", LEN, throughput!(narrow, |n| u32s(n)))
            .way("typed", LEN, throughput!(linear, |n| of(n)))
            .way(
                "StridedLayout<4>",
                LEN,
                throughput!(linear, |n| a.multi_index_of_element(n)),
            )
            .way(
                "StridedLayout<4>, permuted",
                LEN,
                throughput!(linear, |n| d.multi_index_of_element(n)),
            ),
    );
    let (d, e) = (p(), s());
    all.push(
        Case::new("division, stored")
            .way("constants, u64", LEN, stored!(linear, |n| u64s(n)))
            .way("constants, u32", LEN, stored!(narrow, |n| u32s(n)))
            .way("typed", LEN, stored!(linear, |n| of(n)))
            .way(
                "StridedLayout<4>",
                LEN,
                stored!(linear, |n| b.multi_index_of_element(n)),
            )
            .way(
                "StridedLayout<4>, permuted",
                LEN,
                stored!(linear, |n| d.multi_index_of_element(n)),
            )
            .way(
                "StridedLayout<4>, checked",
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
                "StridedLayout<4>",
                LEN,
                latency!(usize, |n| c.multi_index_of_element(n)),
            ),
    );
}

/// All of them.
pub fn all() -> Vec<Case> {
    let mut all = Vec::new();
    sums! {
        all: dense2(i j) dense4(i j k l) permuted4(i j k l) padded2(i j) tiled(i j) ragged(i j)
        two_level(i j) tiled4(i j k l)
    }
    packed_sums!(all: packed packed_tiled);
    others(&mut all);
    stencils! {
        all: dense2() dense4(x y) padded2() tiled() ragged() two_level() tiled4(x y)
    }
    mixed_sums! {
        all: mixed_rows[13_000, 3; rows: rows, 3] mixed_columns[3, 13_000; columns: 3, columns]
        mixed_tiled[300, 128; rows: rows, 128] mixed_tiles[100, 400; columns: 100, columns]
    }
    dynamic(&mut all);
    in_memory! {
        all, u32: dense2(i j) padded2(i j) tiled(i j) ragged(i j) dense4(i j k l) tiled4(i j k l)
    }
    in_memory!(all, u16: dense16(i j) two_level(i j));
    divisions(&mut all);
    all
}
