//! Bytes as XLA writes them: `15.75G`, `530.00M`, `384.0KiB`, `0B`. The units are powers of 1024,
//! with and without `iB`.

/// Returns the number of bytes that a text means; a fraction of a byte is dropped.
///
/// # Errors
/// If the text is not a size. The error says what to write instead.
///
/// ```
/// assert_eq!(xlayout_hlo::parse_size("15.75G"), Ok(16_911_433_728));
/// assert_eq!(xlayout_hlo::parse_size("384.0KiB"), xlayout_hlo::parse_size("384K"));
/// assert!(xlayout_hlo::parse_size("16GB").is_err());
/// ```
pub fn parse_size(text: &str) -> Result<u64, String> {
    let how =
        "write bytes as XLA does: 15.75G, 530M or 16911433728; K, M, G and T are powers of 1024";
    let (number, unit) = number_and_unit(text);
    let unit = match unit {
        "" | "B" | "byte" | "bytes" => 0,
        "K" | "KiB" => 10,
        "M" | "MiB" => 20,
        "G" | "GiB" => 30,
        "T" | "TiB" => 40,
        "P" | "PiB" => 50,
        "E" | "EiB" => 60,
        decimal @ ("KB" | "kB" | "MB" | "GB" | "TB") => {
            let letter = &decimal[..1].to_uppercase();
            return Err(format!(
                "`{decimal}` is a power of 1000 to some and of 1024 to others: write {letter}iB for a power of 1024, or the bytes"
            ));
        }
        unit => return Err(format!("`{unit}` is no unit of bytes; {how}")),
    };
    match number {
        Some(number) if number < (1_u64 << (63 - unit)) as f64 => {
            Ok((number * (1_u64 << unit) as f64) as u64)
        }
        Some(_) => Err("it is more than 2^63 bytes".to_owned()),
        None => Err(how.to_owned()),
    }
}

/// Returns the bytes per second that a text means: `819GB/s`, `1.6TB/s`. Makers of devices count in
/// powers of 1000.
///
/// # Errors
/// If the text is not a bandwidth. The error says what to write instead.
///
/// ```
/// assert_eq!(xlayout_hlo::parse_bandwidth("819GB/s"), Ok(819_000_000_000));
/// assert!(xlayout_hlo::parse_bandwidth("819").is_err());
/// ```
pub fn parse_bandwidth(text: &str) -> Result<u64, String> {
    let how = "write the bandwidth of the memory with its unit: 819GB/s or 1.6TB/s, in powers of 1000, or GiB/s";
    let (number, unit) = number_and_unit(text);
    let unit = match unit.strip_suffix("/s") {
        Some("MB") => 1e6,
        Some("GB") => 1e9,
        Some("TB") => 1e12,
        Some("MiB") => f64::from(1 << 20),
        Some("GiB") => f64::from(1 << 30),
        Some("TiB") => (1_u64 << 40) as f64,
        _ if unit.is_empty() => return Err(how.to_owned()),
        _ => return Err(format!("`{unit}` is no unit of a bandwidth; {how}")),
    };
    match number.map(|number| number * unit) {
        Some(bytes) if (1.0..1e18).contains(&bytes) => Ok(bytes.round() as u64),
        Some(_) => Err("it is less than a byte or more than 10^18 bytes in a second".to_owned()),
        None => Err(how.to_owned()),
    }
}

/// Splits a number without sign or exponent, if there is one, from the rest.
fn number_and_unit(text: &str) -> (Option<f64>, &str) {
    let text = text.trim();
    let unit = text.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
    let number = &text[..text.len() - unit.len()];
    (number.parse().ok(), unit.trim_start())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bandwidths_have_units() {
        for (text, bytes) in [
            ("819GB/s", 819_000_000_000),
            ("1.638 TB/s", 1_638_000_000_000),
            ("500MB/s", 500_000_000),
            ("2GiB/s", 2 << 30),
        ] {
            assert_eq!(parse_bandwidth(text), Ok(bytes), "{text}");
        }
        for text in [
            "",
            "819",
            "819GB",
            "GB/s",
            "0GB/s",
            "-1GB/s",
            "9999999TB/s",
            "1e3GB/s",
            "819Gb/s",
            "é",
        ] {
            assert!(parse_bandwidth(text).is_err(), "{text}");
        }
    }

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
