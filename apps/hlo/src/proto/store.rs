//! Random access to the bytes of a binary module, without all of them in memory.
//!
//! In a proto, the beginning may refer to the end, and the order of a schedule differs from that of
//! the instructions, so the file is read at any position. A large input that is not a plain file,
//! such as a pipe or a compressed file, is first written to a temporary file.

use std::io::{self, Read, Seek, SeekFrom, Write};
use std::ops::Range;

/// XLA's own limit for a proto.
const LARGEST: u64 = 2 << 30;
/// Smaller inputs are kept in memory.
const HELD: usize = 16 << 20;
/// The number of bytes that are read at once. A schedule that jumps reads this many for each
/// instruction.
const BLOCK: usize = 8 << 10;

/// The largest number of bytes that one instruction, or one field of the module, may take.
const MOST: u64 = 128 << 20;

/// The number of bytes of a name that are read.
const NAME: u64 = 8 << 10;

trait Input: Read + Seek {}

impl<T: Read + Seek> Input for T {}

pub(super) struct Store {
    input: Box<dyn Input>,
    pub(super) length: u64,
    /// The part of the input from `start` on.
    block: Vec<u8>,
    start: u64,
    /// The memory that may still be allocated: two bytes of a file may be a message of more than a
    /// hundred bytes.
    left: u64,
    /// The part that is being read, for errors.
    pub(super) what: String,
}

/// The value of a field.
pub(super) enum Field {
    Number(u64),
    /// The position of a string, a message, or packed numbers.
    Bytes(Range<u64>),
    /// A field of four or eight bytes, which is not needed.
    Fixed,
}

/// The fields of a message that are still to be read.
#[derive(Clone, Debug)]
pub(super) struct Fields(pub(super) Range<u64>);

/// The error for damaged bytes, as opposed to bytes that cannot be read.
pub(super) fn damaged(what: String) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what)
}

/// The error for bytes that end before their stated length.
fn cut(what: String) -> io::Error {
    io::Error::new(io::ErrorKind::UnexpectedEof, what)
}

/// Whether the error is that a message states a length beyond its bytes. If these are a whole file,
/// the file was cut short.
pub(super) fn is_cut(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::UnexpectedEof
}

pub(super) fn is_damaged(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::InvalidData || is_cut(error)
}

