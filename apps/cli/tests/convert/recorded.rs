//! Files that NumPy and safetensors' own package wrote.

use crate::convert::{Folder, quoted, recorded_bytes};

/// Each type with NumPy's name, XLA's, and the elements as bytes.
const TYPES: [(&str, &str, fn(u8) -> Vec<u8>); 18] = [
    ("bool", "pred", |k| vec![u8::from(k > 0)]),
    ("int8", "s8", |k| vec![k]),
    ("int16", "s16", |k| i16::from(k).to_le_bytes().into()),
    ("int32", "s32", |k| i32::from(k).to_le_bytes().into()),
    ("int64", "s64", |k| i64::from(k).to_le_bytes().into()),
    ("uint8", "u8", |k| vec![k]),
    ("uint16", "u16", |k| u16::from(k).to_le_bytes().into()),
    ("uint32", "u32", |k| u32::from(k).to_le_bytes().into()),
    ("uint64", "u64", |k| u64::from(k).to_le_bytes().into()),
    ("float16", "f16", |k| {
        vec![0, [0x00, 0x3c, 0x40, 0x42, 0x44, 0x45][usize::from(k)]]
    }),
    ("float32", "f32", |k| f32::from(k).to_le_bytes().into()),
    ("float64", "f64", |k| f64::from(k).to_le_bytes().into()),
    ("complex64", "c64", |k| {
        [f32::from(k), 0.0].map(f32::to_le_bytes).concat()
    }),
    ("complex128", "c128", |k| {
        [f64::from(k), 0.0].map(f64::to_le_bytes).concat()
    }),
    ("bfloat16", "bf16", |k| {
        f32::from(k).to_le_bytes()[2..].into()
    }),
    ("float8_e4m3fn", "f8e4m3fn", |k| {
        vec![[0x00, 0x38, 0x40, 0x44, 0x48, 0x4a][usize::from(k)]]
    }),
    ("float8_e5m2", "f8e5m2", |k| {
        vec![[0x00, 0x3c, 0x40, 0x42, 0x44, 0x45][usize::from(k)]]
    }),
    ("int4", "s4", |k| vec![k]),
];

/// The elements with these numbers.
fn elements(of: fn(u8) -> Vec<u8>, numbers: &[u8]) -> Vec<u8> {
    numbers.iter().flat_map(|k| of(*k)).collect()
}

#[test]
fn every_type_of_numpy() {
    let folder = Folder::new();
    for (name, xla, of) in TYPES {
        // NumPy itself has no name for the types of ml_dtypes, but for one.
        let void = matches!(name, "bfloat16" | "float8_e4m3fn" | "int4");
        let from = if void {
            format!("--from {xla}")
        } else {
            String::new()
        };
        let input = quoted(&format!("{name}.npy"));
        folder.works(&format!("{input} {name}.bin {from}"));
        assert_eq!(
            folder.read(&format!("{name}.bin")),
            elements(of, &[0, 1, 2, 3, 4, 5]),
            "{name}"
        );
        folder.works(&format!("{input} {name}-f.bin {from} --to {{0,1}}"));
        assert_eq!(
            folder.read(&format!("{name}-f.bin")),
            elements(of, &[0, 3, 1, 4, 2, 5]),
            "{name}"
        );
        // Byte for byte what NumPy wrote.
        folder.works(&format!("{name}.bin {name}.npy --from {xla}[2,3]"));
        assert_eq!(
            folder.read(&format!("{name}.npy")),
            recorded_bytes(&format!("{name}.npy")),
            "{name}"
        );
        if matches!(name, "complex128" | "int4") {
            folder.fails(&format!("{input} {name}.safetensors {from}"), 2);
        } else {
            folder.works(&format!("{input} {name}.safetensors {from}"));
            folder.works(&format!("{name}.safetensors {name}-2.npy"));
            assert_eq!(
                folder.read(&format!("{name}-2.npy")),
                recorded_bytes(&format!("{name}.npy")),
                "{name}"
            );
        }
    }
}

#[test]
fn fortran_order_is_column_major() {
    let folder = Folder::new();
    let input = quoted("fortran.npy");
    folder.works(&format!("{input} f.bin"));
    let column_major: Vec<u8> = (0..24_u8)
        .flat_map(|k| f32::from(k % 2 * 12 + k / 2 % 3 * 4 + k / 6).to_le_bytes())
        .collect();
    assert_eq!(folder.read("f.bin"), column_major);
    folder.works(&format!("{input} c.npy --to C"));
    let row_major: Vec<u8> = (0..24_u8)
        .flat_map(|k| f32::from(k).to_le_bytes())
        .collect();
    assert_eq!(folder.read("c.npy")[128..], row_major);
    // From C to Fortran and from Fortran to Fortran: what NumPy wrote.
    folder.works("c.npy f.npy --to F");
    assert_eq!(folder.read("f.npy"), recorded_bytes("fortran.npy"));
    folder.works("f.bin f-2.npy --from f32[2,3,4]{0,1,2}");
    assert_eq!(folder.read("f-2.npy"), recorded_bytes("fortran.npy"));
}

