//! Wrong messages give errors that name the field; old ones are read.

use crate::wire::{bytes, shown, varint};
use xlayout_core::{ArrayShape, Layout, Shape};
use xlayout_proto::{ProgramShape, Proto};

/// An f32[2,3] whose layout has these bytes behind its minor_to_major.
fn with_layout(more: &[u8]) -> Vec<u8> {
    [
        &b"\x10\x0b\x1a\x02\x02\x03"[..],
        &bytes(5, &[b"\x0a\x02\x01\x00", more].concat()),
    ]
    .concat()
}

/// The words for bytes that are read as a `Shape`.
fn shape_error(bytes: &[u8]) -> String {
    match Shape::from_proto_bytes(bytes) {
        Ok(shape) => format!("read as {shape}"),
        Err(error) => shown(&error),
    }
}

#[test]
fn shapes() {
    let token = b"\x10\x11";
    let f32_2 = b"\x10\x0b\x1a\x01\x02";
    let tuple_of = |member: &[u8]| [&b"\x10\x0d"[..], &bytes(4, token), &bytes(4, member)].concat();
    let table: Vec<(Vec<u8>, &str)> = vec![
        // No message at all.
        (
            b"f32[2,3]{1,0}".to_vec(),
            "the bytes are no ShapeProto: invalid wire type value: 6",
        ),
        (
            b"\x10".to_vec(),
            "the bytes are no ShapeProto: `element_type`: invalid varint",
        ),
        (
            b"\x00".to_vec(),
            "the bytes are no ShapeProto: invalid tag value: 0",
        ),
        (
            b"\x1a\xff\xff\xff\xff\x0f\x01".to_vec(),
            "the bytes are no ShapeProto: `dimensions`: buffer underflow",
        ),
        (
            b"\x10\x0b\x1a\x02\x80\x80".to_vec(),
            "the bytes are no ShapeProto: `dimensions`: invalid varint",
        ),
        (
            b"\x12\x01\x0b".to_vec(),
            "the bytes are no ShapeProto: `element_type`: invalid wire type: LengthDelimited (expected Varint)",
        ),
        (
            tuple_of(&bytes(5, b"\x0a\x09\x00")),
            "the bytes are no ShapeProto: `tuple_shapes.layout.minor_to_major`: buffer underflow",
        ),
        // Element types.
        (
            vec![],
            "`element_type` is missing, or 0 (PRIMITIVE_TYPE_INVALID)",
        ),
        (
            b"\x10\x00".to_vec(),
            "`element_type` is missing, or 0 (PRIMITIVE_TYPE_INVALID)",
        ),
        (
            b"\x10\x63".to_vec(),
            "`element_type` is 99, but no ElementType has this number",
        ),
        (
            varint(2, -1),
            "`element_type` is -1, but no ElementType has this number",
        ),
        (
            tuple_of(&[]),
            "`tuple_shapes[1].element_type` is missing, or 0 (PRIMITIVE_TYPE_INVALID)",
        ),
        // Sizes.
        (
            b"\x10\x0b\x1a\x0a\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01".to_vec(),
            "`dimensions[0]` is -1, but a size cannot be negative",
        ),
        (
            [&b"\x10\x0b\x18\x02"[..], &varint(3, i64::MIN)].concat(),
            "`dimensions[1]` is -9223372036854775808, which marks an unbounded dimension, but the dimension is not dynamic",
        ),
        (
            [&b"\x10\x0b"[..], &varint(3, -5), b"\x30\x01"].concat(),
            "`dimensions[0]` is -5, but a size cannot be negative",
        ),
        (
            b"\x10\x0b\x1a\x02\x02\x03\x32\x01\x00".to_vec(),
            "`is_dynamic_dimension` has 1 entry, but the shape has 2 dimensions",
        ),
        (
            b"\x10\x0b\x32\x02\x00\x00".to_vec(),
            "`is_dynamic_dimension` has 2 entries, but the shape has 0 dimensions",
        ),
        // Fields that do not go together.
        (
            [f32_2, &bytes(4, token)[..]].concat(),
            "`tuple_shapes` is set, but an array has none",
        ),
        (
            b"\x10\x11\x1a\x01\x02".to_vec(),
            "`dimensions` is set, but a token has none",
        ),
        (
            b"\x10\x11\x2a\x00".to_vec(),
            "`layout` is set, but a token has none",
        ),
        (
            b"\x10\x0e\x22\x02\x10\x11".to_vec(),
            "`tuple_shapes` is set, but an opaque value has none",
        ),
        (
            tuple_of(b"\x10\x0d\x2a\x00"),
            "`tuple_shapes[1].layout` is set, but a tuple has none",
        ),
        (
            b"\x10\x0d\x32\x01\x00".to_vec(),
            "`is_dynamic_dimension` is set, but a tuple has none",
        ),
        (
            b"\x10\x22".to_vec(),
            "`tuple_shapes` holds 0 shapes, but a buffer holds exactly one",
        ),
        (
            [&b"\x10\x22"[..], &bytes(4, f32_2), &bytes(4, f32_2)].concat(),
            "`tuple_shapes` holds 2 shapes, but a buffer holds exactly one",
        ),
        (
            [&b"\x10\x22"[..], &bytes(4, token)].concat(),
            "`tuple_shapes[0].element_type` is 17, a token, where an array is required",
        ),
        (
            [&b"\x10\x22"[..], &bytes(4, f32_2), b"\x2a\x00"].concat(),
            "`layout` is set, but a buffer has none",
        ),
        // Layouts.
        (
            b"\x10\x0b\x1a\x02\x02\x03\x2a\x03\x0a\x01\x00".to_vec(),
            "`layout.minor_to_major` has 1 entry, but the shape has 2 dimensions",
        ),
        (
            tuple_of(b"\x10\x0b\x1a\x01\x02\x2a\x00"),
            "`tuple_shapes[1].layout.minor_to_major` has 0 entries, but the shape has 1 dimension",
        ),
        (
            with_layout(b"\x12\x01\x05"),
            "`layout.padded_dimensions` has 1 entry, but the shape has 2 dimensions",
        ),
        (
            with_layout(b"\x18\x06"),
            "`layout.padding_value` is 6, but no PaddingValue has this number",
        ),
        (
            with_layout(b"\x20\x00"),
            "`layout.format` is 0, but no Format has this number",
        ),
        (
            with_layout(b"\x20\x02"),
            "`layout.format` makes the array sparse, but only dense arrays can be read",
        ),
        (
            with_layout(b"\x20\x03"),
            "`layout.format` is 3, but no Format has this number",
        ),
        (
            with_layout(b"\x28\x07"),
            "`layout.max_sparse_elements` makes the array sparse, but only dense arrays can be read",
        ),
        (
            with_layout(&bytes(6, &varint(1, -1))),
            "`layout.tiles[0].dimensions[0]` is -1, but a size cannot be negative",
        ),
        (
            with_layout(
                &[
                    bytes(6, b"\x0a\x01\x08"),
                    bytes(6, &[varint(1, i64::MIN), varint(1, -8)].concat()),
                ]
                .concat(),
            ),
            "`layout.tiles[1].dimensions[1]` is -8, but a size cannot be negative",
        ),
        (
            with_layout(&varint(8, 128)),
            "`layout.memory_space` is 128, which does not fit in 8 bits",
        ),
        (
            with_layout(&varint(8, -129)),
            "`layout.memory_space` is -129, which does not fit in 8 bits",
        ),
        (
            with_layout(b"\x4a\x02\x00\x01"),
            "`layout.dim_level_types[1]` makes the array sparse, but only dense arrays can be read",
        ),
        (
            with_layout(b"\x48\x09"),
            "`layout.dim_level_types[0]` is 9, but no DimLevelType has this number",
        ),
        (
            with_layout(b"\x48\x00"),
            "`layout.dim_level_types` has 1 entry, but the shape has 2 dimensions",
        ),
        (
            with_layout(b"\x52\x00"),
            "`layout.physical_shape` makes the array sparse, but only dense arrays can be read",
        ),
        (
            with_layout(b"\x58\x63"),
            "`layout.index_primitive_type` is 99, but no ElementType has this number",
        ),
        (
            with_layout(b"\x60\x63"),
            "`layout.pointer_primitive_type` is 99, but no ElementType has this number",
        ),
        (
            with_layout(b"\x6a\x02\x01\x00"),
            "`layout.dim_unique[1]` makes the array sparse, but only dense arrays can be read",
        ),
        (
            with_layout(b"\x70\x00"),
            "`layout.dim_ordered[0]` makes the array sparse, but only dense arrays can be read",
        ),
        (
            with_layout(&varint(16, -8)),
            "`layout.tail_padding_alignment_in_elements` is -8, but must be at least 1",
        ),
    ];
    for (bytes, words) in table {
        assert_eq!(shape_error(&bytes), words, "{bytes:02x?}");
    }
}

