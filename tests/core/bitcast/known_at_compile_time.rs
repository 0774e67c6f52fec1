//! Law 3 of the crate, for bitcasts: layouts as types answer what their dynamic twins answer.

use xlayout::bitcast;
use xlayout::bitcast::{Bitcast, ElementTypes};
use xlayout::xla::shape_util;
use xlayout::{Array, ConstLayout, DynLayout, SliceView, layout};

/// Asks both ways, and compares.
fn ask<A: ConstLayout + Into<DynLayout>, B: ConstLayout + Into<DynLayout>>(
    reshape: bool,
    transpose: bool,
) {
    assert_eq!(
        Bitcast::<A, B>::IS_RESHAPE,
        reshape,
        "{} to {}",
        A::NEW.array_shape(),
        B::NEW.array_shape()
    );
    let a = A::NEW.array_shape();
    let b = B::NEW.array_shape();
    assert_eq!(
        shape_util::reshape_is_bitcast(&a, &b, ElementTypes::Compared),
        Ok(reshape)
    );
    let deduced = bitcast::deduce_transpose_dimensions_for_bitcast(&a, &b).unwrap();
    assert_eq!(
        deduced.is_some() && a.element_type == b.element_type,
        transpose
    );
    if let Some(permutation) = deduced {
        let obstacle = bitcast::transpose_obstacle(&a, &b, &permutation, ElementTypes::Compared);
        assert_eq!(obstacle.map(|obstacle| obstacle.is_none()), Ok(transpose));
    }
}

#[test]
fn as_their_dynamic_twins() {
    ask::<layout!(f32[2,3]), layout!(f32[6])>(true, false);
    ask::<layout!(f32[2,3]{0,1}), layout!(f32[6])>(false, false);
    ask::<layout!(f32[2,3]{0,1}), layout!(f32[3,2])>(false, true);
    ask::<layout!(f32[2,3]), layout!(s32[6])>(false, false);
    ask::<layout!(f32[2,3]), layout!(f32[2,3] <1,0>, padded_dimensions = [2, 4])>(false, false);
    ask::<
        layout!(f32[2,3] <1,0>, padded_dimensions = [2, 4]),
        layout!(f32[1,2,3] <2,1,0>, padded_dimensions = [1, 2, 4]),
    >(true, false);
    ask::<layout!(f32[16,256]{1,0:T(8,128)}), layout!(f32[2,8,2,128]{3,1,2,0})>(true, false);
    ask::<layout!(f32[16,256]{1,0:T(8,128)}), layout!(f32[4096])>(false, false);
    ask::<layout!(bf16[16,256]{1,0:T(8,128)(2,1)}), layout!(bf16[256,16]{0,1:T(8,128)(2,1)})>(
        false, true,
    );
    ask::<layout!(bf16[16,256]{1,0:T(8,128)(2,1)}), layout!(bf16[256,16]{0,1:T(8,128)})>(
        false, false,
    );
    // A tile over the edge: the dimension must stay whole, or be cut where tiles are.
    ask::<layout!(f32[5,3]{0,1:T(2)}), layout!(f32[5,1,3]{0,2,1:T(2)})>(true, false);
    ask::<layout!(f32[6,10]{1,0:T(4)}), layout!(f32[2,3,10]{2,1,0:T(4)})>(true, false);
    ask::<layout!(f32[60]{0:T(4)}), layout!(f32[6,10]{1,0:T(4)})>(false, false);
    // Widths, memories, alignment.
    ask::<layout!(s4[8]{0:E(4)}), layout!(s4[2,4]{1,0:E(4)})>(true, false);
    ask::<layout!(s4[8]{0:E(4)}), layout!(s4[2,4]{1,0})>(false, false);
    ask::<layout!(f32[8]{0:S(1)}), layout!(f32[2,4])>(false, false);
    ask::<layout!(f32[6]{0:L(8)}), layout!(f32[2,3]{1,0:L(4)})>(true, false);
    ask::<layout!(f32[6]{0:L(8)}), layout!(f32[2,3])>(false, false);
    // Parts in several memories.
    ask::<layout!(f32[8,4]{1,0:SC(0:4)}), layout!(f32[4,8]{0,1:SC(0:4)})>(false, true);
    ask::<layout!(f32[8,4]{1,0:SC(0:4)}), layout!(f32[4,8]{0,1:SC(0:2)})>(false, false);
    ask::<layout!(f32[8,4]{1,0:SC(0:4)}), layout!(f32[32]{0:SC(0:16)})>(false, false);
    // Run-time sizes.
    ask::<layout!(f32[<=4,3]), layout!(f32[<=12])>(true, false);
    ask::<layout!(f32[3,<=4]), layout!(f32[<=12])>(false, false);
    ask::<layout!(f32[<=4,3]), layout!(f32[12])>(false, false);
    ask::<layout!(f32[2,3,<=4]), layout!(f32[6,1,<=4])>(true, false);
    ask::<layout!(f32[<=4,3]), layout!(f32[3,<=4]{0,1})>(false, true);
    ask::<layout!(f32[<=4,3]{1,0:M(8)}), layout!(f32[3,<=4]{0,1:M(8)})>(false, false);
    ask::<layout!(f32[<=4,3]{1,0:M(8)}), layout!(f32[<=12]{0:M(8)})>(false, false);
    ask::<layout!(f32[<=4,3]{1,0:M(8)}), layout!(f32[<=4,3]{1,0:M(8)})>(true, true);
    // Nothing, and one.
    ask::<layout!(f32[0,3]), layout!(f32[7,0,2]{0,1,2})>(true, false);
    ask::<layout!(f32[0,3]), layout!(f32[3,0])>(true, true);
    ask::<layout!(f32[]), layout!(f32[1,1])>(true, false);
    ask::<layout!(f32[]), layout!(f32[])>(true, true);
    ask::<layout!(f32[1,5]), layout!(f32[5,1])>(true, true);
}

