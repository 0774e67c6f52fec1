//! Formats for people: the text, and our words about mistakes.

use xlayout::shape::{
    Dim, Dims, List, MajorToMinor, MinorToMajor, PaddingValue, Shape, ShapeIndex, SplitConfigs,
    TileDim, Tiles,
};
use xlayout::xla::layout_util;
use xlayout::{ArrayShape, DynLayout, Layout, PrimitiveType};

use xlayout::xla::ShapeLayout;

use super::{json, mistake, through_bytes, through_json};

fn written<T: serde::Serialize>(value: &T) -> String {
    serde_json::to_string(value).expect("JSON can write anything")
}

#[test]
fn shapes_and_layouts_are_their_text() {
    for text in [
        "f32[2,3]{0,1}",
        "bf16[1000,3000]{1,0:T(8,128)(2,1)}",
        "f32[<=2,?]{0,1:L(8)E(64)S(5)SC(0:1)(1:2,3)M(4)}",
        "f32[2,3]{0,1}, padded_dimensions = [3, 5], padding_value = lowest",
        "f32[]",
        "f32[]{:T(256)}",
        "pred[0]{0}",
    ] {
        let array: ArrayShape = text.parse().expect(text);
        assert_eq!(written(&array), format!("{text:?}"));
        assert_eq!(through_json(&array).as_ref(), Ok(&array));
        assert_eq!(through_bytes(&array).as_ref(), Ok(&array));
        // An array is a shape, too, and written in the same way.
        let shape = Shape::from(array.clone());
        assert_eq!(written(&shape), format!("{text:?}"));
        assert_eq!(json(&format!("{text:?}")), Ok(shape));
        let layout = array.layout.expect("it has one");
        assert_eq!(written(&layout), format!("\"{layout}\""));
        assert_eq!(through_json(&layout).as_ref(), Ok(&layout));
        assert_eq!(through_bytes(&layout), Ok(layout));
    }
    let text = "(f32[2]{0}, (), token[], (opaque[], b(s4[3]{0:E(4)})), pred[], /*index=5*/u8[])";
    let shape: Shape = text.parse().expect(text);
    assert_eq!(written(&shape), format!("{text:?}"));
    assert_eq!(through_bytes(&shape), Ok(shape.clone()));
    let layout = through_json(&ShapeLayout::new(shape.clone())).expect("it is valid");
    assert_eq!(layout.shape(), &shape);
    // What people write is read by the rules of the text.
    assert_eq!(
        json("\"f32[2,3] <0,1>\""),
        json::<Shape>("\"f32[2,3]{0,1}\"")
    );
    assert_eq!(json("\"f32[2,3]\""), json::<DynLayout>("\"f32[2,3]{1,0}\""));
}

