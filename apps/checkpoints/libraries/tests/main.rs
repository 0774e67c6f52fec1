//! What crates for the formats do that are not used, or are used for a part: the reasons in
//! `DESIGN.md`. A test that fails after an update of one says that it may be used for more.

use std::collections::HashMap;
use std::panic::catch_unwind;

use npyz::NpyHeader;
use safetensors::SafeTensors;
use safetensors::tensor::Metadata;
use xlayout_checkpoints::formats::{npy, safetensors as own};
use xlayout_checkpoints::fuzzing;
use zarrs_metadata::FillValueMetadata;
use zarrs_metadata::v2::ArrayMetadataV2;
use zarrs_metadata::v3::ArrayMetadataV3;

/// A `.npy` file of version 1 with this dictionary and no elements.
fn npy_file(dictionary: &[u8]) -> Vec<u8> {
    let length = u16::try_from(dictionary.len()).expect("a short dictionary");
    [b"\x93NUMPY\x01\x00", &length.to_le_bytes()[..], dictionary].concat()
}

fn npy_of_shape(shape: &str) -> Vec<u8> {
    npy_file(format!("{{'descr': '<f4', 'fortran_order': False, 'shape': {shape}}}\n").as_bytes())
}

#[test]
fn npyz_reads_what_is_written() {
    for shape in ["f32[2,3]{1,0}", "s8[5,0]{0,1}", "c64[]", "bf16[7]{0}"] {
        let layout = shape.parse().expect("a layout");
        let header = npy::header(&layout).expect("a header");
        let read = NpyHeader::from_reader(&header[..]).expect("a header");
        let sizes: Vec<u64> = layout.dims().iter().map(|size| *size as u64).collect();
        assert_eq!(read.shape(), sizes, "{shape}");
    }
}

/// What NumPy writes or wrote, and is read here.
#[test]
fn npyz_does_not_read_all_of_numpy() {
    for dictionary in [
        // Python 2.
        &b"{'descr': '<f4', 'fortran_order': False, 'shape': (0L, 3L), }\n"[..],
        // ml_dtypes' `float8_e5m2`.
        b"{'descr': '<f1', 'fortran_order': False, 'shape': (0, 3), }\n",
        // A line of its own for each key.
        b"{'descr': '<f4',\n'fortran_order': False,\n'shape': (0, 3), }\n",
        // The number of bytes in the machine's own order.
        b"{'descr': '=f4', 'fortran_order': False, 'shape': (0, 3), }\n",
    ] {
        let file = npy_file(dictionary);
        let shown = dictionary.escape_ascii();
        assert!(NpyHeader::from_reader(&file[..]).is_err(), "{shown}");
        assert!(fuzzing::npy(&file).is_ok(), "{shown}");
    }
}

/// Two sizes of one array: one of them is used.
#[test]
fn npyz_reads_keys_that_are_given_twice() {
    let file = npy_file(b"{'descr': '<f4', 'fortran_order': False, 'shape': (4,), 'shape': (0,)}");
    let read = NpyHeader::from_reader(&file[..]).expect("a header");
    assert_eq!(read.shape(), [0]);
    let error = fuzzing::npy(&file).unwrap_err();
    assert!(error.message.contains("duplicate field"), "{error}");
}

#[test]
fn npyz_does_not_say_where_a_wrong_value_is() {
    let file = npy_of_shape("(2, -3)");
    let error = NpyHeader::from_reader(&file[..]).err().expect("an error");
    assert_eq!(error.to_string(), "dimension cannot be negative");
    let own = fuzzing::npy(&file).unwrap_err();
    let place = &own.places[0];
    assert_eq!(&place.text[place.span.clone()], "(2, -3)");
}

/// 2^64 elements: a panic, or 0 elements if overflow is not checked.
#[test]
fn npyz_multiplies_sizes_without_a_check() {
    let file = npy_of_shape("(4294967296, 4294967296)");
    let count = catch_unwind(|| NpyHeader::from_reader(&file[..]).expect("a header").len());
    assert_eq!(count.unwrap_or(0), 0);
    let error = fuzzing::npy(&file).unwrap_err();
    assert!(error.message.contains("larger than 2^63 - 1"), "{error}");
}

/// A safetensors file with this header and elements.
fn tensors_file(header: &str, elements: &[u8]) -> Vec<u8> {
    let length = (header.len() as u64).to_le_bytes();
    [&length[..], header.as_bytes(), elements].concat()
}

#[test]
fn safetensors_reads_what_is_written() {
    let tensors = ["f32[2,3]{1,0}", "bf16[3]{0}", "u8[]"].map(|shape| shape.parse().expect(shape));
    let named: Vec<_> = ["a", "b", "c"].into_iter().zip(&tensors).collect();
    let metadata = ["k", "j"].map(|key| (key.to_owned(), "text".to_owned()));
    let header = own::header(&named, &metadata);
    let file = [header, vec![0; 24 + 6 + 1]].concat();
    let read = SafeTensors::deserialize(&file).expect("a file");
    let (_, read_metadata) = SafeTensors::read_metadata(&file).expect("a header");
    assert_eq!(*read_metadata.metadata(), Some(HashMap::from(metadata)));
    for (name, layout) in named {
        assert_eq!(read.tensor(name).expect("a tensor").shape(), layout.dims());
    }
}