#[test]
fn the_same_elements_in_another_shape() {
    let array =
        Array::from_fn(layout!(s32[4,6]{1,0:T(2,3)}), |&[y, x]| (10 * y + x) as i32).unwrap();
    let tiles = array.as_view().reshape(layout!(s32[2,2,2,3]{3,1,2,0}));
    let transposed = array.as_view().transpose(layout!(s32[6,4]{0,1:T(2,3)}));
    for (y, x) in (0..4).flat_map(|y| (0..6).map(move |x| (y, x))) {
        assert_eq!(tiles[[y / 2, y % 2, x / 3, x % 3]], array[[y, x]]);
        assert_eq!(transposed[[x, y]], array[[y, x]]);
    }
    // Owned and mutable arrays change their shape alike.
    let mut flat = Array::from_fn(layout!(s32[4,6]), |&[y, x]| (6 * y + x) as i32)
        .unwrap()
        .reshape(layout!(s32[24]));
    flat.as_view_mut().reshape(layout!(s32[2,12]))[[1, 0]] = -1;
    assert_eq!(flat[[12]], -1);
}

#[test]
fn at_run_time() {
    let a: DynLayout = "f32[<=4,3]".parse().unwrap();
    let view = SliceView::new(&a, &[0.0_f32; 12][..]).unwrap();
    let message = |text: &str| {
        let layout: DynLayout = text.parse().unwrap();
        view.try_reshape(layout)
            .map(|_| ())
            .unwrap_err()
            .to_string()
    };
    assert_eq!(
        message("s32[12]"),
        "no bitcast: the element type f32 would become s32; keep the type, or convert the elements"
    );
    assert_eq!(
        message("f32[11]"),
        "no bitcast: 12 elements would become 11; use sizes of the same product"
    );
    assert_eq!(
        message("f32[12]{0:T(8)}"),
        "no bitcast: 12 elements are allocated, padding included, but 16 would be; use a layout that pads alike",
    );
    assert_eq!(
        message("f32[12]{0:S(1)}"),
        "no bitcast: the array would lie in another memory; copy it there"
    );
    assert_eq!(
        message("f32[12]{0:E(64)}"),
        "no bitcast: elements of 32 bits would become elements of 64; write the same E(…)"
    );
    let columns: DynLayout = "f32[3,<=4]{0,1}".parse().unwrap();
    assert!(view.try_transpose(&[1, 0], columns.clone()).is_ok());
    assert!(view.try_transpose([1, 0], columns.clone()).is_ok());
    for wrong in [
        &[0, 1][..],
        &[0, 0],
        &[0],
        &[1, 2],
        &[usize::MAX, 0],
        &[0; 99],
    ] {
        let error = view
            .try_transpose(wrong, columns.clone())
            .unwrap_err()
            .to_string();
        assert!(
            error.contains("no transpose of the input by that permutation"),
            "{error}"
        );
    }
}

#[test]
fn what_is_no_bitcast_stops() {
    type Rows = layout!(f32[2,3]{1,0});
    type Columns = layout!(f32[2,3]{0,1});
    type Flat = layout!(f32[6]{0});
    let message = |assert: fn()| {
        let payload = std::panic::catch_unwind(assert).err()?;
        Some(payload.downcast_ref::<String>()?.clone())
    };
    assert_eq!(message(Bitcast::<Rows, Flat>::assert_reshape), None);
    let found = message(Bitcast::<Columns, Flat>::assert_reshape).unwrap();
    assert!(
        found.starts_with("a reshape from [2, 3] to [6] is no bitcast"),
        "{found}"
    );
    let found = message(Bitcast::<Columns, Flat>::assert_transpose).unwrap();
    assert!(
        found.starts_with("a transpose from [2, 3] to [6] is no bitcast"),
        "{found}"
    );
}

/// A list of another length than the rank is no permutation.
#[test]
fn a_permutation_has_the_rank() {
    type Rows = layout!(f32[2,3]{1,0});
    assert_eq!(Bitcast::<Rows, Rows>::transpose::<2>(), Some([0, 1]));
    assert_eq!(Bitcast::<Rows, Rows>::transpose::<1>(), None);
    assert_eq!(Bitcast::<Rows, Rows>::transpose::<3>(), None);
}
