//! Messages written by hand, so that wrong ones can be had.

use xlayout_proto::ProtoError;

/// A field of varints: `number: value`.
pub(crate) fn varint(number: u32, value: i64) -> Vec<u8> {
    let mut bytes = Vec::new();
    for mut rest in [u64::from(number) << 3, value as u64] {
        while rest >= 0x80 {
            bytes.push(rest as u8 | 0x80);
            rest >>= 7;
        }
        bytes.push(rest as u8);
    }
    bytes
}

/// A field of bytes: `number { … }`.
pub(crate) fn bytes(number: u32, inside: &[u8]) -> Vec<u8> {
    let mut bytes = varint(number, inside.len() as i64);
    bytes[0] |= 2;
    bytes.extend(inside);
    bytes
}

/// The words of an error, which has some, and help beside them.
pub(crate) fn shown(error: &ProtoError) -> String {
    assert!(!error.to_string().is_empty() && !error.help().to_string().is_empty());
    error.message().to_string()
}