/// What old files say, and what XLA takes for a default.
#[test]
fn read_all_the_same() {
    let layouts: Vec<(Vec<u8>, &str)> = vec![
        (vec![], "{1,0}"),
        // Padding: packed, one by one, in pieces; with its value.
        (
            b"\x12\x02\x03\x05".to_vec(),
            "{1,0}, padded_dimensions = [3, 5]",
        ),
        (
            b"\x10\x03\x10\x05".to_vec(),
            "{1,0}, padded_dimensions = [3, 5]",
        ),
        (
            b"\x12\x01\x03\x10\x05".to_vec(),
            "{1,0}, padded_dimensions = [3, 5]",
        ),
        (
            b"\x12\x02\x03\x05\x18\x01".to_vec(),
            "{1,0}, padded_dimensions = [3, 5], padding_value = zero",
        ),
        (b"\x18\x05".to_vec(), "{1,0}, padding_value = unknown"),
        (b"\x18\x00".to_vec(), "{1,0}"),
        // Dense.
        (b"\x20\x01\x28\x00".to_vec(), "{1,0}"),
        (
            b"\x4a\x02\x00\x00\x6a\x02\x01\x01\x72\x02\x01\x01".to_vec(),
            "{1,0}",
        ),
        // `*`, which TensorFlow 2.21 refuses.
        (
            bytes(6, &[varint(1, i64::MIN), varint(1, 8)].concat()),
            "{1,0:T(*,8)}",
        ),
        // A tile of 0 is a matter of validation, as is an empty one.
        (bytes(6, b"\x08\x00"), "{1,0:T(0)}"),
        (bytes(6, b""), "{1,0:T()}"),
        (varint(7, -4), "{1,0:E(-4)}"),
        (varint(8, -128), "{1,0:S(-128)}"),
        (varint(8, 127), "{1,0:S(127)}"),
        (b"\x58\x08\x60\x0b".to_vec(), "{1,0:#(u32)*(invalid)}"),
        (varint(15, -2), "{1,0}"),
        (varint(16, 0), "{1,0}"),
        (varint(16, 1), "{1,0}"),
        (varint(16, 7), "{1,0:L(7)}"),
        (bytes(17, b""), "{1,0:SC(0:)}"),
        // Fields of the future.
        (b"\xf8\x07\x01\xfa\x07\x03abc\xfd\x07abcd".to_vec(), "{1,0}"),
    ];
    for (more, words) in layouts {
        let shape =
            Shape::from_proto_bytes(&with_layout(&more)).unwrap_or_else(|e| panic!("{words}: {e}"));
        assert_eq!(shape.to_string(), format!("f32[2,3]{words}"));
        let again = Shape::from_proto_bytes(&shape.to_proto_bytes()).unwrap();
        assert_eq!(again, shape);
    }
    for (bytes, text) in [
        // The retired rank; no flags; unpacked flags and sizes.
        (&b"\x08\x02\x10\x0b\x1a\x02\x02\x03"[..], "f32[2,3]"),
        (b"\x10\x0b\x18\x02\x18\x03\x30\x01\x30\x00", "f32[<=2,3]"),
        // The last of a field that is there once counts.
        (b"\x10\x11\x10\x0b", "f32[]"),
        (b"\x10\x0d", "()"),
    ] {
        assert_eq!(shape_error(bytes), format!("read as {text}"));
    }
}

