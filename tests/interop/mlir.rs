//! Against what MLIR prints for a memref that it reads.

use xlayout::interop::MemRef;
use xlayout::{ArrayShape, ElementType};

/// Texts, what MLIR (of jaxlib 0.10) prints for them, and the shape.
const PRINTED: [(&str, &str, &str); 24] = [
    ("memref<2x3xf32>", "memref<2x3xf32>", "f32[2,3]{1,0}"),
    (
        "memref<2x3xf32, strided<[3, 1]>>",
        "memref<2x3xf32, strided<[3, 1]>>",
        "f32[2,3]{1,0}",
    ),
    (
        "memref<2x3xf32, strided<[1, 2], offset: 0>>",
        "memref<2x3xf32, strided<[1, 2]>>",
        "f32[2,3]{0,1}",
    ),
    (
        "memref<2x3xf32, strided<[1, 2], offset: ?>>",
        "memref<2x3xf32, strided<[1, 2], offset: ?>>",
        "f32[2,3]{0,1}",
    ),
    (
        "memref<2x3xf32, affine_map<(d0, d1) -> (d1, d0)>>",
        "memref<2x3xf32, affine_map<(d0, d1) -> (d1, d0)>>",
        "f32[2,3]{0,1}",
    ),
    (
        "memref<2x3xf32, affine_map<(d0, d1) -> (d0, d1)>>",
        "memref<2x3xf32>",
        "f32[2,3]{1,0}",
    ),
    (
        "memref<2x3xf32, 1>",
        "memref<2x3xf32, 1>",
        "f32[2,3]{1,0:S(1)}",
    ),
    (
        "memref<2x3xf32, strided<[1,2]>, 1>",
        "memref<2x3xf32, strided<[1, 2]>, 1>",
        "f32[2,3]{0,1:S(1)}",
    ),
    ("memref<2x3xf32, 0>", "memref<2x3xf32>", "f32[2,3]{1,0}"),
    ("memref<f32>", "memref<f32>", "f32[]"),
    (
        "memref<f32, strided<[], offset: 3>>",
        "memref<f32, strided<[], offset: 3>>",
        "f32[]",
    ),
    ("memref<0x3xf32>", "memref<0x3xf32>", "f32[0,3]{1,0}"),
    (
        "memref<0x2x3xf32>",
        "memref<0x2x3xf32>",
        "f32[0,2,3]{2,1,0}",
    ),
    (
        "memref<2x0x3xf32>",
        "memref<2x0x3xf32>",
        "f32[2,0,3]{2,1,0}",
    ),
    ("memref<? x 3 x f32>", "memref<?x3xf32>", "f32[?,3]{1,0}"),
    (
        "memref<2x3xcomplex<f32>>",
        "memref<2x3xcomplex<f32>>",
        "c64[2,3]{1,0}",
    ),
    ("memref<2xf8E4M3FN>", "memref<2xf8E4M3FN>", "f8e4m3fn[2]{0}"),
    ("memref<2xf6E2M3FN>", "memref<2xf6E2M3FN>", "f6e2m3fn[2]{0}"),
    ("memref<2xsi1>", "memref<2xsi1>", "s1[2]{0}"),
    (
        "memref<2x3xf32, strided<[-1, 2]>>",
        "memref<2x3xf32, strided<[-1, 2]>>",
        "dimension 0 runs backwards: it steps by -1 element",
    ),
    (
        "memref<2x3xf32,strided<[0,0]>>",
        "memref<2x3xf32, strided<[0, 0]>>",
        "dimension 0 is broadcast: its stride is 0, so that its 2 indices share one place",
    ),
    (
        "memref<2x3xf32, strided<[8, 1]>>",
        "memref<2x3xf32, strided<[8, 1]>>",
        "f32[2,3]{1,0}, padded_dimensions = [2, 8]",
    ),
    (
        "memref<3x?xf32, strided<[?, 1]>>",
        "memref<3x?xf32, strided<[?, 1]>>",
        "only the run time knows the stride of dimension 0",
    ),
    (
        "memref<3x?x4xf32, strided<[40, 4, 1]>>",
        "memref<3x?x4xf32, strided<[40, 4, 1]>>",
        "f32[3,<=10,4]{2,1,0}",
    ),
];

