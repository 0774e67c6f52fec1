//! Examples: threads, slices, layouts that differ by their terms only, broadcast arrays.

use super::*;

/// The example of the fault: each thread writes to its part only.
#[test]
fn threads_write_to_their_parts_of_tiles_that_do_not_divide() {
    let layout: DynLayout = "s32[3,4]{0,1:T(3,1)(2)(*,2,1)}".parse().unwrap();
    let mut whole = Array::<i32, _>::zeros(layout).unwrap();
    let from = Array::new("s32[1,4]".parse::<DynLayout>().unwrap(), vec![7; 4]).unwrap();
    let (mut left, mut right) = whole.split_at_mut::<0>(1).unwrap();
    std::thread::scope(|scope| {
        scope.spawn(move || relayout(&from, &mut left).unwrap());
        scope.spawn(move || right.for_each_in_memory_mut(|_, x| *x += 1));
    });
    for index in whole.layout().indices() {
        let expected = if index.coordinates()[0] == 0 { 7 } else { 1 };
        assert_eq!(whole[index], expected);
    }
}

/// Groups of three of four rows that lie in turn, short panels and single elements of a part in
/// tiles. Another thread writes to the last row, which lies between them.
#[test]
fn threads_write_between_rows_of_tiles() {
    for (dims, other, tiled) in [
        ([4, 40], "{1,0}", "{1,0:T(4,40)(4,1)}"),
        ([6, 80], "{0,1}", "{1,0:T(64)(16)(4,1)}"),
        ([3, 40], "{0,1:T(8,128)(4,1)}", "{1,0:T(1,64)(2,1)}"),
    ] {
        let rows = dims[0] - 1;
        let read = |rows, layout| read(&format!("u8[{rows},{}]", dims[1]), layout);
        let number = |at: &[usize]| (7 * at[0] + at[1]) as u8;
        let from = Array::from_fn(read(rows, other), |at| number(at)).unwrap();
        let mut back = Array::<u8, _>::zeros(from.layout().clone()).unwrap();
        let mut whole = Array::<u8, _>::zeros(read(rows + 1, tiled)).unwrap();
        let (mut first, mut last) = whole.split_at_mut::<0>(rows).unwrap();
        std::thread::scope(|scope| {
            scope.spawn(|| {
                let plan = Plan::new(from.layout(), first.layout()).unwrap();
                plan.run_views(&from, &mut first).unwrap();
                let plan = Plan::new(first.layout(), back.layout()).unwrap();
                plan.run_views(&first, &mut back).unwrap();
            });
            scope.spawn(move || last.for_each_in_memory_mut(|_, x| *x += 200));
        });
        assert_eq!(back, from);
        for index in whole.layout().indices() {
            let at = index.coordinates();
            let expected = if at[0] == rows { 200 } else { number(at) };
            assert_eq!(whole[index], expected);
        }
    }
}

/// Slices of typed layouts, which may have gaps, and parts of them.
#[test]
fn parts_of_slices() {
    let by = By::Once;
    let other = "{0,1}";
    let cuts = [
        vec![],
        vec![Cut::Split {
            dim: 0,
            at: 2,
            right: true,
        }],
        vec![Cut::Signed {
            dim: 1,
            start: 0,
            end: 1000,
            step: -1,
        }],
    ];
    macro_rules! slice {
        ($layout:ty, $dim:literal, $start:literal, $len:literal) => {
            for cuts in &cuts {
                whole::<u32, _>(<$layout>::default(), other, &by, |whole, law| {
                    let mut slice = whole.as_view_mut().into_const_slice::<$dim, $start, $len>();
                    law.narrow(&mut (*slice).as_view_mut(), cuts);
                });
            }
        };
    }
    slice!(Dense, 0, 2, 3);
    slice!(Dense, 1, 2, 7);
    slice!(PaddedRows, 1, 3, 4);
    slice!(Tiled, 0, 4, 3);
}

/// Layouts of equal modes that merge other coordinates are not one layout: a plan is not for the
/// other one.
#[test]
fn terms_tell_layouts_apart() {
    let layouts = ["{0,1:T(4,*,2)}", "{1,0:T(2,*,2)(3)(2)}"].map(|text| read("u16[3,3]", text));
    assert_eq!(layouts[0].mode_table(), layouts[1].mode_table());
    let dense = read("u16[3,3]", "");
    let arrays = layouts
        .each_ref()
        .map(|layout| Array::from_fn(layout.clone(), |at| (10 * at[0] + at[1]) as u16).unwrap());
    for (this, other) in [(&arrays[0], &arrays[1]), (&arrays[1], &arrays[0])] {
        let mut out = Array::<u16, _>::zeros(dense.clone()).unwrap();
        let plan = Plan::new(this.layout(), &dense).unwrap();
        let why = plan.run_views(other, &mut out).unwrap_err();
        assert!(matches!(why, RelayoutError::OtherLayout { .. }), "{why}");
        for array in [this, other] {
            out.fill(0);
            let plan = Plan::new(array.layout(), &dense).unwrap();
            plan.run_views(array, &mut out).unwrap();
            assert_eq!(&out, array);
        }
        // In place, too, their elements are at other places.
        let mut memory = this.memory().to_vec();
        relayout_in_place(&mut memory, this.layout(), other.layout()).unwrap();
        assert_eq!(&SliceView::new(other.layout(), &memory[..]).unwrap(), other);
    }
}

/// In place, elements that are one element before have no places of their own.
#[test]
fn a_broadcast_array_is_not_copied_in_place() {
    let row = Array::<u16, _>::zeros(read("u16[1,3]", "{1,0:T(8,4)}")).unwrap();
    let rows = row.broadcast::<0>(4).unwrap();
    let to = read("u16[4,3]", "{1,0:T(8,4)}");
    let before: Vec<u16> = (0..32).map(u16::of).collect();
    let mut memory = before.clone();
    let refused = relayout_in_place(&mut memory, rows.layout(), &to);
    assert_eq!(
        (refused, memory),
        (Err(RelayoutError::OutsideSlice), before)
    );
}
