//! Formats for people: the text, and our words about mistakes.

use xlayout::shape::{List, MinorToMajor, PaddingValue, Shape, ShapeIndex};
use xlayout::{ArrayShape, DynLayout, ElementType, Layout};

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
    // Files that people write are read by the rules of the text.
    assert_eq!(
        json("\"f32[2,3] <0,1>\""),
        json::<Shape>("\"f32[2,3]{0,1}\"")
    );
    assert_eq!(json("\"f32[2,3]\""), json::<DynLayout>("\"f32[2,3]{1,0}\""));
}

#[test]
fn names_and_lists_of_numbers() {
    fn check<T: serde::Serialize + serde::de::DeserializeOwned + PartialEq + std::fmt::Debug>(
        value: T,
        text: &str,
    ) {
        assert_eq!(written(&value), text);
        assert_eq!(through_json(&value).as_ref(), Ok(&value));
        assert_eq!(through_bytes(&value), Ok(value));
    }
    for known in ElementType::all() {
        check(known, &format!("{:?}", known.name()));
    }
    for (name, value) in PaddingValue::NAMES {
        check(value, &format!("{name:?}"));
    }
    let order = MinorToMajor::new(&[1, 0]).expect("there is a heap");
    check(order, "[1,0]");
    check(MinorToMajor::default(), "[]");
    check(ShapeIndex::from([1, 0]), "[1,0]");
    check(ShapeIndex::from([7; 9]), "[7,7,7,7,7,7,7,7,7]");
    let numbers = List::try_from_iter([7_i64, 8]).expect("they fit");
    check::<List<i64, 4>>(numbers, "[7,8]");
}

#[test]
fn a_prefix_below_0_is_none() {
    let mut layout = Layout::default();
    layout.dynamic_shape_metadata_prefix_bytes = -1;
    assert_eq!(through_json(&layout), Ok(Layout::default()));
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
            "invalid type: sequence, expected the shape of an array, such as `f32[2,3]{1,0}`",
        ),
        (
            mistake::<Layout>("\"{0,1:L(0)}\""),
            "the tail padding alignment is 0\n  {0,1:L(0)}\n         ^\nhelp: write 1 or more elements, or leave `L(…)` out for none",
        ),
        (
            mistake::<List<u8, 4>>("[1,-1]"),
            "invalid value: integer `-1`, expected u8",
        ),
        (
            mistake::<ElementType>("\"float\""),
            "unknown element type `float`\n  float\n  ^^^^^\nhelp: write `f32`",
        ),
        (
            mistake::<PaddingValue>("\"ZERO_PAD\""),
            "unknown padding value `ZERO_PAD`\n  ZERO_PAD\n  ^^^^^^^^\nhelp: did you mean `zero`?",
        ),
    ];
    for (found, expected) in words {
        assert_eq!(found, expected);
    }
}
