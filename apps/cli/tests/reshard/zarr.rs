//! Zarr, as zarr-python writes and reads it. `data/make.py` has recorded that.

use std::collections::BTreeMap;
use std::path::Path;

use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::{Folder, mostly_zeros, safetensors};

#[derive(Deserialize)]
struct Recorded {
    read: Vec<Case>,
    written: Case,
}

#[derive(Deserialize)]
struct Case {
    name: String,
    /// In hexadecimal digits.
    files: BTreeMap<String, String>,
    arrays: BTreeMap<String, Array>,
}

#[derive(Deserialize)]
struct Array {
    r#type: String,
    sizes: Vec<usize>,
    /// Row-major, in hexadecimal digits.
    bytes: String,
}

fn recorded() -> Recorded {
    serde_json::from_str(include_str!("data/zarr.json")).expect("what make.py has written")
}

fn bytes(digits: &str) -> Vec<u8> {
    let pairs = digits.as_bytes().chunks(2);
    let text = |pair| std::str::from_utf8(pair).expect("digits");
    pairs
        .map(|pair| u8::from_str_radix(text(pair), 16).expect("digits"))
        .collect()
}

fn put(folder: &Folder, at: &str, case: &Case) {
    for (name, digits) in &case.files {
        folder.write(&format!("{at}/{name}"), bytes(digits));
    }
}

/// The bytes of each tensor of a safetensors file.
fn tensors(path: &Path) -> BTreeMap<String, Vec<u8>> {
    let bytes = std::fs::read(path).expect("a file that was written");
    let length = u64::from_le_bytes(bytes[..8].try_into().expect("8 bytes")) as usize;
    let header: Map<String, Value> =
        serde_json::from_slice(&bytes[8..8 + length]).expect("a header");
    let entries = header.iter().filter(|(name, _)| *name != "__metadata__");
    let data = |(name, entry): (&String, &Value)| {
        let at = |k: usize| entry["data_offsets"][k].as_u64().expect("a number") as usize;
        (name.clone(), bytes[8 + length..][at(0)..at(1)].to_vec())
    };
    entries.map(data).collect()
}

fn expected(case: &Case) -> BTreeMap<String, Vec<u8>> {
    let arrays = case.arrays.iter();
    arrays
        .map(|(name, array)| (name.clone(), bytes(&array.bytes)))
        .collect()
}

#[test]
fn what_zarr_has_written() {
    for case in recorded().read {
        let folder = Folder::new();
        put(&folder, "src", &case);
        // Safetensors has no name for some types.
        let spec = "format = 'safetensors'\n[[tensor]]\nname = '*'\nopaque = true\n";
        folder.write("spec.toml", spec);
        folder.works("plan src out --to spec.toml --units 1 -o plan.json");
        let told = folder.works("run plan.json --json");
        let told: Value = serde_json::from_str(&told).expect("a line of JSON");
        assert_eq!(told["read"], told["planned"], "{}", case.name);
        folder.works("verify plan.json");
        let found = tensors(&folder.path("out/model.safetensors"));
        assert_eq!(found, expected(&case), "{}", case.name);
        // Into other chunks, which neither begin nor end where the first ones do, and out of them.
        let mut spec = "format = 'zarr'\n".to_owned();
        for (rank, sharding) in [(1, "[2]<=[2]"), (2, "[2,3]<=[6]"), (3, "[2,1,3]<=[6]")] {
            // An entry that is for no tensor is an error.
            if case.arrays.values().any(|array| array.sizes.len() == rank) {
                spec += &format!(
                    "[[tensor]]\nname = '*'\nrank = {rank}\nlayout = 'F'\nsharding = '{{devices={sharding}}}'\n"
                );
            }
        }
        folder.write("zarr.toml", spec);
        folder.works("plan src chunks --to zarr.toml --units 3 -o chunks.json");
        folder.works("run chunks.json --memory 1 --threads 3");
        folder.works("verify chunks.json");
        folder.works("plan chunks back --to spec.toml --units 1 -o back.json");
        folder.works("run back.json");
        let found = tensors(&folder.path("back/model.safetensors"));
        assert_eq!(found, expected(&case), "{}", case.name);
    }
}

