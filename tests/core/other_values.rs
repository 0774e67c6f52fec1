//! Indices that were proven for one value of a layout type and are used with another value: each
//! path either reads the element with these coordinates, or panics as `view[[i, j]]` does.
#![cfg(feature = "std")]

use std::panic::{AssertUnwindSafe, catch_unwind};

use xlayout::{
    Array, ArrayLayout, DynLayout, Index, SliceView, SliceViewMut, StridedLayout, branded,
    dtype::{AnyType, StoredAs},
    layout,
};

fn dyn_layout(text: &str) -> DynLayout {
    text.parse()
        .unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// The message of a call's panic, or its result.
fn run<T>(call: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(call)).map_err(|panic| match panic.downcast::<String>() {
        Ok(message) => *message,
        Err(_) => panic!("the panic has no formatted message"),
    })
}

/// The linear index of coordinates, or what `view[[i, j]]` says of them out of bounds.
fn expected<L: ArrayLayout>(index: &Index<L>, layout: &L) -> Result<usize, String> {
    match Index::new(layout, index.coordinates().clone()) {
        Ok(_) => Ok(layout.linear_index(index.coordinates())),
        Err(layout_error) => Err(layout_error.to_string()),
    }
}

/// Every access of a view by the indices of another value of its layout's type. Each element is its
/// linear index, so that another element is another number.
fn check<L: ArrayLayout<Type: StoredAs<u8>>>(proven_for: &L, layout: &L) -> [usize; 2] {
    let data: Vec<u8> = (0..layout.buffer_len()).map(|n| n as u8).collect();
    let view = SliceView::new(layout.clone(), &data[..]).expect("it is as long");
    let mut counts = [0; 2];
    for index in proven_for.indices() {
        let expected = expected(&index, layout);
        counts[usize::from(expected.is_ok())] += 1;
        let element = expected.clone().map(|linear| linear as u8);
        assert_eq!(view.get(index.coordinates()).copied(), element.clone().ok());
        assert_eq!(run(|| view[index.clone()]), element);
        assert_eq!(run(|| index.to_linear(layout).get()), expected);
        // One element is written, or none.
        let mut copy = data.clone();
        let mut writes = SliceViewMut::new(layout.clone(), &mut copy[..]).expect("it is as long");
        let inside = writes.get_mut(index.coordinates()).is_some();
        assert_eq!(inside, expected.is_ok());
        let written = run(|| writes[index.clone()] = 255);
        assert_eq!(written.err(), expected.clone().err());
        let changed: Vec<usize> = (0..data.len()).filter(|&n| copy[n] != data[n]).collect();
        assert_eq!(changed, expected.into_iter().collect::<Vec<_>>());
    }
    counts
}

/// As [`check`], of packed elements.
fn check_packed<L: ArrayLayout>(proven_for: &L, layout: &L) -> [usize; 2] {
    let mut bytes = vec![0; layout.bytes()];
    let mut counts = [0; 2];
    for index in proven_for.indices() {
        let expected = expected(&index, layout);
        counts[usize::from(expected.is_ok())] += 1;
        let mut view = SliceViewMut::packed(layout.clone(), &mut bytes).expect("it is as long");
        let written = run(|| view.set_at(&index, 15));
        assert_eq!(written, expected.clone().map(|_| ()));
        let view = SliceView::packed(layout.clone(), &bytes).expect("it is as long");
        assert_eq!(run(|| view.bits_at(&index)), expected.clone().map(|_| 15));
        assert_eq!(
            view.get_bits(index.coordinates()),
            expected.clone().ok().map(|_| 15)
        );
        let mut written = 0;
        view.for_each_in_memory(|_, number| written += i32::from(number));
        assert_eq!(
            view.get(index.coordinates()).map(i32::from),
            expected.clone().ok().map(|_| written)
        );
        assert_eq!(written != 0, expected.is_ok());
        bytes.fill(0);
    }
    counts
}

#[test]
fn dynamic_layouts() {
    let layouts = [
        "u8[2,3]",
        "u8[3,2]",
        "u8[2,3]{0,1}",
        "u8[6]",
        "u8[1,2,3]",
        "u8[3,3]{1,0:T(2,2)}",
        "u8[2,2]{1,0}, padded_dimensions = [3, 4]",
        "u8[]",
        "u8[0,3]",
    ];
    // Miri takes minutes for all of them.
    let layouts: Vec<DynLayout> = layouts
        .into_iter()
        .step_by(if cfg!(miri) { 3 } else { 1 })
        .map(dyn_layout)
        .collect();
    let mut counts = [0; 2];
    for proven_for in &layouts {
        for layout in &layouts {
            let [refused, taken] = check(proven_for, layout);
            if !cfg!(miri) {
                assert_eq!(check(&proven_for, &layout), [refused, taken]);
            }
            counts = [counts[0] + refused, counts[1] + taken];
        }
    }
    // Both happen.
    assert!(counts[0] > 20 && counts[1] > 20, "{counts:?}");
}

#[test]
fn strided_layouts() {
    let layouts = ["u8[2,3]", "u8[3,2]{0,1}", "u8[5,1]", "u8[1,6]", "u8[0,3]"];
    let layouts = layouts.map(|text| {
        text.parse::<StridedLayout<[usize; 2]>>()
            .expect("it has strides")
    });
    if !cfg!(miri) {
        for proven_for in &layouts {
            for layout in &layouts {
                check(proven_for, layout);
            }
        }
    }
    assert_eq!(check(&layouts[0], &layouts[1]), [2, 4]);
}

