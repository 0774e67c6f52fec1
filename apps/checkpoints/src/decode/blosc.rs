//! Chunks of c-blosc 1, the default compressor of zarr's version 2.
//!
//! Source: `README_CHUNK_FORMAT.rst` and `blosc.c` of c-blosc 1.21,
//! <https://github.com/Blosc/c-blosc>; `blosclz.c` there for its own codec.
//!
//! ```text
//! chunk = version, version of the codec, flags, bytes of an element, all bytes, bytes of a block,
//!     stored bytes;
//!     if it is only copied: the bytes
//!     else: where each block begins; the blocks
//! block = its streams: one for each byte of an element, or one alone
//! stream = the number of its stored bytes, and as many; if they are as many as those that they
//!     become, they are the same
//! the bytes of a block are put back: byte j of all elements is together (shuffle), or bit k of
//!     byte j (bitshuffle)
//! ```

use super::streams::{zlib, zstd};

/// The flags of a chunk.
const SHUFFLE: u8 = 1;
const COPIED: u8 = 2;
const BITSHUFFLE: u8 = 4;
const ONE_STREAM: u8 = 16;

/// The bytes before the blocks.
const HEADER: usize = 16;

/// A block has a stream for each byte of an element if there are at most so many, and each gets at
/// least so many bytes.
const MOST_STREAMS: usize = 16;
const LEAST_STREAM: usize = 128;

/// Decodes a stream; whether it has as many bytes as the second slice.
type Decode = fn(&[u8], &mut [u8]) -> bool;

type Result<T> = std::result::Result<T, String>;

/// The bytes of a chunk, if they are at most `limit`.
///
/// # Errors
/// If it is damaged.
pub(super) fn decode(chunk: &[u8], limit: u64) -> Result<Vec<u8>> {
    let cut = || "its blosc is cut off".to_owned();
    let header = chunk.get(..HEADER).ok_or_else(cut)?;
    let version = header[0];
    let flags = header[2];
    if !(1..=2).contains(&version) {
        return Err(format!(
            "its blosc is of version {version}; 1 and 2 are read"
        ));
    }
    let width = usize::from(header[3]).max(1);
    let [bytes, block, stored] = [4, 8, 12].map(|at| number(header, at).unwrap_or(0));
    if stored > chunk.len() {
        return Err(cut());
    }
    if bytes as u64 > limit {
        return Err(format!("its blosc says that it has {bytes} bytes"));
    }
    if flags & COPIED != 0 {
        let all = chunk.get(HEADER..HEADER + bytes);
        return all.map(<[u8]>::to_vec).ok_or_else(cut);
    }
    let codec: Decode = match flags >> 5 {
        0 => |stream, out| blosclz(stream, out) == Some(out.len()),
        1 => |stream, out| {
            let count = lz4_flex::block::decompress_into(stream, out);
            count.is_ok_and(|count| count == out.len())
        },
        3 => |stream, out| is_all(zlib, stream, out),
        4 => |stream, out| is_all(zstd, stream, out),
        2 => return Err("its blosc has snappy, which is not read".to_owned()),
        other => return Err(format!("its blosc has codec {other}, which is none")),
    };
    let mut out = vec![0; bytes];
    if bytes > 0 && block == 0 {
        return Err("its blosc has blocks of 0 bytes".to_owned());
    }
    let mut packed = vec![0; block.min(bytes)];
    for (k, place) in out.chunks_mut(block.max(1)).enumerate() {
        let begin = number(chunk, HEADER + 4 * k).ok_or_else(cut)?;
        let packed = &mut packed[..place.len()];
        let is_split = flags & ONE_STREAM == 0
            && width <= MOST_STREAMS
            && place.len() / width >= LEAST_STREAM
            && place.len() == block;
        let streams = if is_split { width } else { 1 };
        streams_of(chunk, begin, codec, packed, streams)?;
        if flags & SHUFFLE != 0 && width > 1 {
            unshuffle(packed, width, place);
        } else if flags & BITSHUFFLE != 0 && block >= width {
            unshuffle_bits(packed, width, place);
        } else {
            place.copy_from_slice(packed);
        }
    }
    Ok(out)
}

fn number(bytes: &[u8], at: usize) -> Option<usize> {
    let found = bytes.get(at..)?.first_chunk()?;
    usize::try_from(u32::from_le_bytes(*found)).ok()
}

/// Decodes the streams of a block that begins at a byte of the chunk.
fn streams_of(
    chunk: &[u8],
    begin: usize,
    codec: Decode,
    block: &mut [u8],
    streams: usize,
) -> Result<()> {
    if !block.len().is_multiple_of(streams) {
        return Err("a block of its blosc has no whole elements".to_owned());
    }
    let mut at = begin;
    let length = block.len() / streams;
    for out in block.chunks_exact_mut(length) {
        let wrong = || "a block of its blosc is beyond its end".to_owned();
        let stored = number(chunk, at).ok_or_else(wrong)?;
        at += 4;
        let end = at.checked_add(stored);
        let stream = end.and_then(|end| chunk.get(at..end)).ok_or_else(wrong)?;
        at += stored;
        if stored == length {
            out.copy_from_slice(stream);
        } else if !codec(stream, out) {
            return Err("a block of its blosc is damaged".to_owned());
        }
    }
    Ok(())
}

