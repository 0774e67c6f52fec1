//! Arrays as values: made, compared, printed, written and read.
#![cfg(feature = "std")]

use proptest::prelude::*;
use xlayout::{
    Array, ArrayLayout, ArrayRef, ConstLayout, DynLayout, Element, Index, LayoutError, LinearIndex,
    Packed, Raw, SliceView, dtype, index, layout,
};

type Columns = layout!(s32[2,3]{0,1});
type Tiled = layout!(s32[2,3]{1,0:T(2,2)});

#[test]
fn zeros_infers_the_element_type() {
    let floats = Array::zeros(layout!(f32[2,3])).unwrap();
    let _: &[f32] = floats.memory();
    let bits = Array::zeros(layout!(f8e4m3[2])).unwrap();
    assert_eq!(bits.memory(), [Raw::<dtype::f8e4m3>::ZERO; 2]);
    let made: Array<i32, Columns> = Array::zeros(Columns::NEW).unwrap();
    fn last(x: SliceView<'_, i32, Columns>) -> i32 {
        x[[1, 2]]
    }
    assert_eq!(last(made.as_slice_view()), 0);
    assert_eq!(made, Array::<i32, Columns>::default());
}

/// A function that names the element type once, for any layout that stores it.
#[test]
fn generic_functions_make_arrays() {
    fn ones<T: Element, L: ConstLayout<Type = T::Type>>() -> Array<T, L> {
        let mut array = Array::<T, L>::zeros(L::NEW).unwrap();
        array.fill(T::ONE);
        array
    }
    assert_eq!(ones::<i32, Columns>().iter().sum::<i32>(), 6);
}

#[test]
fn nested_arrays_in_and_out() {
    let rows = [[1, 2, 3], [4, 5, 6]];
    let array = Array::from_nested(Tiled::NEW, rows).unwrap();
    assert_eq!(array[[1, 2]], 6);
    assert_eq!(array.to_nested::<[[i32; 3]; 2], 2>().unwrap(), rows);
    let expected = Some(LayoutError::Size {
        dimension: 1,
        expected: 3,
        found: 2,
    });
    assert_eq!(
        Array::from_nested(Tiled::NEW, [[1, 2], [3, 4]]).err(),
        expected
    );
    let deep = Array::from_fn(layout!(s32[2,1,3]{0,1,2}), |at| {
        at.iter().fold(0, |n, &i| 10 * n + i as i32)
    })
    .unwrap();
    let nested: [[[i32; 3]; 1]; 2] = deep.to_nested().unwrap();
    assert_eq!(nested[1][0][2], 102);
    assert_eq!(Array::from_nested(*deep.layout(), nested).unwrap(), deep);
}

#[test]
fn nested_vectors_in_and_out() {
    let rows = vec![vec![1, 2, 3], vec![4, 5, 6]];
    let array = Array::from_nested(Tiled::NEW, rows.clone()).unwrap();
    assert_eq!(array[[1, 2]], 6);
    let found: Vec<Vec<i32>> = array.to_nested().unwrap();
    assert_eq!(found, rows);
    let size = |dimension, expected, found| {
        Some(LayoutError::Size {
            dimension,
            expected,
            found,
        })
    };
    // A row of another length, and a row too many.
    let ragged = vec![vec![1, 2, 3], vec![4, 5]];
    assert_eq!(Array::from_nested(Tiled::NEW, ragged).err(), size(1, 3, 2));
    let rows = vec![vec![1, 2, 3]; 3];
    assert_eq!(Array::from_nested(Tiled::NEW, rows).err(), size(0, 2, 3));
    let deep = layout!(s32[2,1,3]{0,1,2});
    let deep = Array::from_fn(deep, |&[i, j, k]| (100 * i + 10 * j + k) as i32);
    let deep = deep.unwrap();
    let nested: Vec<Vec<Vec<i32>>> = deep.to_nested().unwrap();
    assert_eq!(nested[1][0][2], 102);
    assert_eq!(Array::from_nested(*deep.layout(), nested).unwrap(), deep);
    let empty: Vec<Vec<f32>> = Array::zeros(layout!(f32[0,3]))
        .unwrap()
        .to_nested()
        .unwrap();
    assert!(empty.is_empty());
    // No bytes, and more rows than there is memory for.
    let rows = usize::MAX / 16 + 1;
    let layout: DynLayout = format!("f32[{rows},0]").parse().unwrap();
    let layout = layout.ranked::<2>().unwrap();
    let array = Array::<f32, _>::zeros(layout).unwrap();
    let why = array.to_nested::<Vec<Vec<f32>>, 2>().unwrap_err();
    assert!(matches!(why, LayoutError::OutOfMemory { buffer_len, .. } if buffer_len == rows));
}

