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
    assert_eq!(through_bytes(&rows).map(|rows| rows.shape()), Ok([7, 3]));
    // Another notation of the same memory.
    assert_eq!(json("\"f32[2,3]<0,1>\""), Ok(Dense::NEW));
    assert_eq!(json("\"f32[2,3]{0,1:L(1)}\""), Ok(Dense::NEW));
}

#[test]
fn strides_and_coordinates() {
    let layout: StridedLayout<[usize; 2]> = "f32[2,3]{0,1}".parse().expect("it has strides");
    for read in [through_json(&layout), through_bytes(&layout)] {
        assert_eq!(read, Ok(layout));
    }
    let text = r#"[["f32",32],[2,3],[1,2],[6,true]]"#;
    assert_eq!(serde_json::to_string(&layout).expect("it is a list"), text);
    assert_eq!(
        mistake::<StridedLayout<[usize; 3]>>(text),
        "a layout of rank 3 is needed, but this one has rank 2; give a layout with 3 dimensions"
    );
    // Padding, gaps and signs are kept.
    let padded: StridedLayout<[usize; 2]> = "f32[2,3], padded_dimensions = [3,4]"
        .parse()
        .expect("it has strides");
    assert_eq!(through_json(&padded), Ok(padded));
    let sizes = DynCoordinates::from([2, 3]);
    let signed = StridedLayout::new::<i16>(sizes, [-7, 2]).expect("no two overlap");
    assert_eq!(through_json(&signed).as_ref(), Ok(&signed));
    assert_eq!(through_bytes(&signed).as_ref(), Ok(&signed));
    for (text, expected) in [
        (
            r#"[["f32",32],[2,3],[-1,2],[6,true]]"#,
            "dimension 0 has a negative stride; use `StridedLayout<_, isize>`, or copy the \
             array",
        ),
        (
            r#"[["f32",32],[2,3],[2,1],[6,true]]"#,
            "the stride 2 of dimension 0 lets elements overlap or interleave: dimensions of strides that are not larger reach linear \
             index 2; use a stride above 2, or `broadcast` for a dimension that is repeated",
        ),
        (
            r#"[["f32",32],[2,3],[1,2],[5,true]]"#,
            "linear index 5 lies beyond the 5 elements that are allocated; ask for one below 5",
        ),
    ] {
        assert_eq!(mistake::<StridedLayout<[usize; 2]>>(text), expected);
    }
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
