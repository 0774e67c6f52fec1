//! Damaged and hostile files cause an error with a message, never a panic, and leave no files.

use crate::convert::{Folder, recorded_bytes, text};

/// Converts what may be anything; the answer is a file or an error, and no other file.
fn survives(folder: &Folder, name: &str, bytes: &[u8], case: &str) -> bool {
    folder.write(name, bytes);
    let output = folder.convert(&format!("{name} out.bin --quiet"));
    let said = text(&output.stderr);
    assert!(
        matches!(output.status.code(), Some(0 | 2 | 3)),
        "{case}: {:?} {said}",
        output.status
    );
    assert!(!said.contains("panicked"), "{case}: {said}");
    let done = output.status.success();
    assert_eq!(
        folder.names().len(),
        1 + usize::from(done),
        "{case}: {:?}",
        folder.names()
    );
    assert_eq!(done, said.is_empty(), "{case}: {said}");
    if done {
        std::fs::remove_file(folder.path("out.bin")).unwrap();
    }
    done
}

#[test]
fn a_flipped_byte_in_a_header() {
    let folder = Folder::new();
    for (name, header) in [
        ("float32.npy", 128),
        ("fortran.npy", 128),
        ("one.safetensors", 72),
    ] {
        let good = recorded_bytes(name);
        for at in 0..header {
            for flip in [0x01, 0x20, 0x80, 0xff] {
                let mut bad = good.clone();
                bad[at] ^= flip;
                survives(&folder, name, &bad, &format!("{name}: byte {at} ^ {flip}"));
            }
        }
        std::fs::remove_file(folder.path(name)).unwrap();
    }
}

#[test]
fn cut_short_at_every_length() {
    let folder = Folder::new();
    for name in ["float32.npy", "one.safetensors", "version_2.npy"] {
        let good = recorded_bytes(name);
        for length in 0..good.len() {
            let done = survives(
                &folder,
                name,
                &good[..length],
                &format!("{name}: {length} bytes"),
            );
            assert!(!done, "{name}: {length} bytes");
        }
        let mut longer = good.clone();
        longer.push(0);
        assert!(!survives(&folder, name, &longer, name));
        std::fs::remove_file(folder.path(name)).unwrap();
    }
}

fn npy(header: &str, data: usize) -> Vec<u8> {
    let mut bytes = b"\x93NUMPY\x02\x00".to_vec();
    bytes.extend(u32::try_from(header.len()).unwrap().to_le_bytes());
    bytes.extend(header.bytes());
    bytes.resize(bytes.len() + data, 0);
    bytes
}

fn safetensors(header: &str, data: usize) -> Vec<u8> {
    let mut bytes = (header.len() as u64).to_le_bytes().to_vec();
    bytes.extend(header.bytes());
    bytes.resize(bytes.len() + data, 0);
    bytes
}

#[test]
fn hostile_npy_headers() {
    let folder = Folder::new();
    let of_shape =
        |shape: &str| format!("{{'descr': '<f4', 'fortran_order': False, 'shape': {shape}, }}");
    let mut cases = vec![
        npy(&of_shape("(4294967296, 4294967296, 4294967296)"), 0),
        npy(&of_shape("(9223372036854775807, 2)"), 0),
        npy(&of_shape("(99999999999999999999999, 0)"), 0),
        npy(&of_shape("(18446744073709551615,)"), 0),
        npy(&of_shape(&format!("({})", "1, ".repeat(10_000))), 4),
        npy(&of_shape("(-1,)"), 0),
        npy(&of_shape(&"(".repeat(100_000)), 0),
        npy(&format!("{{'descr': {}", "[(".repeat(100_000)), 0),
        npy(&format!("{{'{}': 1}}", "a".repeat(1_000_000)), 0),
        npy(
            "{'descr': '<f4', 'descr': '<f8', 'fortran_order': False, 'shape': (1,), }",
            8,
        ),
        npy(
            "{'descr': '<f99999999999', 'fortran_order': False, 'shape': (1,), }",
            8,
        ),
        npy(
            "{'descr': '|V0', 'fortran_order': False, 'shape': (1,), }",
            0,
        ),
        npy(
            "{'descr': '<V', 'fortran_order': False, 'shape': (1,), }",
            0,
        ),
        npy("{'descr': '', 'fortran_order': False, 'shape': (1,), }", 0),
        npy("{'descr': '<', 'fortran_order': False, 'shape': (1,), }", 0),
        npy(
            "{'descr': '>\u{e9}4', 'fortran_order': False, 'shape': (1,), }",
            0,
        ),
        npy(
            "{'descr': '\u{1b}[2J', 'fortran_order': False, 'shape': (1,), }",
            0,
        ),
        npy(
            "{'descr': '<f4', 'fortran_order': False, 'shape': (1,), }junk",
            4,
        ),
        npy("", 0),
        b"\x93NUMPY\x02\x00\xff\xff\xff\xff".to_vec(),
        b"\x93NUMPY\x09\x00\xff\xff\xff\xff".to_vec(),
    ];
    let mut not_utf8 = npy(&of_shape("(1,)"), 4);
    not_utf8[20] = 0xff;
    cases.push(not_utf8);
    for (k, case) in cases.iter().enumerate() {
        assert!(!survives(&folder, "a.npy", case, &format!("case {k}")));
    }
}