#[test]
fn a_slice_of_no_dimension() {
    let layout: DynLayout = "f32[2,3]".parse().unwrap();
    let array = Array::<f32, _>::zeros(layout).unwrap();
    let no_dimension = LayoutError::NoDimension {
        dimension: 5,
        rank: 2,
    };
    assert_eq!(
        array.as_view().into_slice::<5>(0..1).unwrap_err(),
        no_dimension
    );
    assert_eq!(array.split_at::<5>(0).unwrap_err(), no_dimension);
}

#[test]
fn functions_take_arrays_views_and_parts() {
    fn sum(x: &ArrayRef<i32, impl ArrayLayout>) -> i32 {
        x.iter().sum()
    }
    let array = Array::from_nested(Tiled::NEW, [[1, 2, 3], [4, 5, 6]]).unwrap();
    let (_, right) = array.split_at::<1>(2).unwrap();
    assert_eq!(
        (sum(&array), sum(&array.as_view()), sum(&right)),
        (21, 21, 9)
    );
}

#[test]
fn constants() {
    static TABLE: SliceView<'static, i32, Columns> = SliceView::of_array(&[1, 4, 2, 5, 3, 6]);
    const LAST: usize = LinearIndex::<Columns>::at([1, 2]).get();
    const LAST_AGAIN: Index<Columns> = Index::at_linear(LAST).unwrap();
    const BEYOND: Option<Index<Columns>> = Index::at_linear(6);
    assert_eq!((TABLE[[1, 2]], TABLE.memory()[LAST]), (6, 6));
    assert_eq!((LAST_AGAIN, BEYOND), (Index::at([1, 2]), None));
    // The same sum as at run time, for tiles that merge dimensions, too.
    fn check<L: ConstLayout<Coordinates = [usize; 3]>>() {
        for index in L::NEW.indices() {
            let at = *index.coordinates();
            assert_eq!(LinearIndex::<L>::at(at), index.linear());
        }
        // One place beyond the end, too.
        for place in 0..=L::BUFFER_LEN {
            let found = Index::<L>::at_linear(place);
            assert_eq!(found, L::NEW.index_at(place).ok(), "{place}");
        }
    }
    check::<layout!(s32[3,5,7]{2,1,0:T(2,4)(2,1)})>();
    check::<layout!(s32[3,5,7]{2,1,0:T(*,3)})>();
    check::<layout!(s32[3,5,7]{0,2,1:T(*,4)(3,2)})>();
    check::<layout!(s32[3,5,7] <1,2,0>, padded_dimensions = [4, 6, 9])>();
}

#[test]
fn elements_that_compare() {
    let a = Array::from_nested(Tiled::NEW, [[1, 2, 3], [4, 5, 6]]).unwrap();
    let mut b = Array::from_nested(Columns::NEW, [[1, 2, 3], [4, 5, 6]]).unwrap();
    assert_eq!(a, b);
    assert_eq!(a.as_view(), b);
    b[index!(Columns[1, 2])] = 7;
    assert_ne!(a, b);
    // Other sizes with the same elements.
    let [flat, column] = ["s32[6,1]", "s32[1,6]"].map(|text| {
        let layout: DynLayout = text.parse().unwrap();
        Array::from_row_major(layout, &[1, 2, 3, 4, 5, 6]).unwrap()
    });
    assert_ne!(flat, column);
    // Layouts that the run time knows, and typed ones.
    for text in ["s32[2,3]{0,1:T(2,2)}", "s32[2,3]"] {
        let of_run_time =
            Array::from_row_major(DynLayout::new(text).unwrap(), &[1, 2, 3, 4, 5, 6]).unwrap();
        assert_eq!(a, of_run_time);
        assert_eq!(of_run_time, a);
        assert_eq!(of_run_time.as_view(), *a.as_view());
        assert_ne!(b, of_run_time);
        assert_ne!(of_run_time, b);
        assert!(of_run_time == a.t().as_view().t() && a.t() != of_run_time && flat != a);
    }
    let packed = Array::packed_from_row_major(layout!(s4[2,2]{1,0:E(4)}), &[1, -2, 3, 4]).unwrap();
    let read: DynLayout = "s4[2,2]{0,1:T(2,2)E(4)}".parse().unwrap();
    let mut other = Array::packed_from_row_major(read, &[1, -2, 3, 4]).unwrap();
    assert_eq!(packed, other);
    assert_eq!(other, packed);
    other.set_at([0, 1], 2);
    assert_ne!(packed, other);
    assert_ne!(other, packed);
    // Padding is not compared.
    let mut c = a.clone();
    c.fill_padding_with(9);
    assert_eq!(a, c);
    assert_ne!(a.memory(), c.memory());
    assert!(Array::from_row_major(Columns::NEW, &[0; 5]).is_err());
}

