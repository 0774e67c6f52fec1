//! Unpacks compressed files while they are read: only the window of the compression is in memory.

use std::io::{self, BufRead, BufReader, Cursor, Read};

use flate2::bufread::MultiGzDecoder;
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};

/// The first bytes of a compressed file.
const GZIP: &[u8] = &[0x1f, 0x8b];
const ZSTD: &[u8] = &[0x28, 0xb5, 0x2f, 0xfd];
/// The largest window of a Zstandard file; `zstd --long=27` needs no more.
const WINDOW: u64 = 128 << 20;

/// Returns the input, unpacked if it is compressed with gzip or zstd.
///
/// # Errors
/// If it cannot be read, or if the beginning is damaged.
pub fn unpacked<'a>(input: impl Read + 'a) -> io::Result<Box<dyn Read + 'a>> {
    let (first, input) = peeked(input, 4)?;
    Ok(match first {
        _ if first.starts_with(GZIP) => Box::new(MultiGzDecoder::new(BufReader::new(input))),
        _ if first.starts_with(ZSTD) => Box::new(Zstandard::new(BufReader::new(input))?),
        _ => Box::new(input),
    })
}

/// The name of a file without the extension of its compression.
pub fn without_packing(mut name: &str) -> &str {
    for end in [".gz", ".zst"] {
        name = name.strip_suffix(end).unwrap_or(name);
    }
    name
}

/// Returns the first bytes of an input, and the whole input.
pub(super) fn peeked<R: Read>(
    mut input: R,
    length: usize,
) -> io::Result<(Vec<u8>, io::Chain<Cursor<Vec<u8>>, R>)> {
    let mut first = Vec::with_capacity(length);
    input.by_ref().take(length as u64).read_to_end(&mut first)?;
    Ok((first.clone(), Cursor::new(first).chain(input)))
}

/// A zstd file: a sequence of frames.
struct Zstandard<R: BufRead> {
    input: R,
    frame: FrameDecoder,
}

impl<R: BufRead> Zstandard<R> {
    fn new(mut input: R) -> io::Result<Self> {
        let mut frame = FrameDecoder::new();
        frame.set_max_window_size(WINDOW);
        frame.init(&mut input).map_err(|_| damaged())?;
        Ok(Self { input, frame })
    }
}

/// The error for damaged data; the decoder's own words name parts of the format.
fn damaged() -> io::Error {
    io::Error::other("it is compressed by zstd, and damaged or cut short")
}

impl<R: BufRead> Read for Zstandard<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            let read = self.frame.read(buffer)?;
            if read > 0 || buffer.is_empty() {
                return Ok(read);
            }
            let next = if !self.frame.is_finished() {
                let next_block = BlockDecodingStrategy::UptoBlocks(1);
                self.frame
                    .decode_blocks(&mut self.input, next_block)
                    .map(|_| ())
            } else if self.input.fill_buf()?.is_empty() {
                return Ok(0);
            } else {
                self.frame.reset(&mut self.input)
            };
            next.map_err(|_| damaged())?;
        }
    }
}
