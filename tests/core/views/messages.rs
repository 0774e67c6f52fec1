//! The messages of errors of layouts and views.

use xlayout::{Array, DynLayout, LayoutError, SliceView, StridedLayout, layout};

use super::dyn_layout;

/// A message is true, and says what to write.
#[test]
fn messages_of_layouts_and_views() {
    let tiled = || dyn_layout("f32[2,3]{1,0:T(2,2)}");
    let array = Array::<f32, _>::zeros(tiled()).expect("there is memory");
    let elements = "the slice has 8 items, but the array has 6 elements (padding not included); pass a slice of \
                    exactly that length";
    let of_rank_1 =
        "a layout of rank 3 is needed, but this one has rank 1; give a layout with 3 dimensions";
    let says = |found: Result<(), LayoutError>, text: &str| {
        assert_eq!(found.expect_err(text).to_string(), text);
    };
    let none = |_| ();
    says(array.to_row_major(&mut [0.0; 8]), elements);
    says(
        Array::from_row_major(tiled(), &[0.0_f32; 8]).map(|_| ()),
        elements,
    );
    says(dyn_layout("f32[2]").ranked::<3>().map(|_| ()), of_rank_1);
    says(
        StridedLayout::<[usize; 3]>::of(&dyn_layout("f32[2]")).map(|_| ()),
        of_rank_1,
    );
    says(
        <layout!(f32[?,2,3])>::try_from(&dyn_layout("f32[2]")).map(none),
        of_rank_1,
    );
    says(
        DynLayout::with_sizes(&"f32[?,3]".parse().expect("it is a shape"), &[2]).map(|_| ()),
        "the number of sizes is 1, but the layout has rank 2; give one for each dimension",
    );
    says(
        DynLayout::with_sizes(&"f32[?,3]".parse().expect("it is a shape"), &[2, 4]).map(|_| ()),
        "dimension 1 has size 4, but size 3 is needed; give it this size, or use another layout",
    );
    let rows = array.clone().ranked::<2>().expect("it has rank 2");
    says(
        rows.to_nested::<[[f32; 3]; 1], 2>().map(|_| ()),
        "dimension 0 has size 1, but size 2 is needed; give it this size, or use another layout",
    );
    let of_bits = |text: &str| SliceView::<f32, _>::from_bytes(dyn_layout(text), &[]).map(|_| ());
    says(
        of_bits("f32[2]{0:E(64)}"),
        "the layout gives each element 64 bits, but 32 are needed; write E(32)",
    );
    says(
        SliceView::<i8, _>::from_bytes(dyn_layout("s8[2]{0:E(4)}"), &[]).map(|_| ()),
        "the layout gives each element 4 bits, but 8 are needed; use a packed view",
    );
}