#[test]
fn text_is_nested_and_short() {
    let a = Array::from_nested(Tiled::NEW, [[1, 2, 3], [4, 5, 6]]).unwrap();
    assert_eq!(
        format!("{a:?}"),
        "Array { shape: s32[2,3]{1,0:T(2,2)}, elements: [[1, 2, 3], [4, 5, 6]] }"
    );
    let text = |sizes: &str| {
        let layout: DynLayout = format!("s32[{sizes}]").parse().unwrap();
        let array = Array::from_fn(layout, |at| at.iter().fold(0, |n, &i| 100 * n + i as i32));
        format!("{:?}", array.unwrap())
    };
    assert_eq!(text(""), "Array { shape: s32[], elements: 0 }");
    assert_eq!(text("0,3"), "Array { shape: s32[0,3]{1,0}, elements: [] }");
    assert_eq!(
        text("2,0"),
        "Array { shape: s32[2,0]{1,0}, elements: [[], []] }"
    );
    assert_eq!(
        text("2,600"),
        "Array { shape: s32[2,600]{1,0}, elements: [[0, 1, 2, ..., 597, 598, 599], \
         [100, 101, 102, ..., 697, 698, 699]] }"
    );
    // The omitted part is longer than the sign for it.
    assert!(
        !text("7,143")
            .split("elements")
            .nth(1)
            .unwrap()
            .contains("[...")
    );
    assert!(text("1000").ends_with("998, 999] }") && !text("1000").contains("..."));
    assert!(text("1001").contains("[0, 1, 2, ..., 998, 999, 1000]"));
}

