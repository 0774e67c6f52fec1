//! Streams of bytes that general compressors made.

use std::io::Read;

use flate2::read::ZlibDecoder;
use ruzstd::decoding::StreamingDecoder;

pub(super) fn zlib(stored: &[u8], limit: u64) -> Result<Vec<u8>, String> {
    read(ZlibDecoder::new(stored), limit, "zlib")
}

pub(super) fn zstd(stored: &[u8], limit: u64) -> Result<Vec<u8>, String> {
    let decoder = StreamingDecoder::new(stored);
    let decoder = decoder.map_err(|error| format!("its zstd is damaged: {error}"))?;
    read(decoder, limit, "zstd")
}

/// At most `limit` bytes of a decoder.
pub(super) fn read(decoder: impl Read, limit: u64, name: &str) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    let read = decoder.take(limit).read_to_end(&mut bytes);
    read.map_err(|error| format!("its {name} is damaged: {error}"))?;
    Ok(bytes)
}
