//! Compressed bytes.

use std::io::Read;

use flate2::read::{MultiGzDecoder, ZlibDecoder};
use ruzstd::decoding::StreamingDecoder;

use crate::array::Encoding;

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
    let most = out.len() as u64 + 4 * encodings.len() as u64 + 1;
    for encoding in encodings.iter().rev() {
        let (decoder, name): (Box<dyn Read>, _) = match encoding {
            Encoding::Fill(element) => {
                let all = out.chunks_exact_mut(element.len());
                all.for_each(|one| one.copy_from_slice(element));
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
            Encoding::Gzip => (Box::new(MultiGzDecoder::new(&stored[..])), "gzip"),
            Encoding::Zlib => (Box::new(ZlibDecoder::new(&stored[..])), "zlib"),
            Encoding::Zstd => {
                let decoder = StreamingDecoder::new(&stored[..]);
                let wrong = |error| format!("its zstd is damaged: {error}");
                (Box::new(decoder.map_err(wrong)?), "zstd")
            }
        };
        let mut bytes = Vec::new();
        let read = decoder.take(most).read_to_end(&mut bytes);
        read.map_err(|error| format!("its {name} is damaged: {error}"))?;
        *stored = bytes;
    }
    if stored.len() != out.len() {
        let (has, needs) = (stored.len(), out.len());
        return Err(format!("a chunk has {has} bytes, and {needs} are needed"));
    }
    out.copy_from_slice(stored);
    Ok(())
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_check_value_of_crc32c() {
        assert_eq!(crc32c::crc32c(b"123456789"), 0xE306_9283);
    }
}
