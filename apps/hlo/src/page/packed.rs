//! A value as the script of a page unpacks it: its JSON, deflated, in base64.
//!
//! The pictures of layouts are nine tenths of a page, and most of their text repeats.

use std::io::{self, Write};

use flate2::Compression;
use flate2::write::ZlibEncoder;
use serde_json::Value;

const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// Packs the text of a value.
pub(crate) fn packed(value: Value) -> Value {
    let bytes = deflated(&value.to_string())
        .unwrap_or_else(|error| unreachable!("compressing a text in memory: {error}"));
    base64(&bytes).into()
}

fn deflated(text: &str) -> io::Result<Vec<u8>> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(text.as_bytes())?;
    encoder.finish()
}

fn base64(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for group in bytes.chunks(3) {
        let byte = |k: usize| u32::from(group.get(k).copied().unwrap_or(0));
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        for k in 0..4 {
            let digit = DIGITS[(bits >> (18 - 6 * k)) as usize & 63];
            let is_there = k <= group.len();
            text.push(if is_there { char::from(digit) } else { '=' });
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::base64;

    /// The examples of RFC 4648.
    #[test]
    fn base64_is_that_of_the_standard() {
        let all = ["", "f", "fo", "foo", "foob", "fooba", "foobar"];
        let expected = [
            "", "Zg==", "Zm8=", "Zm9v", "Zm9vYg==", "Zm9vYmE=", "Zm9vYmFy",
        ];
        assert_eq!(all.map(|text| base64(text.as_bytes())), expected);
        assert_eq!(base64(&[0xff, 0xfb, 0xf0]), "//vw");
    }
}
