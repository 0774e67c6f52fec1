//! Compressed bytes.

use std::io::Read;

use crate::array::Encoding;

/// The bytes of elements; the last encoding is undone first.
///
/// # Errors
/// What is wrong with them, or that there are more or less than `out` has room for.
pub(crate) fn decode(
    stored: &mut Vec<u8>,
    encodings: &[Encoding],
    out: &mut [u8],
) -> Result<(), String> {
    // Checksums are four bytes more.
    let most = out.len() as u64 + 4 * encodings.len() as u64 + 1;
    for encoding in encodings.iter().rev() {
        let (mut decoder, name): (Box<dyn Read>, _) = match encoding {
            Encoding::Fill(element) => {
                for one in out.chunks_exact_mut(element.len()) {
                    one.copy_from_slice(element);
                }
                return Ok(());
            }
            Encoding::Crc32c => {
                let Some(at) = stored.len().checked_sub(4) else {
                    return Err("its checksum is cut off".to_owned());
                };
                if crc32c(&stored[..at]).to_le_bytes() != stored[at..] {
                    return Err("its checksum is another one: the file is damaged".to_owned());
                }
                stored.truncate(at);
                continue;
            }
            Encoding::Gzip => (
                Box::new(flate2::read::MultiGzDecoder::new(stored.as_slice())),
                "gzip",
            ),
            Encoding::Zlib => (
                Box::new(flate2::read::ZlibDecoder::new(stored.as_slice())),
                "zlib",
            ),
            Encoding::Zstd => (
                Box::new(
                    ruzstd::decoding::StreamingDecoder::new(stored.as_slice())
                        .map_err(|error| format!("its zstd is damaged: {error}"))?,
                ),
                "zstd",
            ),
        };
        let mut bytes = Vec::new();
        (&mut decoder)
            .take(most)
            .read_to_end(&mut bytes)
            .map_err(|error| format!("its {name} is damaged: {error}"))?;
        drop(decoder);
        *stored = bytes;
    }
    if stored.len() != out.len() {
        return Err(format!(
            "a chunk has {} bytes, and {} are needed",
            stored.len(),
            out.len()
        ));
    }
    out.copy_from_slice(stored);
    Ok(())
}

/// CRC-32C, bit by bit in bytes: the polynomial 0x1EDC6F41, reflected.
pub(crate) fn crc32c(bytes: &[u8]) -> u32 {
    const TABLE: [u32; 256] = {
        let mut table = [0; 256];
        let mut k = 0;
        while k < 256 {
            let mut value = k as u32;
            let mut bit = 0;
            while bit < 8 {
                value = (value >> 1) ^ (0x82F6_3B78 * (value & 1));
                bit += 1;
            }
            table[k] = value;
            k += 1;
        }
        table
    };
    !bytes.iter().fold(!0, |crc, byte| {
        TABLE[usize::from((crc as u8) ^ byte)] ^ (crc >> 8)
    })
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_check_value_of_crc32c() {
        assert_eq!(super::crc32c(b"123456789"), 0xE306_9283);
    }
}