#[test]
fn hostile_safetensors_headers() {
    let folder = Folder::new();
    let tensor = |name: &str, dtype: &str, shape: &str, offsets: &str| {
        format!("\"{name}\":{{\"dtype\":\"{dtype}\",\"shape\":{shape},\"data_offsets\":{offsets}}}")
    };
    let one = |shape, offsets| format!("{{{}}}", tensor("a", "F32", shape, offsets));
    let two = |first, second| {
        format!(
            "{{{},{}}}",
            tensor("a", "F32", "[1]", first),
            tensor("b", "F32", "[1]", second)
        )
    };
    let cases = [
        ("length", (1_u64 << 60).to_le_bytes().to_vec()),
        ("length, all bits", u64::MAX.to_le_bytes().to_vec()),
        (
            "product",
            safetensors(&one("[4294967296,4294967296,4294967296]", "[0,4]"), 4),
        ),
        (
            "large size",
            safetensors(&one("[18446744073709551615]", "[0,4]"), 4),
        ),
        (
            "larger size",
            safetensors(&one("[184467440737095516150]", "[0,4]"), 4),
        ),
        ("negative", safetensors(&one("[-1]", "[0,4]"), 4)),
        ("float", safetensors(&one("[1.0]", "[0,4]"), 4)),
        ("text", safetensors(&one("\"1\"", "[0,4]"), 4)),
        (
            "rank",
            safetensors(&one(&format!("[{}1]", "1,".repeat(100_000)), "[0,8]"), 4),
        ),
        ("nesting", safetensors(&"[".repeat(100_000), 0)),
        (
            "nested value",
            safetensors(&format!("{{\"a\":{}}}", "[".repeat(100_000)), 0),
        ),
        ("nested objects", safetensors(&"{\"a\":".repeat(100_000), 0)),
        ("backwards", safetensors(&one("[1]", "[4,0]"), 4)),
        ("beyond", safetensors(&one("[2]", "[0,8]"), 4)),
        (
            "offsets overflow",
            safetensors(
                &one("[1]", "[18446744073709551612,18446744073709551615]"),
                4,
            ),
        ),
        ("overlap", safetensors(&two("[0,4]", "[0,4]"), 4)),
        ("half an overlap", safetensors(&two("[0,4]", "[2,6]"), 6)),
        ("gap", safetensors(&two("[0,4]", "[8,12]"), 12)),
        ("gap at the front", safetensors(&one("[1]", "[4,8]"), 8)),
        ("trailing", safetensors(&one("[1]", "[0,4]"), 8)),
        (
            "twice",
            safetensors(
                &format!(
                    "{{{},{}}}",
                    tensor("a", "F32", "[1]", "[0,4]"),
                    tensor("a", "F32", "[1]", "[4,8]")
                ),
                8,
            ),
        ),
        (
            "dtype twice",
            safetensors(
                "{\"a\":{\"dtype\":\"F32\",\"dtype\":\"I32\",\"shape\":[1],\"data_offsets\":[0,4]}}",
                4,
            ),
        ),
        (
            "type",
            safetensors(
                &format!("{{{}}}", tensor("a", "F6_E2M3", "[4]", "[0,3]")),
                3,
            ),
        ),
        (
            "half a byte",
            safetensors(&format!("{{{}}}", tensor("a", "F4", "[3]", "[0,1]")), 1),
        ),
        ("missing", safetensors("{\"a\":{\"dtype\":\"F32\"}}", 0)),
        (
            "unknown key",
            safetensors(
                "{\"a\":{\"dtype\":\"F32\",\"shape\":[],\"data_offsets\":[0,4],\"x\":1}}",
                4,
            ),
        ),
        ("array", safetensors("[]", 0)),
        ("metadata", safetensors("{\"__metadata__\":{\"a\":1}}", 0)),
        (
            "metadata twice",
            safetensors("{\"__metadata__\":{\"a\":\"1\",\"a\":\"2\"}}", 0),
        ),
        (
            "shape of metadata",
            safetensors(
                "{\"__metadata__\":{\"xlayout.shape.a\":\"f32[9]\"},\"a\":{\"dtype\":\"U8\",\"shape\":[4],\"data_offsets\":[0,4]}}",
                4,
            ),
        ),
        (
            "shape of metadata is none",
            safetensors(
                "{\"__metadata__\":{\"xlayout.shape.a\":\"?\"},\"a\":{\"dtype\":\"U8\",\"shape\":[4],\"data_offsets\":[0,4]}}",
                4,
            ),
        ),
        (
            "not UTF-8",
            safetensors(&one("[1]", "[0,4]"), 4)
                .into_iter()
                .map(|byte| if byte == b'F' { 0xff } else { byte })
                .collect(),
        ),
        ("nothing", safetensors("", 0)),
        ("no tensor", safetensors("{}", 0)),
        ("junk", safetensors("{} {}", 0)),
    ];
    for (case, bytes) in cases {
        assert!(!survives(&folder, "a.safetensors", &bytes, case), "{case}");
    }
}
