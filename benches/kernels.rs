//! Loops over whole arrays, written by hand, with typed layouts, and with other crates.

use std::cell::RefCell;
use std::hint::black_box;
use std::rc::Rc;

use typed::cases;
use xlayout::{
    ArrayLayout, ConstLayout, DynLayout, Packed, SliceView, SliceViewMut, StridedLayout, layout,
};

/// One implementation, and the number of elements that it visits.
pub struct Way {
    pub name: &'static str,
    pub elements: usize,
    pub run: Box<dyn FnMut() -> u32>,
}

/// Implementations of the same computation. The others are compared with the first.
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

/// Memory that the implementations share, so that none has better addresses. It lives as long as
/// the program.
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
        fn typed(view: SliceView<'_, Element, L>) -> Element {
            let mut sum: Element = 0;
            loops!(SIZES, |$($i),*| sum = sum.wrapping_add(view[[$($i),*]]));
            sum
        }
        #[inline(never)]
        fn indices(view: SliceView<'_, Element, L>) -> Element {
            view.layout().indices().fold(0, |sum: Element, index| sum.wrapping_add(view[index]))
        }

        let data = numbers::<Element>(L::BUFFER_LEN);
        let view = SliceView::new(L::NEW, data).unwrap();
        let case = Case::new(concat!("sum ", stringify!($name)))
            .way("hand", L::ELEMENTS, move || hand(black_box(data)).into())
            .way("typed", L::ELEMENTS, move || typed(black_box(view)).into())
            .way("typed, indices()", L::ELEMENTS, move || indices(black_box(view)).into());
        $cases.push(case);
    })*};
}

macro_rules! packed_sums {
    ($cases:ident: $($name:ident)*) => {$({
        use cases::$name::L;
        const SIZES: [usize; 2] = <L as ConstLayout>::SIZE_COORDINATES;

        /// There is no padding, so both halves of each byte are elements.
        #[inline(never)]
        fn hand(data: &[u8]) -> u32 {
            let mut sum = 0;
            for byte in data {
                sum += i32::from((*byte as i8) << 4 >> 4);
                sum += i32::from(*byte as i8 >> 4);
            }
            sum as u32
        }
        #[inline(never)]
        fn typed(view: SliceView<'_, Packed, L>) -> u32 {
            let mut sum = 0;
            loops!(SIZES, |i, j| sum += i32::from(view.get([i, j]).unwrap()));
            sum as u32
        }
        #[inline(never)]
        fn axes(view: SliceView<'_, Packed, L>) -> u32 {
            let mut sum = 0;
            for i in L::axis::<0>() {
                sum += L::axis::<1>().map(|j| i32::from(view.at((i, j)))).sum::<i32>();
            }
            sum as u32
        }
        #[inline(never)]
        fn iter(view: SliceView<'_, Packed, L>) -> u32 {
            view.iter().map(i32::from).sum::<i32>() as u32
        }
        #[inline(never)]
        fn for_each(view: SliceView<'_, Packed, L>) -> u32 {
            let mut sum = 0;
            view.for_each_in_memory(|_, number| sum += i32::from(number));
            sum as u32
        }

        let data = numbers::<u8>(L::BYTES);
        let view = SliceView::packed(L::NEW, data).unwrap();
        let case = Case::new(concat!("sum ", stringify!($name)))
            .way("hand, by bytes", L::ELEMENTS, move || hand(black_box(data)))
            .way("typed, [i, j]", L::ELEMENTS, move || typed(black_box(view)))
            .way("typed, axes", L::ELEMENTS, move || axes(black_box(view)))
            .way("typed, iter()", L::ELEMENTS, move || iter(black_box(view)))
            .way("typed, for_each_in_memory()", L::ELEMENTS, move || for_each(black_box(view)));
        $cases.push(case);
    })*};
}

/// The dot product of rows of 4-bit numbers, as many as the run time knows.
fn packed_dot(cases: &mut Vec<Case>) {
    type Row = layout!(s4[?]{0:E(4)});
    const ELEMENTS: usize = 100_001;

    #[inline(never)]
    fn hand(a: &[u8], b: &[u8], elements: usize) -> u32 {
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
        sum as u32
    }
    #[inline(never)]
    fn axis(a: SliceView<'_, Packed, Row>, b: SliceView<'_, Packed, Row>) -> u32 {
        let products = a
            .axis::<0>()
            .map(|i| i32::from(a.at((i,))) * i32::from(b.at((i,))));
        products.sum::<i32>() as u32
    }
    #[inline(never)]
    fn zip(a: SliceView<'_, Packed, Row>, b: SliceView<'_, Packed, Row>) -> u32 {
        let products = a
            .iter()
            .zip(b.iter())
            .map(|(x, y)| i32::from(x) * i32::from(y));
        products.sum::<i32>() as u32
    }

    let layout = Row::with_sizes([ELEMENTS]).unwrap();
    let data = numbers::<u8>(layout.bytes());
    let view = SliceView::packed(layout, data).unwrap();
    let case = Case::new("dot packed row")
        .way("hand, by bytes", ELEMENTS, move || {
            hand(black_box(data), black_box(data), black_box(ELEMENTS))
        })
        .way("axis", ELEMENTS, move || {
            axis(black_box(view), black_box(view))
        })
        .way("iter().zip()", ELEMENTS, move || {
            zip(black_box(view), black_box(view))
        });
    cases.push(case);
}