/// What one of two writers meant is lost: refused here, read there.
#[test]
fn safetensors_reads_what_is_ambiguous() {
    let tensor = |ty: &str| format!(r#""a":{{"dtype":"{ty}","shape":[2],"data_offsets":[0,8]}}"#);
    for (header, said) in [
        // Which type do the elements have?
        (
            format!("{{{},{}}}", tensor("F32"), tensor("I32")),
            "`a` is given twice",
        ),
        // Which text is that of the key?
        (
            format!(
                r#"{{"__metadata__":{{"k":"1","k":"2"}},{}}}"#,
                tensor("F32")
            ),
            "`k` is given twice",
        ),
        // Is it column-major?
        (
            format!("{{{}}}", tensor("F32").replace('}', r#","order":"F"}"#)),
            "unknown field `order`",
        ),
    ] {
        let file = tensors_file(&header, &[0; 8]);
        assert!(SafeTensors::deserialize(&file).is_ok(), "{header}");
        let error = fuzzing::safetensors(&file).unwrap_err();
        assert!(error.message.contains(said), "{error}");
    }
}

/// One of a thousand tensors is wrong: which one, and where in the header?
#[test]
fn safetensors_does_not_say_what_is_wrong() {
    let header = r#"{"a":{"dtype":"F32","shape":[3],"data_offsets":[0,8]}}"#;
    let error = serde_json::from_str::<Metadata>(header).unwrap_err();
    assert_eq!((error.line(), error.column()), (0, 0));
    assert!(!error.to_string().contains("`a`"), "{error}");
    let own = fuzzing::safetensors(&tensors_file(header, &[0; 8])).unwrap_err();
    assert!(own.message.starts_with("tensor `a`"), "{own}");
    let place = &own.places[0];
    assert_eq!(&place.text[place.span.clone()], "[0,8]");
}

/// A plan has the checksum of what a run will write: the sequence of the metadata must be one.
#[test]
fn safetensors_writes_metadata_in_any_sequence() {
    let keys: HashMap<String, String> = (0..8).map(|k| (format!("k{k}"), String::new())).collect();
    let text = || {
        let again = keys.clone().into_iter().collect();
        let metadata = Metadata::new(Some(again), Vec::new()).expect("metadata");
        serde_json::to_string(&metadata).expect("JSON")
    };
    let first = text();
    assert!((0..100).any(|_| text() != first));
}

/// The header alone is no file for it: it compares lengths with all bytes in memory.
#[test]
fn safetensors_needs_the_elements_in_memory() {
    let header = r#"{"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}}"#;
    assert!(SafeTensors::read_metadata(&tensors_file(header, &[])).is_err());
    assert!(SafeTensors::read_metadata(&tensors_file(header, &[0; 8])).is_ok());
}

/// It panics at one value, reads a `+` as a digit, and rounds twice.
#[test]
fn zarrs_metadata_does_not_read_fill_values() {
    let text = |text: &str| FillValueMetadata::String(text.to_owned());
    assert!(catch_unwind(|| text("0x1é2").as_f32()).is_err());
    assert!(text("0x+1+1+1+1").as_f32().is_some());
    let number = serde_json::Number::from_f64(f64::from_bits(0x3ff0_1000_0000_0001));
    let above = FillValueMetadata::Number(number.expect("a number"));
    // The nearest one is 0x3f81.
    assert_eq!(above.as_bf16().map(|number| number.to_bits()), Some(0x3f80));
    let number = serde_json::Number::from_f64(f64::from_bits(0x3ff0_0200_0000_0001));
    let above = FillValueMetadata::Number(number.expect("a number"));
    // The nearest one is 0x3c01.
    assert_eq!(above.as_f16().map(|number| number.to_bits()), Some(0x3c00));
}

/// It reads fewer texts.
#[test]
fn zarrs_metadata_refuses() {
    let three = r#"{"zarr_format":3,"node_type":"array","shape":[2],"data_type":"int8","fill_value":0,
        "chunk_grid":{"name":"regular","configuration":{"chunk_shape":[2]}},
        "chunk_key_encoding":"default","codecs":["bytes"],"attributes":{}}"#;
    let two = r#"{"zarr_format":2,"shape":[2],"chunks":[2],"dtype":"|i1","order":"C","fill_value":0,
        "filters":null,"compressor":null}"#;
    for (text, version_2, from, to) in [
        (three, false, r#""attributes":{}"#, r#""attributes":null"#),
        (
            three,
            false,
            r#"["bytes"]"#,
            r#"[{"name":"bytes","level":1}]"#,
        ),
        (two, true, r#""zarr_format":2,"#, ""),
    ] {
        let is_read = |text: &str| {
            if version_2 {
                serde_json::from_str::<ArrayMetadataV2>(text).is_ok()
            } else {
                serde_json::from_str::<ArrayMetadataV3>(text).is_ok()
            }
        };
        assert!(is_read(text), "{text}");
        let text = text.replace(from, to);
        assert!(!is_read(&text), "{text}");
        assert_eq!(fuzzing::zarr(text.as_bytes(), version_2), Ok(1), "{text}");
    }
}

/// It knows the fields of a text, and not what codecs have: that is checked here.
#[test]
fn zarrs_metadata_reads_codecs_that_do_not_exist() {
    let text = r#"{"zarr_format":3,"node_type":"array","shape":[2],"data_type":"float99","fill_value":0,
        "chunk_grid":{"name":"regular","configuration":{"chunk_shape":[0,"x"]}},
        "chunk_key_encoding":"default","codecs":[{"name":"bytes","configuration":{"endian":"none"}},"none"]}"#;
    assert!(serde_json::from_str::<ArrayMetadataV3>(text).is_ok());
    assert!(fuzzing::zarr(text.as_bytes(), false).is_err());
}
