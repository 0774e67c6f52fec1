//! Indices that belong to a type and not to a value, and the iterators over them: small cases, all
//! of them.

use std::fmt::Debug;
use std::format;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::string::String;
use std::vec::Vec;

use super::ArrayLayout;
use crate::layouts::types::{MinorToMajor, Nat, StaticLayout, Tile};
use crate::{
    Array, ConstLayout, Coordinate, DynCoordinates, DynLayout, Element, Index, LinearIndex,
    RegionLayout, StridedLayout,
};

type Order = MinorToMajor<(Nat<1>, Nat<0>)>;
type Tiled = StaticLayout<f32, (Nat<3>, Nat<5>), Order, (Tile<(Nat<2>, Nat<2>)>,)>;
type Line = StaticLayout<f32, (Nat<7>,), MinorToMajor<(Nat<0>,)>, ()>;

/// An index of one value, used with the other, panics where it is out of bounds there.
fn check_values<L: ArrayLayout>(large: &L, small: &L) {
    let mut refused = 0;
    for index in large.indices() {
        let found = catch_unwind(AssertUnwindSafe(|| index.to_linear(small).get()));
        if small.in_bounds(index.coordinates()) {
            assert_eq!(found.ok(), Some(small.linear_index(index.coordinates())));
        } else {
            refused += 1;
            assert!(found.is_err(), "{index:?}");
        }
    }
    assert_eq!(refused, large.elements() - small.elements());
}

#[test]
fn an_index_of_another_value_is_checked() {
    let text = |text: &str| text.parse::<DynLayout>().unwrap();
    let large = text("f32[3,4]{1,0}");
    let small = text("f32[2,4]{1,0:T(2,2)}");
    check_values(&large, &small);
    let ranked = |layout: &DynLayout| layout.clone().ranked::<2>().unwrap();
    check_values(&ranked(&large), &ranked(&small));
    let strided = |text: &str| text.parse::<StridedLayout<[usize; 2]>>().unwrap();
    check_values(&strided("f32[3,4]{1,0}"), &strided("f32[2,1]{0,1}"));
    let gapped = |sizes| StridedLayout::new::<f32>(sizes, [9, 2]).unwrap();
    check_values(&gapped([3, 4]), &gapped([2, 4]));
    let array = Array::<f32, _>::zeros(Tiled::NEW).unwrap();
    let region = |sizes| *array.region([0, 0], sizes).unwrap().layout();
    check_values(&region([3, 4]), &region([2, 3]));
    let one = Array::<f32, _>::zeros(text("f32[1,4]{1,0}")).unwrap();
    let rows = |rows| one.broadcast::<0>(rows).unwrap().layout().clone();
    check_values(&rows(5), &rows(2));
}

/// Also where the compiler does not run it.
#[test]
fn a_literal_index_is_in_bounds() {
    for (i, j) in (0..5).flat_map(|i| (0..7).map(move |j| (i, j))) {
        let inside = i < 3 && j < 5;
        assert_eq!(catch_unwind(|| Index::<Tiled>::at([i, j])).is_ok(), inside);
        let linear = catch_unwind(|| LinearIndex::<Tiled>::at([i, j]).get());
        let expected = inside.then(|| Tiled::NEW.linear_index(&[i, j]));
        assert_eq!(linear.ok(), expected);
    }
}

/// An iterator says at each step how many items follow.
pub(crate) fn check_len(mut iter: impl ExactSizeIterator, len: usize) {
    for left in (0..len).rev() {
        assert_eq!(iter.size_hint(), (left + 1, Some(left + 1)));
        assert!(iter.next().is_some());
    }
    assert_eq!((iter.len(), iter.next().is_none()), (0, true));
}

#[test]
fn iterators_know_their_length() {
    for text in ["f32[]", "f32[0,3]", "f32[3,5]{1,0}", "f32[3,5]{0,1:T(2,2)}"] {
        let layout: DynLayout = text.parse().unwrap();
        check_len(layout.indices(), layout.elements());
        check_len(layout.indices_in_memory(), layout.elements());
    }
    check_len(Line::axis::<0>(), 7);
    let (mut blocks, rest) = Line::axis::<0>().blocks::<3>();
    check_len(blocks.clone(), 2);
    check_len(blocks.next().unwrap(), 3);
    check_len(rest, 1);
}

/// The blocks of a range of an axis and what is left are the coordinates of the range.
fn check_blocks<const N: usize>() {
    for (start, end) in (0..=7).flat_map(|start| (start..=7).map(move |end| (start, end))) {
        let axis = Line::axis::<0>().range(start..end);
        let (blocks, rest) = axis.blocks::<N>();
        let mut found = Vec::new();
        for block in blocks {
            assert_eq!(block.len(), N);
            found.extend(block.map(Coordinate::get));
        }
        assert_eq!(found.len(), (end - start) / N * N);
        found.extend(rest.map(Coordinate::get));
        assert!(found.into_iter().eq(start..end), "{start}..{end} by {N}");
    }
}

#[test]
fn blocks_and_the_rest_are_the_axis() {
    check_blocks::<1>();
    check_blocks::<2>();
    check_blocks::<3>();
    check_blocks::<8>();
}

