//! Layouts in types: only what is the layout of the type is read.

use xlayout::{ArrayLayout, DynCoordinates, StridedLayout, layout};

use super::{json, mistake, through_bytes, through_json};

type Dense = layout!(f32[2,3]{0,1});
type Tiled = layout!(bf16[16,256]{1,0:T(8,128)(2,1)});
type Padded = layout!(f32[2,3] <0,1>, padded_dimensions = [3, 5], padding_value = zero);
type Rows = layout!(f32[?,3]{1,0:S(1)});

#[test]
fn the_layout_of_the_type_is_read() {
    assert_eq!(
        serde_json::to_string(&layout!(f32[2,3]{0,1}))
            .ok()
            .as_deref(),
        Some("\"f32[2,3]{0,1}\"")
    );
    assert_eq!(through_json(&Dense::NEW), Ok(Dense::NEW));
    assert_eq!(through_bytes(&Dense::NEW), Ok(Dense::NEW));
    assert_eq!(through_json(&Tiled::NEW), Ok(Tiled::NEW));
    assert_eq!(through_bytes(&Tiled::NEW), Ok(Tiled::NEW));
    assert_eq!(through_json(&Padded::NEW), Ok(Padded::NEW));
    assert_eq!(through_bytes(&Padded::NEW), Ok(Padded::NEW));
    let rows = Rows::with_sizes([7, 3]).expect("it fits");
    assert_eq!(
        serde_json::to_string(&rows).ok().as_deref(),
        Some("\"f32[7,3]{1,0:S(1)}\"")
    );
    assert_eq!(through_json(&rows), Ok(rows));
    assert_eq!(through_bytes(&rows).map(|rows| rows.sizes()), Ok([7, 3]));
    // Another notation of the same memory.
    assert_eq!(json("\"f32[2,3]<0,1>\""), Ok(Dense::NEW));
    assert_eq!(json(r#"["f32",[2,3],"{0,1:L(1)}"]"#), Ok(Dense::NEW));
}

#[test]
fn strides_and_coordinates() {
    let layout: StridedLayout<2> = "f32[2,3]{0,1}".parse().expect("it has strides");
    for read in [through_json(&layout), through_bytes(&layout)] {
        assert_eq!(read.expect("it has strides").strides(), Some([1, 2]));
    }
    assert_eq!(
        mistake::<StridedLayout<3>>("\"f32[2,3]\""),
        "a layout of rank 3 is needed, but this one has rank 2; give a layout with 3 dimensions"
    );
    assert_eq!(
        mistake::<StridedLayout<2>>("\"f32[20,300]{1,0:T(8,128)}\""),
        "the layout is tiled, so that not every dimension has a stride; copy the array to a layout without tiles",
    );
    let at = DynCoordinates::from(&[1, 2][..]);
    assert_eq!(json("[1,2]").as_ref(), Ok(&at));
    assert_eq!(through_bytes(&at).as_ref(), Ok(&at));
}

#[test]
fn another_layout_is_an_error() {
    assert_eq!(
        mistake::<Dense>("\"f32[2,3]{1,0}\""),
        "expected the layout `f32[2,3]{0,1}`, found `f32[2,3]{1,0}`: the elements lie in memory in another \
         sequence: minor_to_major, tiles or padding differ; ask for the layout that the array has, or copy \
         it",
    );
    assert_eq!(
        mistake::<Dense>("\"f32[2,4]{0,1}\""),
        "expected the layout `f32[2,3]{0,1}`, found `f32[2,4]{0,1}`: dimension 1 has size 4, but size 3 is \
         needed; give it this size, or use another layout",
    );
    assert_eq!(
        mistake::<Rows>("\"f32[2,3]\""),
        "expected the layout `f32[?,3]{1,0:S(1)}`, found `f32[2,3]{1,0}`: expected an array in \
         memory space S(1), found S(0); copy the array there, or write its memory space in the layout",
    );
    assert!(mistake::<Rows>("\"f32[?,3]{1,0:S(1)}\"").contains("a dimension is `?`"));
    assert!(mistake::<Tiled>("\"bf16[16,256\"").contains("^"));
}