/// Sets every inner element to the sum of its four neighbours in the last two dimensions.
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
        fn typed(data: SliceView<'_, Element, L>, mut out: SliceViewMut<'_, Element, L>) {
            stencils!(@loops $($outer)*, i, j, {
                out[[$($outer,)* i, j]] = data[[$($outer,)* i - 1, j]]
                    .wrapping_add(data[[$($outer,)* i + 1, j]])
                    .wrapping_add(data[[$($outer,)* i, j - 1]])
                    .wrapping_add(data[[$($outer,)* i, j + 1]]);
            });
        }

        let data = numbers::<Element>(L::BUFFER_LEN);
        let out_a = Rc::new(RefCell::new(data.to_vec()));
        let view = SliceView::new(L::NEW, data).unwrap();
        let out_b = out_a.clone();
        let case = Case::new(concat!("stencil ", stringify!($name)))
            .way("hand", L::ELEMENTS, move || {
                hand(black_box(data), &mut out_a.borrow_mut());
                black_box(&out_a).borrow()[0].into()
            })
            .way("typed", L::ELEMENTS, move || {
                typed(black_box(view), SliceViewMut::new(L::NEW, &mut out_b.borrow_mut()[..]).unwrap());
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

        // One size is known at run time only.
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
        fn typed(view: SliceView<'_, u32, L>) -> u32 {
            let [m, n] = view.layout().shape();
            let mut sum = 0_u32;
            loops!([m, n], |i, j| sum = sum.wrapping_add(view[[i, j]]));
            sum
        }

        let sizes = [$m, $n];
        let data = numbers::<u32>(L::with_sizes(sizes).unwrap().buffer_len());
        let view = SliceView::new(L::with_sizes(sizes).unwrap(), data).unwrap();
        let size = sizes[mixed_sums!(@ $of)];
        let case = Case::new(concat!("sum ", stringify!($name)))
            .way("hand", $m * $n, move || hand(black_box(data), black_box(size)))
            .way("typed", $m * $n, move || typed(black_box(view)));
        $cases.push(case);
    })*};
    (@ rows) => { 0 };
    (@ columns) => { 1 };
}

/// `for_each_in_memory` over each of these, with and without using the index.
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
        fn plain(view: SliceView<'_, $element, L>) -> $element {
            let mut sum: $element = 0;
            view.for_each_in_memory(|_, &element| sum = sum.wrapping_add(element));
            sum
        }
        #[inline(never)]
        fn indexed(view: SliceView<'_, $element, L>) -> $element {
            let mut sum: $element = 0;
            view.for_each_in_memory(|index, &element| {
                let [$($i),*] = *index;
                let weight: $element = 0;
                $(let weight = weight.wrapping_mul(3).wrapping_add($i as $element);)*
                sum = sum.wrapping_add(element ^ weight);
            });
            sum
        }

        #[inline(never)]
        fn update(mut view: SliceViewMut<'_, $element, L>) {
            view.for_each_in_memory_mut(|_, element| *element = element.wrapping_mul(3));
        }
        #[inline(never)]
        fn update_indexed(mut view: SliceViewMut<'_, $element, L>) {
            view.for_each_in_memory_mut(|index, element| {
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
            update(SliceViewMut::new(L::NEW, &mut out.borrow_mut()[..]).unwrap());
            black_box(&out).borrow()[0].into()
        });
        $indexed_updates = $indexed_updates.way(stringify!($name), L::ELEMENTS, move || {
            update_indexed(SliceViewMut::new(L::NEW, &mut again.borrow_mut()[..]).unwrap());
            black_box(&again).borrow()[0].into()
        });
        let view = SliceView::new(L::NEW, data).unwrap();
        $plain = $plain.way(stringify!($name), L::ELEMENTS, move || plain(black_box(view)).into());
        $indexed =
            $indexed.way(stringify!($name), L::ELEMENTS, move || indexed(black_box(view)).into());
    })*};
}

mod others;
mod run_time;

/// All cases.
pub fn all() -> Vec<Case> {
    let mut all = Vec::new();
    sums! {
        all: dense2(i j) dense4(i j k l) permuted4(i j k l) padded2(i j) tiled(i j) ragged(i j)
        two_level(i j) tiled4(i j k l)
    }
    packed_sums!(all: packed packed_tiled);
    others::others(&mut all);
    stencils! {
        all: dense2() dense4(x y) padded2() tiled() ragged() two_level() tiled4(x y)
    }
    mixed_sums! {
        all: mixed_rows[13_000, 3; rows: rows, 3] mixed_columns[3, 13_000; columns: 3, columns]
        mixed_tiled[300, 128; rows: rows, 128] mixed_tiles[100, 400; columns: 100, columns]
    }
    packed_dot(&mut all);
    run_time::dynamic(&mut all);
    run_time::tiled(&mut all);
    in_memory! {
        all, u32: dense2(i j) padded2(i j) tiled(i j) ragged(i j) dense4(i j k l) tiled4(i j k l)
    }
    in_memory!(all, u16: dense16(i j) two_level(i j));
    run_time::divisions(&mut all);
    all
}