#[test]
fn memrefs() {
    for (text, printed, shape) in PRINTED {
        let memref: MemRef = text.parse().expect(text);
        assert_eq!(memref.to_string(), printed, "{text}");
        assert_eq!(printed.parse::<MemRef>().expect(printed), memref);
        let answer = memref.to_shape();
        let answer = answer.map_or_else(
            |error| error.message().to_string(),
            |shape| shape.to_string(),
        );
        assert_eq!(answer, shape, "{text}");
    }
}

#[test]
fn memrefs_of_shapes() {
    let memref = |text: &str| {
        let shape: ArrayShape = text.parse().expect(text);
        MemRef::new(&shape).map_or_else(
            |error| error.message().to_string(),
            |memref| memref.to_string(),
        )
    };
    for (shape, expected) in [
        ("f32[1,3]{0,1}", "memref<1x3xf32, strided<[1, 1]>>"),
        (
            "f32[2,3]{0,1}, padded_dimensions = [3,5]",
            "memref<2x3xf32, strided<[1, 3]>>",
        ),
        (
            "f32[2,3]{1,0}, padded_dimensions = [3,3]",
            "memref<2x3xf32>",
        ),
        ("f32[<=2,3]", "memref<?x3xf32>"),
        ("f32[2,<=3]", "memref<2x?xf32, strided<[3, 1]>>"),
        ("f32[2,?]", "memref<2x?xf32>"),
        ("f32[2,?,4]{0,1,2}", "memref<2x?x4xf32, strided<[1, 2, ?]>>"),
        ("pred[2]", "memref<2xi1>"),
        ("u8[2]", "memref<2xui8>"),
        ("s4[2]{0:E(4)}", "memref<2xi4>"),
        ("f32[4,256]{1,0:T(1,128)}", "memref<4x256xf32>"),
        (
            "f32[2]{0:E(64)}",
            "a memref has no word for elements that take 64 bits each",
        ),
        (
            "f32[9]{0:SC(0:3)}",
            "a memref has no place for the splits `SC(…)`",
        ),
    ] {
        assert_eq!(memref(shape), expected, "{shape}");
    }
}

/// The physical memref is the whole buffer.
#[test]
fn physical() {
    for (shape, expected) in [
        (
            "bf16[1000,3000]{1,0:T(8,128)(2,1)}",
            "memref<125x24x4x128x2xbf16>",
        ),
        ("f32[5,100]{1,0:T(8,128)}", "memref<8x128xf32>"),
        ("f32[2,3]{0,1}", "memref<3x2xf32>"),
        (
            "f32[2,3]{0,1}, padded_dimensions = [3,5]",
            "memref<5x3xf32>",
        ),
        ("f32[]", "memref<f32>"),
        ("f32[10]{0:L(8)}", "memref<16xf32>"),
        ("f32[0,3]", "memref<0xf32>"),
    ] {
        let shape: ArrayShape = shape.parse().unwrap();
        let memref = MemRef::physical(&shape).unwrap();
        assert_eq!(memref.to_string(), expected, "{shape}");
        let places: i64 = memref.dims.iter().map(|dim| dim.bound().unwrap()).product();
        assert_eq!(
            places as usize,
            xlayout::ArrayLayout::buffer_len(&xlayout::DynLayout::new(shape).unwrap())
        );
    }
}

#[test]
fn types() {
    for element in ElementType::all().filter(|ty| ty.is_array()) {
        let shape = ArrayShape::new(element, &[2]).unwrap();
        let text = MemRef::new(&shape).unwrap().to_string();
        assert_eq!(
            text.parse::<MemRef>().unwrap().to_shape().unwrap(),
            shape,
            "{text}"
        );
    }
    // Signless and signed are one; a blank may be in `complex`.
    for (text, element) in [("si32", "s32"), ("i32", "s32"), ("complex< f64 >", "c128")] {
        let memref: MemRef = format!("memref<2x{text}>").parse().unwrap();
        assert_eq!(memref.element_type.name(), element);
    }
}