#[test]
fn partly_typed_layouts() {
    type Rows = layout!(u8[?,3]{1,0});
    type Columns = layout!(u8[2,?]{0,1});
    type Both = layout!(u8[?,?]{1,0:T(2,2)});
    type Middle = layout!(u8[2,?,2]{1,0,2});
    const MOST: usize = if cfg!(miri) { 1 } else { 4 };
    fn each<L: ArrayLayout<Type: StoredAs<u8>>>(sizes: impl Fn(usize) -> L) -> usize {
        let mut refused = 0;
        for (proven_for, of) in (0..=MOST).flat_map(|a| (0..=MOST).map(move |b| (a, b))) {
            refused += check(&sizes(proven_for), &sizes(of))[0];
        }
        refused
    }
    let fits = "the sizes fit";
    // Of `a` rows, those from `b` on are refused, for each pair of `a` and `b`.
    let rows: usize = (0..=MOST).map(|a| (0..=a).sum::<usize>()).sum();
    assert_eq!(each(|n| Rows::with_sizes([n, 3]).expect(fits)), rows * 3);
    assert_eq!(each(|n| Columns::with_sizes([2, n]).expect(fits)), rows * 2);
    assert_eq!(
        each(|n| Middle::with_sizes([2, n, 2]).expect(fits)),
        rows * 4
    );
    assert!(each(|n| Both::with_sizes([n, MOST + 1 - n]).expect(fits)) > 0);
}

/// The layouts of slices of which the run time knows the length.
#[test]
fn slices() {
    type Rows = layout!(u8[4,6]{1,0});
    let data = [0_u8; 24];
    let view = SliceView::new(Rows::NEW, &data[..]).expect("it is as long");
    let rows = |range| view.into_slice::<0>(range).expect("it is in bounds");
    assert_eq!(check(rows(0..4).layout(), rows(1..3).layout()), [12, 12]);
    // With gaps, too.
    let columns = |range| view.into_slice::<1>(range).expect("it is in bounds");
    let [wide, narrow] = [columns(0..5), columns(2..4)];
    assert_eq!(check(wide.layout(), narrow.layout()), [12, 8]);
    assert_eq!(check(narrow.layout(), wide.layout()), [0, 8]);
}

#[test]
fn packed_elements() {
    type Nibbles = layout!(s4[?,3]{1,0:E(4)});
    let fixed = |n| Nibbles::with_sizes([n, 3]).expect("it fits");
    assert_eq!(check_packed(&fixed(3), &fixed(2)), [3, 6]);
    assert_eq!(check_packed(&fixed(1), &fixed(2)), [0, 3]);
    let layouts = ["s4[2,3]{1,0:E(4)}", "s4[5]{0:E(4)}", "s4[3,2]{0,1:E(4)}"].map(dyn_layout);
    let layouts = &layouts[..if cfg!(miri) { 2 } else { 3 }];
    for proven_for in layouts {
        for layout in layouts {
            check_packed(proven_for, layout);
        }
    }
    let [wide, narrow] = ["s4[2,4]{1,0:E(4)}", "s4[4,2]{1,0:E(4)}"].map(|text| {
        text.parse::<StridedLayout<[usize; 2]>>()
            .expect("it has strides")
    });
    assert_eq!(check_packed(&wide, &narrow), [4, 4]);
}

/// A brand makes the layout's type fix the sizes, also where the layout inside is a `DynLayout`.
#[test]
fn brands() {
    let array = Array::<u8, _>::from_fn(dyn_layout("u8[2,3]{0,1}"), |at| at[1] as u8);
    let array = array.expect("it is u8");
    array.branded(|view| {
        for (index, linear) in view.layout().indices_in_memory() {
            assert_eq!(view[linear], view[index.clone()]);
            assert_eq!(linear.to_index(view.layout()), index);
            assert_eq!(index.to_linear(view.layout()), linear);
        }
        assert!(view.layout().linear(6).is_err());
    });
    branded(dyn_layout("u8[2]"), |layout| {
        assert!(layout.index([2]).is_err() && layout.index([1]).is_ok());
    });
}

/// A linear index becomes an index of one layout by that very layout.
#[test]
fn the_index_at_a_linear_index() {
    fn at<L: ArrayLayout<Type = AnyType>>(layout: &L, linear: usize) -> Result<Vec<usize>, String> {
        match layout.index_at(linear) {
            Ok(index) => Ok(index.coordinates().as_ref().to_vec()),
            Err(layout_error) => Err(layout_error.to_string()),
        }
    }
    let tiled = dyn_layout("u8[2,3]{1,0:T(2,2)}");
    assert_eq!(at(&tiled, 6), Ok(vec![1, 2]));
    assert_eq!(
        at(&tiled, 5),
        Err(
            "linear index 5 has no element: it is in padding, or between the elements of a part; ask for the \
             linear index of an element"
                .into()
        )
    );
    assert_eq!(
        at(&tiled, 8),
        Err(
            "linear index 8 lies beyond the 8 elements that are allocated; ask for one below 8"
                .into()
        )
    );
}