#[test]
fn big_endian_files_become_little_endian() {
    let folder = Folder::new();
    let input = quoted;
    folder.works(&format!("{} a.npy", input("big_endian.npy")));
    assert_eq!(folder.read("a.npy"), recorded_bytes("float32.npy"));
    folder.works(&format!("{} b.npy --to C", input("big_endian_fortran.npy")));
    assert_eq!(folder.read("b.npy"), recorded_bytes("int16.npy"));
    folder.works(&format!("{} c.npy", input("big_endian_complex.npy")));
    assert_eq!(folder.read("c.npy"), recorded_bytes("complex64.npy"));
}

#[test]
fn small_arrays_and_other_versions() {
    let folder = Folder::new();
    for name in ["scalar", "vector", "empty", "ones"] {
        folder.works(&format!("{} {name}.npy", quoted(&format!("{name}.npy"))));
        assert_eq!(
            folder.read(&format!("{name}.npy")),
            recorded_bytes(&format!("{name}.npy")),
            "{name}"
        );
        // If an array has both orders, NumPy writes C.
        folder.works(&format!("{name}.npy {name}-f.npy --to F"));
        assert_eq!(
            folder.read(&format!("{name}-f.npy")),
            recorded_bytes(&format!("{name}.npy")),
            "{name}"
        );
    }
    for name in ["version_2", "version_3"] {
        folder.works(&format!("{} {name}.npy", quoted(&format!("{name}.npy"))));
        assert_eq!(
            folder.read(&format!("{name}.npy")),
            recorded_bytes("float32.npy"),
            "{name}"
        );
    }
}

#[test]
fn safetensors_come_back_byte_for_byte() {
    let folder = Folder::new();
    let model = quoted("model.safetensors");
    folder.works(&format!("{model} same.safetensors"));
    assert_eq!(
        folder.read("same.safetensors"),
        recorded_bytes("model.safetensors")
    );
    // What the format cannot say, and back: the metadata are as before.
    for to in ["{0,1}", "{1,0:T(8,128)}", "F"] {
        folder.works(&format!(
            "{model} opaque.safetensors --opaque --force --to {to}"
        ));
        assert_ne!(
            folder.read("opaque.safetensors"),
            recorded_bytes("model.safetensors")
        );
        folder.works("opaque.safetensors back.safetensors --force");
        let mut back = folder.read("back.safetensors");
        let mut expected = recorded_bytes("model.safetensors");
        // Tensors of one width may be in another sequence.
        back.sort_unstable();
        expected.sort_unstable();
        assert_eq!(back.len(), expected.len());
        for tensor in ["weight", "bias", "scalar", "empty", "mask", "cube"] {
            folder.works(&format!(
                "back.safetensors back.npy --force --tensor {tensor}"
            ));
            folder.works(&format!("{model} before.npy --force --tensor {tensor}"));
            assert_eq!(
                folder.read("back.npy"),
                folder.read("before.npy"),
                "{to} {tensor}"
            );
        }
    }
}

#[test]
fn one_tensor_of_several() {
    let folder = Folder::new();
    let model = quoted("model.safetensors");
    folder.works(&format!("{model} weight.npy --tensor weight --to F"));
    let column_major: Vec<u8> = [0, 3, 6, 9, 1, 4, 7, 10, 2, 5, 8, 11_u8]
        .iter()
        .flat_map(|k| f32::from(*k).to_le_bytes())
        .collect();
    assert_eq!(folder.read("weight.npy")[128..], column_major);
    // The only tensor needs no name, and the file gives it one.
    folder.works(&format!("{} one.npy", quoted("one.safetensors")));
    assert_eq!(folder.read("one.npy"), recorded_bytes("float32.npy"));
    folder.works("one.npy named.safetensors --tensor only");
    assert_eq!(
        folder.read("named.safetensors"),
        recorded_bytes("one.safetensors")
    );
    folder.works("one.npy file.safetensors");
    assert!(crate::convert::text(&folder.read("file.safetensors")).contains("{\"one\":{"));
}
