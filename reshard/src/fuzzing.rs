//! Headers of files, read from memory.

use std::path::Path;

use xlayout::DynLayout;

use crate::error::Error;
use crate::formats::Format;
use crate::formats::input;
use crate::positioned::Contents;

/// An array that a file holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Array {
    /// Of a tensor.
    pub name: Option<String>,
    /// Where its elements lie in its bytes.
    pub layout: DynLayout,
    /// Its first byte in the file.
    pub offset: u64,
}

/// Reads a `.npy` file as `convert` does.
///
/// # Errors
/// The text of the error that `convert` prints.
pub fn npy(bytes: &[u8]) -> Result<Array, String> {
    match <[Array; 1]>::try_from(arrays(bytes, Format::Npy)?) {
        Ok([array]) => Ok(array),
        Err(_) => unreachable!("a .npy file is read as one array"),
    }
}

/// Reads a safetensors file as `convert` does.
///
/// # Errors
/// The text of the error that `convert` prints.
pub fn safetensors(bytes: &[u8]) -> Result<Vec<Array>, String> {
    arrays(bytes, Format::Safetensors)
}

fn arrays(bytes: &[u8], format: Format) -> Result<Vec<Array>, String> {
    let told = |failure: Error| format!("error: {failure}");
    let contents = Contents {
        bytes: &bytes,
        begin: 0,
        length: bytes.len() as u64,
        path: Path::new("file"),
    };
    let (arrays, _) = input::read(contents, format, None).map_err(told)?;
    let of = |array: crate::array::Array| Array {
        name: array.name,
        layout: array.layout,
        offset: array.offset,
    };
    Ok(arrays.into_iter().map(of).collect())
}

#[cfg(test)]
mod tests {
    use xlayout::ArrayLayout;

    use super::*;

    /// What is read lies in the file; all else is an error with words. Any byte may be any other.
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
                        Err(told) => assert!(told.contains("error"), "{told}"),
                    }
                }
            }
        }
        // Both happens: elements may be anything, headers may not.
        assert!(read.iter().all(|read| *read > 0), "{read:?}");
    }
}