impl Store {
    /// Opens `file`, which can be read at any position, if it is given; otherwise `input`, which
    /// can be read once.
    ///
    /// # Errors
    /// If it cannot be read, if it exceeds the limit of a proto, or if the temporary file cannot be
    /// written.
    pub(super) fn of<F: Read + Seek + 'static>(
        input: impl Read,
        file: Option<F>,
    ) -> io::Result<Self> {
        if let Some(mut file) = file {
            let length = file.seek(SeekFrom::End(0))?;
            return Self::new(Box::new(file), length);
        }
        Self::of_stream(input, HELD)
    }

    /// Reads a stream, of which at most `most_held` bytes are kept in memory.
    pub(super) fn of_stream(input: impl Read, most_held: usize) -> io::Result<Self> {
        let mut held = tempfile::spooled_tempfile(most_held);
        let mut input = input.take(LARGEST + 1);
        let mut buffer = vec![0; 64 << 10];
        let mut length = 0;
        loop {
            let read = match input.read(&mut buffer) {
                Ok(0) => break,
                Ok(read) => read,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            held.write_all(&buffer[..read]).map_err(|error| {
                let folder = std::env::temp_dir();
                // Without the kind of the original error, which would refer to the input.
                io::Error::other(format!(
                    "it has more than {} MiB and is no plain file, so it is copied to a temporary file, which cannot be written \
                     in `{}`: {error}; unpack it to a file, or set TMPDIR to another folder",
                    most_held >> 20,
                    folder.display()
                ))
            })?;
            length += read as u64;
        }
        Self::new(Box::new(held), length)
    }

    fn new(input: Box<dyn Input>, length: u64) -> io::Result<Self> {
        if length > LARGEST {
            return Err(io::Error::other(
                "it has more than 2 GiB, the limit of a proto",
            ));
        }
        Ok(Self {
            input,
            length,
            block: Vec::new(),
            start: 0,
            left: MOST,
            what: String::new(),
        })
    }

    /// Begins with a part, which may take its own memory.
    pub(super) fn begin(&mut self, what: String) {
        (self.left, self.what) = (MOST, what);
    }

    /// Subtracts `bytes` from the remaining memory.
    ///
    /// # Errors
    /// If fewer bytes remain.
    pub(super) fn take(&mut self, bytes: u64) -> io::Result<()> {
        let (what, most) = (&self.what, MOST >> 20);
        let error = || format!("{what} would take more than {most} MiB of memory");
        let left = self.left.checked_sub(bytes);
        self.left = left.ok_or_else(|| io::Error::other(error()))?;
        Ok(())
    }

    /// Adds the numbers of a repeated field to a list.
    ///
    /// # Errors
    /// If they cannot be read, or if there are too many.
    pub(super) fn list(&mut self, field: Field, all: &mut Vec<i64>) -> io::Result<()> {
        // A growing list may take up to twice its length.
        self.take(match &field {
            Field::Bytes(range) => 16 * (range.end - range.start),
            _ => 16,
        })?;
        self.numbers(field, &mut |number| all.push(number))
    }

    /// The fields of the whole message.
    pub(super) fn fields(&self) -> Fields {
        Fields(0..self.length)
    }

    /// The bytes from `at` on: `count` bytes, or fewer at the end.
    fn at(&mut self, at: u64, count: usize) -> io::Result<&[u8]> {
        let count =
            count.min(usize::try_from(self.length.saturating_sub(at)).unwrap_or(usize::MAX));
        let end = at + count as u64;
        if at < self.start || end > self.start + self.block.len() as u64 {
            self.input.seek(SeekFrom::Start(at))?;
            let size = (self.length - at).min(BLOCK.max(count) as u64);
            // Do not keep the buffer of a long field.
            if self.block.capacity() > 2 * BLOCK {
                self.block = Vec::new();
            }
            self.block.clear();
            self.start = at;
            self.input
                .by_ref()
                .take(size)
                .read_to_end(&mut self.block)?;
        }
        let begin = (at - self.start) as usize;
        let rest = &self.block[begin..];
        // The file became shorter.
        rest.get(..count).ok_or(io::ErrorKind::UnexpectedEof.into())
    }

    /// All bytes of a range.
    pub(super) fn bytes(&mut self, range: &Range<u64>) -> io::Result<&[u8]> {
        let count = usize::try_from(range.end - range.start)
            .map_err(|_| damaged("a field is longer than memory".to_owned()))?;
        self.at(range.start, count)
    }

    /// Reads a name, up to [`NAME`] bytes. Names in a text have the same limit.
    pub(super) fn name(&mut self, range: &Range<u64>) -> io::Result<String> {
        let end = range.end.min(range.start + NAME);
        let bytes = self.bytes(&(range.start..end))?;
        Ok(String::from_utf8_lossy(bytes).into_owned())
    }

    /// Reads a number and advances.
    fn number(&mut self, fields: &mut Fields) -> io::Result<u64> {
        let Fields(rest) = fields;
        let room = (rest.end - rest.start).min(10) as usize;
        let bytes = self.at(rest.start, room)?;
        let mut number = 0_u64;
        for (k, &byte) in bytes.iter().enumerate() {
            // The tenth byte has one bit.
            if k == 9 && byte > 1 {
                break;
            }
            number |= u64::from(byte & 0x7f) << (7 * k);
            if byte < 0x80 {
                rest.start += k as u64 + 1;
                return Ok(number);
            }
        }
        let at = rest.start;
        Err(match room < 10 && bytes.iter().all(|&byte| byte >= 0x80) {
            true => cut(format!(
                "it ends at byte {}, inside of the number at byte {at}",
                rest.end
            )),
            false => damaged(format!("no number at byte {at}")),
        })
    }

    /// Reads the next field and its number, and advances.
    ///
    /// # Errors
    /// If the bytes cannot be read, or are not a field: see [`is_damaged`].
    pub(super) fn next(&mut self, fields: &mut Fields) -> io::Result<Option<(u64, Field)>> {
        if fields.0.is_empty() {
            return Ok(None);
        }
        let begin = fields.0.start;
        let key = self.number(fields)?;
        let length = match key & 7 {
            0 => return Ok(Some((key >> 3, Field::Number(self.number(fields)?)))),
            1 => 8,
            2 => self.number(fields)?,
            5 => 4,
            _ => return Err(damaged(format!("no field at byte {begin}"))),
        };
        let Fields(rest) = fields;
        if key >> 3 == 0 {
            return Err(damaged(format!("no field at byte {begin}")));
        }
        if length > rest.end - rest.start {
            let (end, follow) = (rest.end, rest.end - rest.start);
            return Err(match length <= LARGEST {
                true => cut(format!(
                    "it ends at byte {end}, where the field at byte {begin} needs {} bytes more",
                    length - follow
                )),
                false => damaged(format!(
                    "the field at byte {begin} has {length} bytes and {follow} follow"
                )),
            });
        }
        let value = rest.start..rest.start + length;
        rest.start = value.end;
        let field = match key & 7 {
            2 => Field::Bytes(value),
            _ => Field::Fixed,
        };
        Ok(Some((key >> 3, field)))
    }

    /// Returns, for each of these fields of a message, the last number and the last bytes.
    pub(super) fn last<const N: usize>(
        &mut self,
        message: Range<u64>,
        tags: [u64; N],
    ) -> io::Result<[(i64, Option<Range<u64>>); N]> {
        let mut last = [const { (0, None) }; N];
        let mut rest = Fields(message);
        while let Some((tag, field)) = self.next(&mut rest)? {
            let known = tags.iter().position(|known| *known == tag);
            match (known, field) {
                (Some(k), Field::Number(number)) => last[k].0 = number as i64,
                (Some(k), Field::Bytes(bytes)) => last[k].1 = Some(bytes),
                _ => {}
            }
        }
        Ok(last)
    }

    /// Reads the next string or message with this number.
    pub(super) fn message(
        &mut self,
        fields: &mut Fields,
        number: u64,
    ) -> io::Result<Option<Range<u64>>> {
        while let Some((tag, field)) = self.next(fields)? {
            if let (true, Field::Bytes(message)) = (tag == number, field) {
                return Ok(Some(message));
            }
        }
        Ok(None)
    }

    /// Calls `take` for each number of a repeated field, packed or not.
    pub(super) fn numbers(&mut self, field: Field, take: &mut dyn FnMut(i64)) -> io::Result<()> {
        match field {
            Field::Number(number) => take(number as i64),
            Field::Bytes(range) => {
                let mut packed = Fields(range);
                while !packed.0.is_empty() {
                    take(self.number(&mut packed)? as i64);
                }
            }
            Field::Fixed => {}
        }
        Ok(())
    }
}