fn is_all(decode: fn(&[u8], u64) -> Result<Vec<u8>>, stream: &[u8], out: &mut [u8]) -> bool {
    // One byte more is read, to find a stream that is too long.
    let decoded = decode(stream, out.len() as u64 + 1);
    let decoded = decoded.ok().filter(|decoded| decoded.len() == out.len());
    decoded.is_some_and(|decoded| {
        out.copy_from_slice(&decoded);
        true
    })
}

/// BloscLZ: a control byte below 32 is before as many literal bytes and one more; another one has a
/// length in its upper 3 bits and a distance in the others and the next byte.
fn blosclz(stream: &[u8], out: &mut [u8]) -> Option<usize> {
    /// The distance from which on it has 16 bits of its own.
    const FAR: usize = 8191;
    let mut from = 0;
    let mut to = 0;
    let mut next = || -> Option<usize> {
        let byte = *stream.get(from)?;
        from += 1;
        Some(usize::from(byte))
    };
    // The first bytes are always literal.
    let mut control = next()? & 31;
    loop {
        if control < 32 {
            for _ in 0..=control {
                *out.get_mut(to)? = next()? as u8;
                to += 1;
            }
        } else {
            let mut length = (control >> 5) - 1;
            let high = (control & 31) << 8;
            if length == 6 {
                loop {
                    let more = next()?;
                    length += more;
                    if more < 255 {
                        break;
                    }
                }
            }
            let low = next()?;
            let distance = if low == 255 && high == 31 << 8 {
                (next()? << 8 | next()?) + FAR + 1
            } else {
                high + low + 1
            };
            let begin = to.checked_sub(distance)?;
            let end = to.checked_add(length + 3).filter(|end| *end <= out.len())?;
            // The bytes may overlap those that they become.
            for k in 0..end - to {
                out[to + k] = out[begin + k];
            }
            to = end;
        }
        match next() {
            Some(byte) => control = byte,
            None => return Some(to),
        }
    }
}

/// Byte `j` of all elements is together.
fn unshuffle(packed: &[u8], width: usize, out: &mut [u8]) {
    let count = out.len() / width;
    let (elements, rest) = out.split_at_mut(count * width);
    for (k, element) in elements.chunks_exact_mut(width).enumerate() {
        for (j, byte) in element.iter_mut().enumerate() {
            *byte = packed[j * count + k];
        }
    }
    rest.copy_from_slice(&packed[count * width..]);
}

/// Bit `k` of byte `j` of all elements is together. Blocks whose elements are no multiple of 8 are
/// as they were.
fn unshuffle_bits(packed: &[u8], width: usize, out: &mut [u8]) {
    let count = out.len() / width;
    if !count.is_multiple_of(8) {
        out.copy_from_slice(packed);
        return;
    }
    let (elements, rest) = out.split_at_mut(count * width);
    elements.fill(0);
    for (row, bits) in packed[..count * width]
        .chunks_exact((count / 8).max(1))
        .enumerate()
    {
        let byte = row / 8;
        let bit = row % 8;
        for (eight, bits) in bits.iter().enumerate() {
            for k in 0..8 {
                elements[(8 * eight + k) * width + byte] |= (bits >> k & 1) << bit;
            }
        }
    }
    rest.copy_from_slice(&packed[count * width..]);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A chunk of one block and one stream, of 1-byte elements.
    fn chunk(flags: u8, bytes: u32, stream: &[u8]) -> Vec<u8> {
        let stored = (HEADER + 8 + stream.len()) as u32;
        let mut chunk = vec![2, 1, flags | ONE_STREAM, 1];
        chunk.extend([bytes, bytes, stored].map(u32::to_le_bytes).concat());
        chunk.extend([20, stream.len() as u32].map(u32::to_le_bytes).concat());
        chunk.extend(stream);
        chunk
    }

    #[test]
    fn runs_of_blosclz() {
        // `ab`, then 9 + 3 bytes at distance 2.
        let stream = [1, b'a', b'b', 7 << 5, 3, 1];
        let expected = b"ababababababab";
        assert_eq!(decode(&chunk(0, 14, &stream), 14), Ok(expected.to_vec()));
        // A distance before the beginning, a length beyond the end, a stream that is cut off.
        for stream in [
            &[1, b'a', b'b', 7 << 5, 3, 2][..],
            &[1, b'a', b'b', 7 << 5, 9, 1],
            &stream[..5],
        ] {
            assert!(decode(&chunk(0, 14, stream), 14).is_err(), "{stream:?}");
        }
    }

    /// What is damaged is an error, or other bytes, and never a panic; no more memory is taken than
    /// is allowed.
    #[test]
    fn no_flipped_byte_panics() {
        let lz4 = [0x23, b'a', b'b', 2, 0, 0x50, b'c', b'd', b'e', b'f', b'g'];
        let whole = decode(&chunk(1 << 5, 14, &lz4), 14);
        assert_eq!(whole, Ok(b"ababababacdefg".to_vec()));
        let mut results = [0; 2];
        for (flags, stream) in [(0, &[1, b'a', b'b', 7 << 5, 3, 1][..]), (1 << 5, &lz4)] {
            let whole = chunk(flags, 14, stream);
            for at in 0..whole.len() {
                for byte in 0..=u8::MAX {
                    let mut damaged = whole.clone();
                    damaged[at] = byte;
                    let found = decode(&damaged, 14);
                    assert!(found.as_ref().map_or(0, Vec::len) <= 14);
                    results[usize::from(found.is_ok())] += 1;
                }
            }
            for length in 0..whole.len() {
                assert!(decode(&whole[..length], 14).is_err());
            }
        }
        assert!(results.iter().all(|count| *count > 100), "{results:?}");
    }
}