#[test]
fn as_zarr_writes() {
    let case = recorded().written;
    let folder = Folder::new();
    let mut header = Map::new();
    let mut data = Vec::new();
    for (name, array) in &case.arrays {
        let dtype = match array.r#type.as_str() {
            "float32" => "F32",
            "float64" => "F64",
            "int16" => "I16",
            "bool" => "BOOL",
            other => panic!("{other}"),
        };
        let begin = data.len();
        data.extend(bytes(&array.bytes));
        let offsets = [begin, data.len()];
        let entry = json!({"dtype": dtype, "shape": array.sizes, "data_offsets": offsets});
        header.insert(name.clone(), entry);
    }
    let text = Value::Object(header).to_string();
    let length = (text.len() as u64).to_le_bytes().to_vec();
    folder.write(
        "src/a.safetensors",
        [length, text.into_bytes(), data].concat(),
    );
    folder.write(
        "spec.toml",
        "format = 'zarr'
         [[tensor]]\nname = 'rows'\nsharding = '{devices=[4,1]<=[4]}'
         [[tensor]]\nname = 'model/columns'\nsharding = '{devices=[1,3]<=[3]}'
         [[tensor]]\nname = 'turned'\nlayout = 'F'\nsharding = '{devices=[3,2,2]<=[12]}'\n",
    );
    folder.works("plan src out --to spec.toml --units 3 -o plan.json");
    for unit in [2, 0, 1] {
        folder.works(&format!("run plan.json --unit {unit}"));
    }
    folder.works("verify plan.json");
    folder.works("verify plan.json --checksums");
    let names: Vec<String> = case.files.keys().cloned().collect();
    assert_eq!(folder.names("out"), names);
    for (name, digits) in &case.files {
        let found = std::fs::read(folder.path("out").join(name)).expect(name);
        if !name.ends_with("zarr.json") {
            assert_eq!(found, bytes(digits), "{name}");
            continue;
        }
        let text = |bytes: &[u8]| {
            let mut text: Map<String, Value> = serde_json::from_slice(bytes).expect(name);
            // Empty, and not in the specification any more.
            text.remove("storage_transformers");
            text
        };
        let mut found = text(&found);
        let wanted = text(&bytes(digits));
        // One byte has no sequence; zarr leaves it out.
        if found.get("data_type") == Some(&json!("bool")) {
            found["codecs"] = wanted["codecs"].clone();
        }
        assert_eq!(found, wanted, "{name}");
    }
}

/// Parts that are larger than an object become several chunks, of which none lies in two parts.
#[test]
fn chunks_are_no_larger_than_objects() {
    let folder = Folder::new();
    let tensor = mostly_zeros("w", &[1000, 1500]);
    folder.write_with_holes("src/a.safetensors", &safetensors(&[tensor], false));
    folder.write(
        "spec.toml",
        "format = 'zarr'\n[[tensor]]\nname = 'w'\nsharding = '{devices=[2,1]<=[2]}'\n",
    );
    folder.works("plan src out --to spec.toml --units 2 --object-size 1 -o plan.json");
    folder.works("run plan.json");
    folder.works("verify plan.json");
    let text = std::fs::read_to_string(folder.path("out/w/zarr.json")).expect("a text");
    let text: Value = serde_json::from_str(&text).expect("JSON");
    // Of 3 MB four times 125 rows: a third of 500 rows would be no whole number of them.
    assert_eq!(
        text["chunk_grid"]["configuration"]["chunk_shape"],
        json!([125, 1500])
    );
    let chunks = folder.names("out").into_iter();
    assert_eq!(chunks.filter(|name| name.starts_with("w/c/")).count(), 8);
}

/// Orbax writes a folder for each array, with no text above them that makes a group, or a database.
#[test]
fn folders_of_arrays_without_a_group() {
    let folder = Folder::new();
    let cases = recorded().read;
    for (name, digits) in &cases[0].files {
        if name.contains('/') {
            folder.write(&format!("src/{name}"), bytes(digits));
        }
    }
    folder.write("src/_METADATA", "{}");
    folder.write("spec.toml", "format = 'safetensors'");
    let plan = |from: &str| format!("plan {from} out --to spec.toml --units 1 -o plan.json");
    folder.works(&plan("src"));
    folder.works("run plan.json");
    let found = tensors(&folder.path("out/model.safetensors"));
    for (name, array) in &cases[0].arrays {
        assert_eq!(found[name], bytes(&array.bytes), "{name}");
    }
    // The second is of a save that was not merged.
    folder.write("database/manifest.ocdbt", "");
    folder.write("parts/ocdbt.process_0/manifest.ocdbt", "");
    folder.write("parts/_METADATA", "{}");
    for database in ["database", "parts"] {
        let said = folder.fails(&plan(database), 3);
        assert!(
            said.contains("OCDBT") && said.contains("use_ocdbt=False"),
            "{said}"
        );
    }
}