#[cfg(feature = "serde")]
#[test]
fn packed_arrays_are_written_and_read() {
    type A = layout!(s4[2,3]{0,1:E(4)});
    let array = Array::packed_from_fn(A::NEW, |&[i, j]| (3 * i + j) as i8 + 5).unwrap();
    let json = serde_json::to_string(&array).unwrap();
    assert_eq!(
        json,
        r#"{"layout":"s4[2,3]{0,1:E(4)}","elements":[5,6,7,-8,-7,-6]}"#
    );
    let read: Array<Packed, A> = serde_json::from_str(&json).unwrap();
    assert_eq!(read, array);
    let read: Array<Packed, DynLayout> = serde_json::from_str(&json).unwrap();
    assert_eq!(read.as_bytes(), array.as_bytes());
    let bytes = postcard::to_allocvec(&array).unwrap();
    assert_eq!(
        postcard::from_bytes::<Array<Packed, A>>(&bytes).unwrap(),
        array
    );
    for (json, words) in [
        (
            r#"{"layout":"s4[2]{0:E(4)}","elements":[7,8]}"#,
            "element 1 is 8, which is no number of type s4",
        ),
        (
            r#"{"layout":"u4[2]{0:E(4)}","elements":[-1,8]}"#,
            "element 0 is -1, which is no number of type u4",
        ),
        (
            r#"{"layout":"u4[2]{0:E(4)}","elements":[1]}"#,
            "has 2 elements, found 1",
        ),
        (r#"{"layout":"u4[2]","elements":[1, 2]}"#, "8"),
    ] {
        let why = serde_json::from_str::<Array<Packed, DynLayout>>(json).unwrap_err();
        assert!(why.to_string().contains(words), "{why}");
    }
}

#[cfg(feature = "serde")]
#[test]
fn arrays_are_written_and_read() {
    let array = Array::from_nested(Tiled::NEW, [[1, 2, 3], [4, 5, 6]]).unwrap();
    let json = serde_json::to_string(&array).unwrap();
    assert_eq!(
        json,
        r#"{"layout":"s32[2,3]{1,0:T(2,2)}","elements":[1,2,3,4,5,6]}"#
    );
    assert_eq!(
        serde_json::from_str::<Array<i32, Tiled>>(&json).unwrap(),
        array
    );
    let dynamic: Array<i32, DynLayout> = serde_json::from_str(&json).unwrap();
    assert_eq!(dynamic.memory(), array.memory());
    let bytes = postcard::to_allocvec(&array).unwrap();
    assert_eq!(
        postcard::from_bytes::<Array<i32, Tiled>>(&bytes).unwrap(),
        array
    );
    // The fields in another sequence.
    let json = r#"{"elements":[1,2],"layout":"s32[2]"}"#;
    let read: Array<i32, DynLayout> = serde_json::from_str(json).unwrap();
    assert_eq!(read.memory(), [1, 2]);
    let mistake = |json: &str| {
        serde_json::from_str::<Array<i32, DynLayout>>(json)
            .unwrap_err()
            .to_string()
    };
    for (json, words) in [
        (
            r#"{"layout":"s32[2]","elements":[1]}"#,
            "has 2 elements, found 1",
        ),
        (r#"{"layout":"s32[2]"}"#, "missing field `elements`"),
        (r#"{"elements":[]}"#, "missing field `layout`"),
        (
            r#"{"layout":"s32[2]","layout":"s32[2]"}"#,
            "duplicate field `layout`",
        ),
        (
            r#"{"elements":[],"elements":[]}"#,
            "duplicate field `elements`",
        ),
        (
            r#"{"layout":"f32[1]","elements":[1]}"#,
            "expected elements of type s32, found f32",
        ),
        (
            r#"{"layout":"s32[1000000000000000]","elements":[1]}"#,
            "1000000000000000 elements, found 1",
        ),
        (r#"{"layout":"s32[1]","elements":[1.5]}"#, "1.5"),
        (r#"{"shape":"s32[1]"}"#, "unknown field `shape`"),
        ("[]", "missing field `layout`"),
        ("3", "an array: its layout and its elements"),
    ] {
        let found = mistake(json);
        assert!(found.contains(words), "{json}: {found}");
    }
    let other =
        serde_json::from_str::<Array<i32, Columns>>(r#"{"layout":"s32[2,3]","elements":[]}"#);
    assert!(
        other
            .unwrap_err()
            .to_string()
            .contains("expected the layout")
    );
}

/// The neighbours of an index are in bounds, and the steps lead back.
#[test]
fn neighbours() {
    let layout = layout!(s32[?,3])([2, 3]).unwrap();
    for index in layout.indices() {
        let mut found = 0;
        for (di, dj) in [(-1, 0), (1, 0), (0, -1), (0, 1), (0, 0)] {
            if let Some(there) = index.checked_offset(&layout, &[di, dj]) {
                assert!(layout.in_bounds(there.coordinates()));
                assert_eq!(there.checked_offset(&layout, &[-di, -dj]), Some(index));
                found += 1;
            }
        }
        // A corner has two neighbours; the middle column, three.
        assert_eq!(found, if index.coordinates()[1] == 1 { 4 } else { 3 });
        assert_eq!(index.checked_offset(&layout, &[0]), None);
        assert_eq!(index.checked_offset(&layout, &[isize::MIN, 0]), None);
    }
    let axis: Vec<usize> = Columns::axis::<1>()
        .filter_map(|j| j.checked_offset(1))
        .map(|j| j.get())
        .collect();
    assert_eq!(axis, [1, 2]);
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    /// Elements and padding are all places, each once; `iter`, `iter_mut` and `map` see the
    /// elements.
    #[test]
    fn elements_and_padding(
        m in 0..6_usize,
        n in 0..9_usize,
        tiles in prop_oneof![Just(""), Just(":T(2,4)"), Just(":T(4,4)(2,1)"), Just(":T(*,3)"), Just(":T(3,4)(2,2)"), Just(":L(16)")],
        rows in any::<bool>(),
    ) {
        let text = format!("s32[{m},{n}]{{{}{tiles}}}", if rows { "1,0" } else { "0,1" });
        let Ok(layout) = text.parse::<DynLayout>() else { return Ok(()) };
        let mut array = Array::from_fn(layout, |at| (100 * at[0] + at[1]) as i32).unwrap();
        let expected: Vec<i32> = (0..m).flat_map(|i| (0..n).map(move |j| (100 * i + j) as i32)).collect();
        prop_assert_eq!(array.iter().copied().collect::<Vec<_>>(), &expected[..]);
        prop_assert_eq!(array.iter().len(), m * n);
        for (at, &x) in array.indexed_iter() {
            prop_assert_eq!(x, (100 * at[0] + at[1]) as i32);
        }
        let tripled = array.map(|x| 3 * x).unwrap();
        prop_assert!(tripled.iter().zip(&expected).all(|(a, b)| *a == 3 * b));
        let all: Vec<&mut i32> = array.iter_mut().collect();
        prop_assert_eq!(all.len(), m * n);
        for (x, n) in all.into_iter().zip(1..) {
            *x = -n;
        }
        prop_assert!(array.iter().zip(1..).all(|(x, n)| *x == -n));
        // Padding.
        array.fill(1);
        for place in array.memory_mut() {
            *place += 1;
        }
        let ranges: Vec<_> = array.layout().padding_ranges().collect();
        prop_assert!(ranges.windows(2).all(|pair| pair[0].end < pair[1].start));
        let mut padding = 0;
        for range in ranges {
            padding += range.len();
            for place in range {
                prop_assert!(array.layout().multi_index(place).is_none());
            }
        }
        prop_assert_eq!(padding, array.layout().padding());
        let (left, _) = array.split_at::<1>(0).unwrap();
        prop_assert_eq!(left.layout().padding_ranges().count(), 0);
    }
}
