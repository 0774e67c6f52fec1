//! Headers of files, read from memory.

use std::path::Path;
use std::sync::Arc;

pub use crate::array::Array;
use crate::array::Encoding;
use crate::decode::decode;
use crate::error::{Error, Outcome};
use crate::formats::zarr::metadata;
use crate::formats::{npy, safetensors};
use crate::names::{self, FileOrder};
use crate::plan;
use crate::positioned::OpenFile;
use crate::spec::Spec;

/// Reads a `.npy` file as `convert` does.
///
/// # Errors
/// The error that `convert` prints.
pub fn npy(bytes: &[u8]) -> Outcome<Array> {
    npy::read(&file(bytes), npy::Requested::Caller(None))
}

/// Reads a safetensors file as `convert` does.
///
/// # Errors
/// The error that `convert` prints.
pub fn safetensors(bytes: &[u8]) -> Outcome<Vec<Array>> {
    Ok(safetensors::read(file(bytes))?.arrays)
}

fn file(bytes: &[u8]) -> OpenFile {
    OpenFile::new("file".into(), bytes.len() as u64, Arc::new(bytes.to_vec()))
}

/// Reads a plan and checks each unit as a run does, except for the files. Returns the number of
/// parts that it writes.
///
/// # Errors
/// The error that the program prints.
pub fn plan(bytes: &[u8]) -> Outcome<usize> {
    let mut parts = 0;
    let path = Path::new("plan.json");
    plan::read_text(bytes, path, None, &mut |head, _, unit| {
        unit.check_names(head)?;
        for object in &unit.objects {
            object.check(head)?;
            parts += object.parts.len();
            for piece in object.parts.iter().flat_map(|part| &part.pieces) {
                let end = piece.offset + piece.stored_bytes();
                let file = &head.files[piece.file];
                assert!(end <= file.bytes, "a piece leads out of its file");
            }
        }
        Ok(())
    })?;
    Ok(parts)
}

/// Reads a specification.
///
/// # Errors
/// The error that the program prints.
pub fn specification(text: &str) -> Outcome {
    Spec::read(text, Path::new("spec.toml")).map(drop)
}

/// Reads the text of a zarr array, `zarr.json` or `.zarray`. Returns its number of dimensions, 0
/// for a group.
///
/// # Errors
/// The error that the program prints.
pub fn zarr(bytes: &[u8], version_2: bool) -> Outcome<usize> {
    let found = metadata::read(Path::new("text"), bytes, version_2)?;
    Ok(found.map_or(0, |metadata| metadata.shape.len()))
}

/// Brings names, one in each line, into the sequence of their numbers, or into that of the pattern
/// in the first line.
///
/// # Errors
/// What is not clear.
///
/// # Panics
/// If the places are not 0, 1, …, each once.
pub fn sequence(text: &str) -> Result<(), String> {
    let names: Vec<&str> = text.lines().skip(1).collect();
    let pattern = text.lines().next().unwrap_or_default();
    let pattern =
        Some(FileOrder::Pattern(pattern.to_owned())).filter(|files| files.check().is_ok());
    let mut places = names::places(&names, pattern.as_ref(), &[])?;
    places.sort_unstable();
    assert!(places.into_iter().eq(0..names.len()));
    Ok(())
}

