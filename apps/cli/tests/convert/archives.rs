//! Files of several arrays: `.npz`, and safetensors in several files.

use std::path::Path;

use super::Folder;

fn data(name: &str) -> String {
    format!("{}/tests/convert/data/{name}", env!("CARGO_MANIFEST_DIR"))
}

fn convert(arguments: &[&str]) -> (Option<i32>, String) {
    let output = crate::program::run(arguments);
    let error = String::from_utf8(output.stderr).unwrap();
    (output.status.code(), error)
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

/// Elements behind the header of a `.npy` of version 1.
fn elements(npy: &[u8]) -> &[u8] {
    &npy[10 + usize::from(u16::from_le_bytes([npy[8], npy[9]]))..]
}

#[test]
fn arrays_of_an_npz() {
    let folder = Folder::new();
    let all = folder.path("all.safetensors");
    for (npz, rows) in [("two.npz", 2_u16), ("packed.npz", 200)] {
        let one = folder.path("a.npy");
        let done = convert(&[
            "convert",
            &data(npz),
            text(&one),
            "--tensor",
            "a",
            "--force",
            "--quiet",
        ]);
        assert_eq!(done, (Some(0), String::new()));
        let expected: Vec<u8> = (0..rows * 3)
            .flat_map(|k| f32::from(k).to_le_bytes())
            .collect();
        assert_eq!(elements(&folder.read("a.npy")), expected, "{npz}");
        let done = convert(&["convert", &data(npz), text(&all), "--force", "--quiet"]);
        assert_eq!(done, (Some(0), String::new()));
        // All arrays, with their names.
        let bytes = folder.read("all.safetensors");
        let header = String::from_utf8_lossy(&bytes);
        assert!(
            header.contains("\"a\":{\"dtype\":\"F32\"") && header.contains("\"b\":{\"dtype\":"),
            "{header}"
        );
    }
    // Column-major in the file, row-major here.
    let (code, error) = convert(&[
        "convert",
        &data("two.npz"),
        text(&folder.path("b.raw")),
        "--tensor",
        "b",
        "--to",
        "C",
        "--quiet",
    ]);
    assert_eq!((code, error), (Some(0), String::new()));
    let expected: Vec<u8> = (0..20_i16).flat_map(i16::to_le_bytes).collect();
    assert_eq!(folder.read("b.raw"), expected);
}

/// `twice.npz` has two arrays named `a`, as Python's zipfile writes them.
#[test]
fn an_npz_with_one_name_twice_is_refused() {
    let folder = Folder::new();
    let out = folder.path("out.safetensors");
    let (code, error) = convert(&["convert", &data("twice.npz"), text(&out), "--quiet"]);
    assert_eq!(code, Some(3));
    assert!(error.contains("holds two arrays of one name"), "{error}");
    assert!(!out.exists());
}

#[test]
fn an_npz_that_is_damaged_is_refused() {
    let folder = Folder::new();
    let out = folder.path("out.safetensors");
    for name in ["two.npz", "packed.npz"] {
        let bytes = std::fs::read(data(name)).unwrap();
        let mut files: Vec<Vec<u8>> = (0..bytes.len())
            .step_by(29)
            .map(|end| bytes[..end].to_vec())
            .collect();
        for at in (0..bytes.len()).step_by(13) {
            let mut changed = bytes.clone();
            changed[at] ^= 0xff;
            files.push(changed);
        }
        for (k, file) in files.iter().enumerate() {
            let input = folder.write("in.npz", file);
            let (code, error) =
                convert(&["convert", text(&input), text(&out), "--force", "--quiet"]);
            assert!(
                matches!(code, Some(0 | 2 | 3)),
                "{name} {k}: {code:?} {error}"
            );
            assert!(!error.contains("panicked"), "{name} {k}: {error}");
            if k < bytes.len().div_ceil(29) {
                assert_eq!(code, Some(3), "cut {name} {k}: {error}");
            }
        }
    }
}

#[test]
fn safetensors_in_several_files() {
    let folder = Folder::new();
    for (name, tensor) in [("one.safetensors", "first"), ("two.safetensors", "second")] {
        let npy = data("float32.npy");
        let done = convert(&[
            "convert",
            &npy,
            text(&folder.path(name)),
            "--tensor",
            tensor,
            "--quiet",
        ]);
        assert_eq!(done, (Some(0), String::new()));
    }
    let index = |text: &str| folder.write("model.safetensors.index.json", text);
    let path = index(
        r#"{"metadata": {"total_size": 48}, "weight_map": {"second": "two.safetensors", "first": "one.safetensors"}}"#,
    );
    let whole = folder.path("whole.safetensors");
    let done = convert(&["convert", text(&path), text(&whole), "--quiet"]);
    assert_eq!(done, (Some(0), String::new()));
    for tensor in ["first", "second"] {
        for (from, to) in [(&path, "a.npy"), (&whole, "b.npy")] {
            let done = convert(&[
                "convert",
                text(from),
                text(&folder.path(to)),
                "--tensor",
                tensor,
                "--force",
                "--quiet",
            ]);
            assert_eq!(done, (Some(0), String::new()), "{tensor}");
        }
        assert_eq!(folder.read("a.npy"), folder.read("b.npy"));
        assert_eq!(
            elements(&folder.read("a.npy")),
            elements(&std::fs::read(data("float32.npy")).unwrap())
        );
    }
    for (text_of_index, expected) in [
        ("{", "is no index: EOF"),
        ("[]", "is no index: invalid length 0"),
        ("{}", "is no index: missing field `weight_map`"),
        (
            r#"{"weight_map": {"first": "../one.safetensors"}}"#,
            "does not name a file beside it for the tensor `first`",
        ),
        (
            r#"{"weight_map": {"first": 7}}"#,
            "does not name a file beside it for the tensor `first`",
        ),
        (
            r#"{"weight_map": {"third": "one.safetensors"}}"#,
            "the tensor `third` is in `one.safetensors`, which does not have it",
        ),
        (
            r#"{"weight_map": {"first": "three.safetensors"}}"#,
            "three.safetensors`: there is no such file",
        ),
    ] {
        let path = index(text_of_index);
        let (code, error) = convert(&["convert", text(&path), text(&folder.path("x.safetensors"))]);
        assert_eq!(code, Some(3), "{error}");
        assert!(error.contains(expected), "{error}");
    }
}