/// Elements of 4 bits, for which safetensors has no name: as bytes only if the specification says
/// so.
#[test]
fn elements_without_a_name() {
    let folder = Folder::new();
    let text = json!({
        "zarr_format": 3, "node_type": "array", "shape": [3, 4], "data_type": "int4",
        "fill_value": 0,
        "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": [3, 4]}},
        "chunk_key_encoding": {"name": "default"}, "codecs": [{"name": "bytes"}],
    });
    folder.write("src/zarr.json", text.to_string());
    folder.write("src/c/0/0", [7, 15, 1, 0, 8, 2, 3, 4, 5, 6, 9, 10]);
    let plan = "plan src out --to spec.toml --units 1 -o plan.json";
    for entry in [
        "",
        "[[tensor]]\nname = '*'\n",
        "[[tensor]]\nname = '*'\nopaque = false\n",
    ] {
        folder.write("spec.toml", format!("format = 'safetensors'\n{entry}"));
        let said = folder.run(plan);
        let said = String::from_utf8_lossy(&said.stderr).into_owned();
        assert!(
            said.contains(
                "has no name for elements of type s4; `opaque = true` in its entry \
                stores it as bytes"
            ),
            "{entry}: {said}"
        );
    }
    let spec = "format = 'safetensors'\n[[tensor]]\nname = '*'\nopaque = true\n";
    folder.write("spec.toml", spec);
    folder.works(plan);
    folder.works("run plan.json");
    folder.works("verify plan.json");
    let found = tensors(&folder.path("out/model.safetensors"));
    assert_eq!(found["src"], [7, 15, 1, 0, 8, 2, 3, 4, 5, 6, 9, 10]);
    // What is stored as bytes stays so without a word.
    folder.write("spec.toml", "");
    folder.works("plan out again --to spec.toml --units 1 -o again.json");
    folder.works("run again.json");
    assert_eq!(tensors(&folder.path("again/model.safetensors")), found);
}

/// An array that cannot be read is an error only if it is not left out.
#[test]
fn one_array_of_a_group_cannot_be_read() {
    let folder = Folder::new();
    let case = &recorded().read[0];
    put(&folder, "src", case);
    let text = std::fs::read_to_string(folder.path("src/plain/zarr.json")).expect("a text");
    for name in ["delta", "other"] {
        let text = text.replace("\"bytes\"", "\"packbits\"");
        folder.write(&format!("src/{name}/zarr.json"), text);
    }
    folder.write("spec.toml", "format = 'safetensors'\n");
    let plan = "plan src out --to spec.toml --units 1 -o plan.json";
    let said = folder.fails(plan, 3);
    for part in [
        "delta/zarr.json",
        "`packbits`",
        "array `delta` cannot be read",
        "these cannot be read either: `other`",
        "`name = \"delta\"` and `skip = true`",
    ] {
        assert!(said.contains(part), "`{part}` is not in\n{said}");
    }
    let skip = |name: &str| format!("[[tensor]]\nname = '{name}'\nskip = true\n");
    let spec = format!("format = 'safetensors'\n{}{}", skip("delta"), skip("other"));
    folder.write("spec.toml", spec);
    folder.works(plan);
    folder.works("run plan.json");
    folder.works("verify plan.json");
    assert_eq!(
        tensors(&folder.path("out/model.safetensors")),
        expected(case)
    );
}

