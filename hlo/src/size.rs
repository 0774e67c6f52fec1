//! Bytes as XLA writes them: `15.75G`, `530.00M`, `384.0KiB`, `0B`. The units are powers of 1024, with and without `iB`.

/// The bytes that a text means; a fraction of a byte is left out.
///
/// # Errors
/// What to write instead, for a person.
///
/// ```
/// assert_eq!(xlayout_hlo::parse_size("15.75G"), Ok(16_911_433_728));
/// assert_eq!(xlayout_hlo::parse_size("384.0KiB"), xlayout_hlo::parse_size("384K"));
/// assert!(xlayout_hlo::parse_size("16GB").is_err());
/// ```
pub fn parse_size(text: &str) -> Result<u64, String> {
    let how =
        "write bytes as XLA does: 15.75G, 530M or 16911433728; K, M, G and T are powers of 1024";
    let text = text.trim();
    let number = text.trim_end_matches(|c: char| !c.is_ascii_digit());
    let unit = match text[number.len()..].trim_start() {
        "" | "B" | "byte" | "bytes" => 0,
        "K" | "KiB" => 10,
        "M" | "MiB" => 20,
        "G" | "GiB" => 30,
        "T" | "TiB" => 40,
        decimal @ ("KB" | "kB" | "MB" | "GB" | "TB") => {
            let letter = &decimal[..1].to_uppercase();
            return Err(format!(
                "`{decimal}` is a power of 1000 to some and of 1024 to others: write {letter}iB for a power of 1024, or the bytes"
            ));
        }
        unit => return Err(format!("`{unit}` is no unit of bytes; {how}")),
    };
    let plain = |byte: u8| byte.is_ascii_digit() || byte == b'.';
    let number = Some(number).filter(|number| number.bytes().all(plain));
    match number.and_then(|number| number.parse::<f64>().ok()) {
        Some(number) if number < (1_u64 << (63 - unit)) as f64 => {
            Ok((number * (1_u64 << unit) as f64) as u64)
        }
        Some(_) => Err("it is more than 2^63 bytes".to_owned()),
        None => Err(how.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_those_of_xla() {
        for (text, bytes) in [
            ("0B", 0),
            ("4.0K", 4096),
            ("1.2K", 1228),
            ("29.82M", 31_268_536),
            ("32.00G", 32 << 30),
            ("6.00MiB", 6 << 20),
            ("6291456 bytes", 6 << 20),
            ("16911433728", 16_911_433_728),
            ("1T", 1 << 40),
            (".5K", 512),
        ] {
            assert_eq!(parse_size(text), Ok(bytes), "{text}");
        }
        for text in [
            "",
            "G",
            "1.2.3G",
            "-1G",
            "5 apples",
            "16GB",
            "99999999999999999999",
            "17000000T",
            "é",
        ] {
            assert!(parse_size(text).is_err(), "{text}");
        }
    }
}