#[test]
fn parts_are_words_and_lists() {
    fn check<T: serde::Serialize + serde::de::DeserializeOwned + PartialEq + std::fmt::Debug>(
        value: T,
        text: &str,
    ) {
        assert_eq!(written(&value), text);
        assert_eq!(through_json(&value).as_ref(), Ok(&value));
        assert_eq!(through_bytes(&value), Ok(value));
    }
    for known in PrimitiveType::all() {
        check(known, &format!("{:?}", known.name()));
    }
    for (name, value) in PaddingValue::NAMES {
        check(value, &format!("{name:?}"));
    }
    let layout: Layout = "{1,0:T(8,128)(*,2)SC(0:30)(1:40,130)}"
        .parse()
        .expect("it is one");
    check(layout.minor_to_major.clone(), "[1,0]");
    check(
        MajorToMinor::new(&[0, 1]).expect("there is a heap"),
        "[0,1]",
    );
    check(layout.tiles, r#"[[8,128],["*",2]]"#);
    assert_eq!(written(&layout.split_configs.get(1)), "[1,[40,130]]");
    check(layout.split_configs, "[[0,[30]],[1,[40,130]]]");
    check(Tiles::new(), "[]");
    check(SplitConfigs::new(), "[]");
    check(MinorToMajor::default(), "[]");
    check(ShapeIndex::from([1, 0]), "[1,0]");
    check(ShapeIndex::from([7; 9]), "[7,7,7,7,7,7,7,7,7]");
    let dims = [Dim::Static(2), Dim::Bounded(3), Dim::Unbounded];
    check::<Dims>(
        List::try_from_iter(dims).expect("they fit"),
        r#"[2,"<=3","?"]"#,
    );
    check(TileDim::Combine, r#""*""#);
    assert_eq!(json(r#"-9223372036854775808"#), Ok(TileDim::Combine));
}

#[test]
fn what_has_no_text_is_a_structure() {
    let mut shape: Shape = "(f32[2]{0}, (s32[3,<=4]{0,1}, token[]), b(u8[]))"
        .parse()
        .expect("it is one");
    let Some(members) = shape.tuple_shapes_mut() else {
        panic!("it is a tuple")
    };
    layout_util::any::clear_layout(&mut members[1]);
    let text = concat!(
        r#"[["tuple",[],null,3],["f32",[2],"{0}",0],["tuple",[],null,2],["s32",[3,"<=4"],null,0],"#,
        r#"["token",[],null,0],["buffer",[],null,1],["u8",[],"{}",0]]"#,
    );
    assert_eq!(written(&shape), text);
    assert_eq!(through_json(&shape).as_ref(), Ok(&shape));
    assert_eq!(through_bytes(&shape).as_ref(), Ok(&shape));
    layout_util::any::clear_layout(&mut shape);
    assert_eq!(through_json(&shape).as_ref(), Ok(&shape));
    assert_eq!(through_bytes(&shape), Ok(shape));
    let array: ArrayShape = json(r#"["f32",[2,3],"{0,1}"]"#).expect("it is valid");
    assert_eq!(array.to_string(), "f32[2,3]{0,1}");
    // A number that the text leaves out, since it means what 0 means.
    let mut layout = Layout::default();
    layout.dynamic_shape_metadata_prefix_bytes = -1;
    assert_eq!(through_json(&layout), Ok(layout));
}

#[test]
fn mistakes_in_words() {
    let words = [
        (
            mistake::<ArrayShape>("\"f32[2,3]{1,2}\""),
            "minor_to_major counts dimensions from 1\n  f32[2,3]{1,2}\n          ^^^^^\n\
             help: dimensions count from 0: did you mean `{0,1}`?",
        ),
        (
            mistake::<Shape>("\"(fp32[2])\""),
            "unknown element type `fp32`\n  (fp32[2])\n   ^^^^\nhelp: write `f32`",
        ),
        (
            mistake::<DynLayout>("\"f32[?]{0}\""),
            "a dimension is `?`, so that nothing can be addressed yet; give its size: \
             `DynLayout::with_sizes(&shape, &[…])`",
        ),
        (
            mistake::<ArrayShape>("7"),
            "invalid type: integer `7`, expected the shape of an array, such as `f32[2,3]{1,0}`",
        ),
        (
            mistake::<Shape>("{}"),
            "invalid type: map, expected a shape such as `f32[2,3]{1,0}` or `(f32[2], token[])`",
        ),
        (
            mistake::<ArrayShape>(r#"["f32",[2,3]]"#),
            "invalid length 2, expected the shape of an array, such as `f32[2,3]{1,0}`",
        ),
        (
            mistake::<ArrayShape>(r#"["f32",[2,3],"{1,1}"]"#),
            "minor_to_major lists dimension 1 more than once and lacks dimension 0; list every dimension \
             once, the one that varies fastest first",
        ),
        (
            mistake::<ArrayShape>(r#"["f32",[2,-3],null]"#),
            "invalid value: integer `-3`, expected the size of a dimension: a number from 0, `<=` \
             and a number, or `?`",
        ),
        (
            mistake::<Dims>(r#"["<=x"]"#),
            "invalid value: string \"<=x\", expected the size of a dimension: a number from 0, \
             `<=` and a number, or `?`",
        ),
        (
            mistake::<ArrayShape>(r#"["token",[],null]"#),
            "an array cannot have elements of type `token`; write a type of numbers such as `f32`, or `pred`",
        ),
        (
            mistake::<Shape>(r#"[["token",[2],null,0]]"#),
            "a shape of type `token` with dimensions: 1, layout: no, members: 0; only arrays have \
             dimensions and a layout, only tuples have members, and a buffer has one, an array",
        ),
        (
            mistake::<PrimitiveType>("\"float\""),
            "unknown element type `float` (at byte 0); write `f32`",
        ),
        (
            mistake::<PaddingValue>("\"ZERO_PAD\""),
            "unknown padding value `ZERO_PAD` (at byte 0); did you mean `zero`?",
        ),
        (
            mistake::<Tiles>("[[-1]]"),
            "invalid value: integer `-1`, expected an entry of a tile: a number from 0, or `*`",
        ),
    ];
    for (found, expected) in words {
        assert_eq!(found, expected);
    }
}