#[test]
fn layouts_alone_have_no_rank_to_compare_with() {
    let layout = Layout::from_proto_bytes(b"\x0a\x02\x01\x01\x12\x01\x05").unwrap();
    assert_eq!(layout.to_string(), "{1,1}, padded_dimensions = [5]");
}

#[test]
fn arrays_only() {
    let error = ArrayShape::from_proto_bytes(b"\x10\x0d").unwrap_err();
    assert_eq!(error.path(), "element_type");
    assert_eq!(
        shown(&error),
        "`element_type` is 13, a tuple, where an array is required"
    );
}

#[test]
fn programs() {
    let result = bytes(2, b"\x10\x11");
    let table: Vec<(Vec<u8>, &str)> = vec![
        (vec![], "`result` is missing"),
        (
            bytes(2, b""),
            "`result.element_type` is missing, or 0 (PRIMITIVE_TYPE_INVALID)",
        ),
        (
            [bytes(1, b"\x10\x11"), bytes(1, b"\x10\x63"), result.clone()].concat(),
            "`parameters[1].element_type` is 99, but no ElementType has this number",
        ),
        (
            [
                bytes(1, b"\x10\x11"),
                result.clone(),
                bytes(3, b"x"),
                bytes(3, b"y"),
            ]
            .concat(),
            "`parameter_names` has 2 names, but there is 1",
        ),
        (
            [result, bytes(3, b"\xff")].concat(),
            "the bytes are no ProgramShapeProto: `parameter_names`: invalid string value: data is not UTF-8 encoded",
        ),
    ];
    for (bytes, words) in table {
        let error = ProgramShape::from_proto_bytes(&bytes).unwrap_err();
        assert_eq!(shown(&error), words, "{bytes:02x?}");
    }
    let unnamed = ProgramShape::from_proto_bytes(b"\x0a\x02\x10\x11\x12\x02\x10\x0d").unwrap();
    assert_eq!(unnamed.to_string(), "((unknown): token[]) -> ()");
}
