//! DLPack's types, against the numbers of `dlpack.h`; JAX's layouts, against JAX.

use xlayout::ElementType;
use xlayout::interop::{DlDataType, DlTensor, JaxLayout};
use xlayout::shape::List;
use xlayout::{ArrayShape, Layout};

/// `dlpack.h` 1.1: names with their codes, and XLA's types.
const HEADER: [(&str, u8, &[&str]); 17] = [
    ("kDLInt", 0, &["s1", "s2", "s4", "s8", "s16", "s32", "s64"]),
    ("kDLUInt", 1, &["u1", "u2", "u4", "u8", "u16", "u32", "u64"]),
    ("kDLFloat", 2, &["f16", "f32", "f64"]),
    ("kDLBfloat", 4, &["bf16"]),
    ("kDLComplex", 5, &["c64", "c128"]),
    ("kDLBool", 6, &["pred"]),
    ("kDLFloat8_e3m4", 7, &["f8e3m4"]),
    ("kDLFloat8_e4m3", 8, &["f8e4m3"]),
    ("kDLFloat8_e4m3b11fnuz", 9, &["f8e4m3b11fnuz"]),
    ("kDLFloat8_e4m3fn", 10, &["f8e4m3fn"]),
    ("kDLFloat8_e4m3fnuz", 11, &["f8e4m3fnuz"]),
    ("kDLFloat8_e5m2", 12, &["f8e5m2"]),
    ("kDLFloat8_e5m2fnuz", 13, &["f8e5m2fnuz"]),
    ("kDLFloat8_e8m0fnu", 14, &["f8e8m0fnu"]),
    ("kDLFloat6_e2m3fn", 15, &["f6e2m3fn"]),
    ("kDLFloat6_e3m2fn", 16, &["f6e3m2fn"]),
    ("kDLFloat4_e2m1fn", 17, &["f4e2m1fn"]),
];

#[test]
fn dlpack_types() {
    let mut types = 0;
    for (name, code, names) in HEADER {
        for text in names {
            let element = text.parse::<ElementType>().unwrap();
            let dtype = DlDataType::new(element).unwrap();
            assert_eq!(
                (dtype.code, dtype.code_name(), dtype.lanes),
                (code, Some(name), 1)
            );
            let bits = if *text == "pred" {
                Some(8)
            } else {
                element.bits()
            };
            assert_eq!(Some(u32::from(dtype.bits)), bits, "{text}");
            assert_eq!(dtype.element_type().unwrap(), element);
            types += 1;
        }
    }
    assert_eq!(types, ElementType::all().filter(|ty| ty.is_array()).count());
    // Exactly these numbers are types.
    let all = (0..=u8::MAX).flat_map(|code| (0..=u8::MAX).map(move |bits| (code, bits)));
    let known = all.filter(|&(code, bits)| {
        DlDataType {
            code,
            bits,
            lanes: 1,
        }
        .element_type()
        .is_ok()
    });
    assert_eq!(known.count(), types);
}

fn list(items: &[i64]) -> List<i64, 16> {
    List::try_from_iter(items.iter().copied()).unwrap()
}

/// Strides count, but a stride of 1 of a dimension of size 1.
#[test]
fn dlpack_strides() {
    let read = |shape: &[i64], strides: Option<&[i64]>, code, bits| {
        let tensor = DlTensor {
            dtype: DlDataType {
                code,
                bits,
                lanes: 1,
            },
            shape: list(shape),
            strides: strides.map(list),
            byte_offset: 64,
            subbyte_type_padded: false,
        };
        tensor.to_shape().map_or_else(
            |error| error.message().to_string(),
            |shape| shape.to_string(),
        )
    };
    assert_eq!(read(&[2, 3], None, 2, 32), "f32[2,3]{1,0}");
    assert_eq!(read(&[2, 3], Some(&[1, 2]), 2, 32), "f32[2,3]{0,1}");
    assert_eq!(read(&[5, 1], Some(&[1, 1]), 2, 32), "f32[5,1]{1,0}");
    assert_eq!(read(&[5, 1], Some(&[1, 77]), 2, 32), "f32[5,1]{0,1}");
    assert_eq!(read(&[1, 5], Some(&[-3, 1]), 2, 32), "f32[1,5]{1,0}");
    // A batch of one image in channels_last, with its own stride and as PyTorch exports it.
    for batch in [24, 1] {
        assert_eq!(
            read(&[1, 2, 3, 4], Some(&[batch, 1, 8, 2]), 2, 32),
            "f32[1,2,3,4]{1,3,2,0}"
        );
    }
    assert_eq!(
        read(&[1, 2, 3], Some(&[1, 3, 1]), 2, 32),
        "f32[1,2,3]{2,1,0}"
    );
    assert_eq!(read(&[2, 4], Some(&[4, 1]), 0, 4), "s4[2,4]{1,0:E(4)}");
    assert_eq!(
        read(&[2], Some(&[-1]), 2, 32),
        "dimension 0 runs backwards: it steps by -1 element"
    );
    assert_eq!(
        read(&[2], None, 3, 64),
        "XLA has no element type of kDLOpaqueHandle with 64 bits"
    );
    assert_eq!(read(&[2], None, 18, 4), "DLPack has no type code 18");
    assert_eq!(
        read(&[2, 3], Some(&[1]), 2, 32),
        "there is 1 stride, but 2 dimensions"
    );
}

#[test]
fn dlpack_of_shapes() {
    for text in [
        "f32[2,3]{0,1}",
        "s4[2,4]{1,0:E(4)}",
        "s4[2,4]{0,1}",
        "pred[3]{0}",
        "f4e2m1fn[8]{0:E(4)}",
        "f32[2,3]{1,0}, padded_dimensions = [2, 5]",
        "f32[]",
    ] {
        let shape: ArrayShape = text.parse().unwrap();
        let tensor = DlTensor::new(&shape).unwrap();
        assert_eq!(tensor.to_shape().unwrap(), shape);
    }
    for text in [
        "pred[3]{0:E(1)}",
        "f32[3]{0:E(16)}",
        "f32[16,256]{1,0:T(8,128)}",
    ] {
        let shape: ArrayShape = text.parse().unwrap();
        assert!(DlTensor::new(&shape).is_err(), "{text}");
    }
}

/// The texts of JAX 0.10 for its layouts, and the XLA layouts that it makes of them.
#[test]
fn jax_layouts() {
    let lines = include_str!("jax.jsonl").lines();
    let mut checked = 0;
    for line in lines {
        let case: serde_json::Value = serde_json::from_str(line).expect("JSON");
        let text = |key: &str| case[key].as_str().expect("a text");
        let jax: JaxLayout = text("repr").parse().expect(line);
        assert_eq!(jax.to_string(), text("repr"));
        let layout = jax.to_layout(text("type").parse::<ElementType>().unwrap());
        assert_eq!(layout.to_string(), text("xla"), "{line}");
        // And back, as `Layout.from_pjrt_layout`.
        let back = JaxLayout::new(&Layout::read_xla(text("xla")).unwrap()).unwrap();
        assert_eq!(back.major_to_minor, jax.major_to_minor);
        assert_eq!(back.tiling.unwrap(), jax.tiling.unwrap_or_default());
        checked += 1;
    }
    assert_eq!(checked, 318);
}
