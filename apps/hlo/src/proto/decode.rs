//! Messages from bytes, and what is wrong with the bytes.

use std::io;

use prost::Message;
use prost::bytes::Bytes;

/// The error for damaged bytes, as opposed to bytes that cannot be read.
pub(super) fn damaged(what: impl Into<String>) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what.into())
}

pub(super) fn is_damaged(error: &io::Error) -> bool {
    use io::ErrorKind::{InvalidData, UnexpectedEof};
    matches!(error.kind(), InvalidData | UnexpectedEof)
}

/// Adds to the error of damaged bytes the part in which they are.
pub(super) fn in_part(part: &str, error: io::Error) -> io::Error {
    if is_damaged(&error) {
        io::Error::other(format!("{part} of the proto is damaged: {error}"))
    } else {
        error
    }
}

/// Decodes a message. Its [`Bytes`] are parts of these.
pub(super) fn decode<M: Message + Default>(bytes: &Bytes) -> io::Result<M> {
    M::decode(bytes.clone()).map_err(|error| {
        damaged(
            error
                .to_string()
                .trim_start_matches("failed to decode Protobuf message: "),
        )
    })
}

/// The place of a part in the file.
pub(super) fn place(file: &Bytes, part: &Bytes) -> usize {
    part.as_ptr().addr().saturating_sub(file.as_ptr().addr())
}
