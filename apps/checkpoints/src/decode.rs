//! Compressed bytes.

use flate2::read::MultiGzDecoder;

use crate::array::Encoding;
use crate::error::Outcome;
use crate::positioned::OpenFile;
use streams::{read, zlib, zstd};

mod blosc;
mod streams;

/// Decodes the bytes of elements of a file.
///
/// # Errors
/// As [`decode`], with the name of the file.
pub(crate) fn of_file(
    file: &OpenFile,
    stored: &mut Vec<u8>,
    encodings: &[Encoding],
    out: &mut [u8],
) -> Outcome {
    decode(stored, encodings, out).map_err(|what| {
        let wrong = file.wrong(format_args!("is damaged: {what}"));
        wrong.help("copy it again")
    })
}

/// Decodes the bytes of elements. The last encoding is undone first.
///
/// # Errors
/// If the bytes are damaged, or their number is not the length of `out`.
pub(crate) fn decode(
    stored: &mut Vec<u8>,
    encodings: &[Encoding],
    out: &mut [u8],
) -> Result<(), String> {
    // Checksums add four bytes.
    let limit = out.len() as u64 + 4 * encodings.len() as u64 + 1;
    for encoding in encodings.iter().rev() {
        *stored = match encoding {
            Encoding::Fill(element) => {
                let all = out.chunks_exact_mut(element.len());
                all.for_each(|number| number.copy_from_slice(element));
                return Ok(());
            }
            Encoding::Crc32c => {
                let Some(at) = stored.len().checked_sub(4) else {
                    return Err("its checksum is cut off".to_owned());
                };
                if crc32c::crc32c(&stored[..at]).to_le_bytes() != stored[at..] {
                    return Err("its checksum is another one: the file is damaged".to_owned());
                }
                stored.truncate(at);
                continue;
            }
            Encoding::Blosc => blosc::decode(stored, limit)?,
            Encoding::Lz4 => lz4(stored, limit)?,
            Encoding::Gzip => read(MultiGzDecoder::new(&stored[..]), limit, "gzip")?,
            Encoding::Zlib => zlib(stored, limit)?,
            Encoding::Zstd => zstd(stored, limit)?,
        };
    }
    if stored.len() != out.len() {
        let has = stored.len();
        let needs = out.len();
        return Err(format!("a chunk has {has} bytes, and {needs} are needed"));
    }
    out.copy_from_slice(stored);
    Ok(())
}

/// A block of LZ4 behind the number of its bytes, as numcodecs has it.
fn lz4(stored: &[u8], limit: u64) -> Result<Vec<u8>, String> {
    let cut = "its lz4 is cut off".to_owned();
    let (length, block) = stored.split_first_chunk().ok_or(cut)?;
    let length = u32::from_le_bytes(*length);
    if u64::from(length) > limit {
        return Err(format!("its lz4 says that it has {length} bytes"));
    }
    let mut bytes = vec![0; length as usize];
    match lz4_flex::block::decompress_into(block, &mut bytes) {
        Ok(count) if count == bytes.len() => Ok(bytes),
        Ok(count) => Err(format!("its lz4 has {count} of {length} bytes")),
        Err(error) => Err(format!("its lz4 is damaged: {error}")),
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_check_value_of_crc32c() {
        assert_eq!(crc32c::crc32c(b"123456789"), 0xE306_9283);
    }
}