#[test]
fn an_array_is_exhaustive_if_nothing_is_padding() {
    for (text, expected) in [
        ("f32[]", true),
        ("f32[0,3]", true),
        ("f32[3,5]{0,1}", true),
        ("f32[4,6]{1,0:T(2,2)}", true),
        ("f32[3,5]{1,0:T(2,2)}", false),
        ("f32[3]{0:L(4)}", false),
        ("f32[3]<0>, padded_dimensions = [4]", false),
    ] {
        let layout: DynLayout = text.parse().unwrap();
        assert_eq!(layout.is_exhaustive(), expected, "{text}");
    }
}

fn hash_of(value: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

fn check_as_number<T: Ord + Hash + Debug>(make: impl Fn(usize) -> T) {
    for (a, b) in (0..7).flat_map(|a| (0..7).map(move |b| (a, b))) {
        let x = make(a);
        let y = make(b);
        assert_eq!((x == y, x.cmp(&y)), (a == b, a.cmp(&b)));
        assert_eq!(x.partial_cmp(&y), Some(a.cmp(&b)));
        assert_eq!(hash_of(&x) == hash_of(&y), a == b);
        assert_eq!(format!("{x:?}"), format!("{a}"));
    }
}

#[test]
fn indices_compare_hash_and_print_as_their_numbers() {
    check_as_number(|n| Line::axis::<0>().nth(n).unwrap());
    check_as_number(|n| LinearIndex::<Line>::at([n]));
    for (a, b) in (0..7).flat_map(|a| (0..7).map(move |b| (a, b))) {
        let x = Index::<Line>::at([a]);
        let y = Index::<Line>::at([b]);
        assert_eq!((x == y, hash_of(&x) == hash_of(&y)), (a == b, a == b));
        assert_eq!(format!("{x:?}"), format!("[{a}]"));
    }
}

#[test]
fn layouts_and_axes_print_what_they_are() {
    let axis = Line::axis::<0>();
    assert_eq!(format!("{axis:?}"), "0..7");
    let plain: DynLayout = "f32[3,4]{0,1}".parse().unwrap();
    let ranked = plain.ranked::<2>().unwrap();
    assert_eq!(format!("{ranked:?}"), "DynLayout(f32[3,4]{0,1})");
    let gapped = StridedLayout::new::<f32>([3, 4], [9, 2]).unwrap();
    assert_eq!(
        format!("{gapped:?}"),
        "StridedLayout(f32[3, 4], strides [9, 2])"
    );
    let array = Array::<f32, _>::zeros(Tiled::NEW).unwrap();
    let part = array.region([2, 0], [1, 4]).unwrap();
    let expected = "RegionLayout([1, 4] of f32[3,5]{1,0:T(2,2)})";
    assert_eq!(format!("{:?}", part.layout()), expected);
    let one = Array::<f32, _>::zeros("f32[1,4]".parse::<DynLayout>().unwrap()).unwrap();
    let rows = one.broadcast::<0>(6).unwrap();
    let expected = "BroadcastLayout(dimension 0 of f32[1,4]{1,0}, 6 times)";
    assert_eq!(format!("{:?}", rows.layout()), expected);
    assert_eq!(format!("{:?}", Tiled::NEW), "layout!(f32[3,5]{1,0:T(2,2)})");
}

type PartLayouts<'a> = (
    StridedLayout<DynCoordinates, isize>,
    StridedLayout<DynCoordinates, isize>,
    RegionLayout<&'a DynLayout>,
);

fn wholes(element_type: &str) -> [DynLayout; 3] {
    ["[3,8]{1,0}", "[3,8]{0,1}", "[4,8]{0,1}"]
        .map(|dims| format!("{element_type}{dims}").parse().unwrap())
}

fn layouts_of_parts<T: Element>(wholes: &[DynLayout]) -> Vec<(String, PartLayouts<'_>)> {
    let mut all = Vec::new();
    for layout in wholes {
        let array = Array::<T, _>::zeros(layout).unwrap();
        for (step, of) in [(2, 8), (3, 8), (2, 6)] {
            let gapped = array.with_step::<1>(..of, step).unwrap();
            let signed = array.with_step::<1>(..of, -step).unwrap();
            let region = array.region([0, 0], [step.unsigned_abs(), of]).unwrap();
            let layouts = (
                gapped.layout().clone(),
                signed.layout().clone(),
                region.layout().clone(),
            );
            all.push((format!("{layout} {step} {of}"), layouts));
        }
    }
    all
}

/// Layouts of parts are equal where the element type, the sizes and the strides are, also if only
/// the run time knows the element type.
#[test]
fn equal_layouts_of_parts() {
    let floats = wholes("f32");
    let integers = wholes("s32");
    let mut all = layouts_of_parts::<f32>(&floats);
    all.extend(layouts_of_parts::<i32>(&integers));
    for (a, x) in &all {
        for (b, y) in &all {
            let equal = (x.0 == y.0, x.1 == y.1, x.2 == y.2);
            assert_eq!(equal, (a == b, a == b, a == b), "{a} and {b}");
        }
    }
}