/// One array in the folder itself, in chunks of which some are damaged.
#[test]
fn damaged() {
    let cases = recorded().read;
    let told = |case: usize, array: &str, change: &dyn Fn(&Folder)| {
        let folder = Folder::new();
        let prefix = format!("{array}/");
        for (name, digits) in &cases[case].files {
            if let Some(name) = name.strip_prefix(&prefix) {
                folder.write(&format!("w.zarr/{name}"), bytes(digits));
            }
        }
        folder.write("spec.toml", "format = 'npy'");
        change(&folder);
        let output = folder.run("plan w.zarr out --to spec.toml --units 1 -o plan.json");
        let output = match output.status.code() {
            // One thread: of several damaged chunks the first one is named.
            Some(0) => folder.run("run plan.json --threads 1"),
            _ => output,
        };
        assert_eq!(folder.names("out"), Vec::<String>::new());
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        (output.status.code(), told)
    };
    let cut = |name: &'static str, by: usize| {
        move |folder: &Folder| {
            let path = folder.path("w.zarr").join(name);
            let bytes = std::fs::read(&path).expect("a chunk");
            std::fs::write(path, &bytes[..bytes.len() - by]).expect("a chunk");
        }
    };
    let replace = |name: &'static str, from: &'static str, to: &'static str| {
        move |folder: &Folder| {
            let path = folder.path("w.zarr").join(name);
            let text = std::fs::read_to_string(&path).expect("a text");
            assert!(text.contains(from), "{text}");
            std::fs::write(path, text.replacen(from, to, 1)).expect("a text");
        }
    };
    let is = |(code, told): (Option<i32>, String), parts: &[&str]| {
        assert_eq!(code, Some(3), "{told}");
        assert!(parts.iter().all(|part| told.contains(part)), "{told}");
    };
    let plain = "c/1/1";
    is(
        told(0, "plain", &cut(plain, 1)),
        &[
            "w.zarr/c/1/1`, of array `w`",
            "a chunk has 23 bytes, and 24 bytes are needed",
        ],
    );
    is(
        told(1, "gzip", &cut("c/0/1", 9)),
        &["c/0/1", "its gzip is damaged", "tensor `w`"],
    );
    is(
        told(1, "zstd", &cut("c/2/0", 5)),
        &["c/2/0", "its zstd is damaged", "tensor `w`"],
    );
    is(
        told(3, "gzip", &cut("c/0/1", 1)),
        &["c/0/1", "`w`", "its checksum is another one"],
    );
    is(
        told(3, "gzip", &|folder| folder.write("w.zarr/c/0/0", "short")),
        &[
            "c/0/0",
            "`w`",
            "the shard has 5 bytes, and its index takes 68 bytes",
        ],
    );
    let text = "zarr.json";
    is(
        told(1, "gzip", &replace(text, "\"int16\"", "\"int32\"")),
        &["c/0/0", "a chunk has 512 bytes, and 1024 are needed"],
    );
    for (from, to, what) in [
        (
            "\"gzip\"",
            "\"bz2\"",
            "unknown variant `bz2`, expected one of",
        ),
        ("\"gzip\"", "\"blosc\"", "missing field `cname`"),
        ("\"gzip\"", "\"bytes\"", "`bytes` is not read at this place"),
        ("\"int16\"", "\"int17\"", "the type `int17` is not read"),
        (
            "\"regular\"",
            "\"rectilinear\"",
            "unknown variant `rectilinear`, expected `regular`",
        ),
        (
            "\"attributes\"",
            "\"crop\"",
            "the extension `crop` is not read",
        ),
        (
            "\"zarr_format\": 3",
            "\"zarr_format\": 4",
            "this is version 4",
        ),
        ("\"fill_value\"", "\"shape\"", "duplicate field `shape`"),
        ("\"shape\"", "\"form\"", "missing field `shape`"),
        ("{", "[", "this is no text of zarr's version 3"),
    ] {
        is(
            told(1, "gzip", &replace(text, from, to)),
            &["zarr.json", what],
        );
    }
    is(
        told(2, "nan", &replace(text, "\"NaN\"", "\"many\"")),
        &["zarr.json", "this fill value of type f32 is not read"],
    );
    is(
        told(
            4,
            "gzip",
            &replace(
                ".zarray",
                "\"filters\": null",
                "\"filters\": [{\"id\":\"delta\"}]",
            ),
        ),
        &[".zarray", "filters are not read"],
    );
    is(
        told(4, "gzip", &replace(".zarray", "\"gzip\"", "\"lzma\"")),
        &[
            ".zarray",
            "unknown variant `lzma`, expected one of `blosc`, `gzip`, `lz4`, `zlib`, `zstd`",
            "compressors=numcodecs.Zstd()",
        ],
    );
    // A chunk that is not there has the fill value, and one that was there for the plan is missed.
    let (code, _) = told(0, "plain", &|folder| {
        folder.works("plan w.zarr out --to spec.toml --units 1 -o plan.json");
        std::fs::remove_file(folder.path("w.zarr/c/1/1")).expect("a chunk");
        is(
            (
                folder.run("run plan.json").status.code(),
                String::from_utf8_lossy(&folder.run("run plan.json").stderr).into_owned(),
            ),
            &["c/1/1", "there is no such file", "tensor `w`"],
        );
        folder.write("w.zarr/zarr.json", "{}");
    });
    assert_eq!(code, Some(3));
}
