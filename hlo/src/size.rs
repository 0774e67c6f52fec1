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
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if whole.is_empty() || !digits(whole) || !digits(fraction) {
        return Err(how.to_owned());
    }
    // More digits than that are below a byte of 2^40.
    let fraction = &fraction[..fraction.len().min(13)];
    let read = |text: &str| match text {
        "" => Ok(0),
        text => text.parse::<u64>(),
    };
    let too_large = |_| "more than 2^64 bytes".to_owned();
    let (whole, part) = (
        read(whole).map_err(too_large)?,
        read(fraction).map_err(too_large)?,
    );
    let part = (u128::from(part) << unit) / 10_u128.pow(fraction.len() as u32);
    u64::try_from((u128::from(whole) << unit) + part).map_err(|_| "more than 2^64 bytes".to_owned())
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
        ] {
            assert_eq!(parse_size(text), Ok(bytes), "{text}");
        }
        for text in [
            "",
            "G",
            ".5G",
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