/// Decodes a chunk of zarr as blosc and as LZ4, of which each may have as many bytes as `out`.
///
/// # Errors
/// The errors that the program prints; the first of both.
pub fn compressed(bytes: &[u8], out: &mut [u8]) -> Outcome {
    let all = [Encoding::Blosc, Encoding::Lz4].map(|encoding| {
        let decoded = decode(&mut bytes.to_vec(), &[encoding], out);
        decoded.map_err(Error::file)
    });
    all.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use xlayout::ArrayLayout;

    use super::*;

    const PLAN: &str = r#"{"xlayout_plan":1,"units":1,"source":"a","destination":"b","format":"safetensors","devices":2,"metadata":[],
"files":[{"name":"m.safetensors","bytes":200,"header":72,"crc32":1}]}
{"memory":64,"read":64,"written":64,"objects":[{"name":"o","bytes":64,"parts":[{"tensor":"t","layout":"f32[2,8]{1,0}",
"origin":[2,0],"at":0,"pieces":[{"file":0,"at":72,"layout":"f32[4,8]{1,0}","origin":[0,0]}],"reads":[]}]}]}"#;

    /// Replaces any byte of a plan by any other.
    #[test]
    fn no_flipped_byte_of_a_plan_leads_out_of_a_file() {
        assert_eq!(plan(PLAN.as_bytes()), Ok(1));
        let mut read = [0; 2];
        for at in 0..PLAN.len() {
            for byte in [0, b' ', b'0', b'9', b'-', b'"', b'}', 0xff] {
                let mut bytes = PLAN.as_bytes().to_vec();
                bytes[at] = byte;
                read[usize::from(plan(&bytes).is_ok())] += 1;
            }
        }
        assert!(read.iter().all(|read| *read > 0), "{read:?}");
    }

    /// Replaces any byte by any other. Arrays that are read are inside the file, and everything
    /// else is an error with a message.
    #[test]
    fn no_flipped_byte_leads_out_of_the_file() {
        let npy_file = include_bytes!("../../cli/tests/convert/data/float32.npy");
        let tensors = include_bytes!("../../cli/tests/convert/data/model.safetensors");
        let mut read = [0; 2];
        for (k, file) in [&npy_file[..], &tensors[..]].into_iter().enumerate() {
            for at in 0..file.len().min(2000) {
                for byte in [0, b' ', b'0', b'9', b'"', b'}', 0xff] {
                    let mut bytes = file.to_vec();
                    bytes[at] = byte;
                    let arrays = match k {
                        0 => npy(&bytes).map(|array| vec![array]),
                        _ => safetensors(&bytes),
                    };
                    match arrays {
                        Ok(arrays) => {
                            read[k] += 1;
                            let end = |array: &Array| array.offset + array.layout.bytes() as u64;
                            assert!(arrays.iter().all(|array| end(array) <= bytes.len() as u64));
                        }
                        Err(error) => assert!(!error.message.is_empty()),
                    }
                }
            }
        }
        // Both results occur: elements may have any bytes, headers may not.
        assert!(read.iter().all(|read| *read > 0), "{read:?}");
    }

    const ZARR: [&str; 2] = [
        r#"{"zarr_format":3,"node_type":"array","shape":[5,7],"data_type":"uint32","fill_value":"0x07",
"chunk_grid":{"name":"regular","configuration":{"chunk_shape":[4,4]}},"chunk_key_encoding":{"name":"default"},"codecs":[
{"name":"transpose","configuration":{"order":[1,0]}},{"name":"sharding_indexed","configuration":{"chunk_shape":[2,2],
"codecs":[{"name":"bytes","configuration":{"endian":"big"}},"zstd"],"index_codecs":[{"name":"bytes",
"configuration":{"endian":"little"}},"crc32c"],"index_location":"start"}}]}"#,
        r#"{"zarr_format":2,"shape":[5,7],"chunks":[2,3],"dtype":">c8","fill_value":"NaN","order":"F","filters":null,
"dimension_separator":"/","compressor":{"id":"zlib","level":1}}"#,
    ];

    /// Replaces any byte of zarr's texts by any other.
    #[test]
    fn no_flipped_byte_of_a_zarr_text_panics() {
        for (text, version_2) in ZARR.into_iter().zip([false, true]) {
            assert_eq!(zarr(text.as_bytes(), version_2), Ok(2));
            for at in 0..text.len() {
                for byte in [0, b' ', b'0', b'9', b'-', b'"', b'[', b'}', 0xff] {
                    let mut bytes = text.as_bytes().to_vec();
                    bytes[at] = byte;
                    if let Err(error) = zarr(&bytes, version_2) {
                        assert!(!error.message.is_empty());
                    }
                }
            }
        }
    }
}
