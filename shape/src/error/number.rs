//! What is wrong with the form of a number, and what to write in its place.

use core::fmt::{Display, Formatter, Write as _};

use super::{Excerpt, Item, NumberFlaw};
use crate::words::from_fn;

/// What is wrong with a number that is written so.
pub(super) fn number_fault(item: Item, found: Excerpt, flaw: NumberFlaw) -> impl Display {
    from_fn(move |f| {
        let fault = match flaw {
            NumberFlaw::Fraction if whole_part(found.as_str()).is_some() => "has a decimal point",
            NumberFlaw::Fraction => return write!(f, "`{found}` is not a whole number"),
            NumberFlaw::Times => return write!(f, "`{found}` is not one number"),
            NumberFlaw::Suffix => "has a type suffix",
            NumberFlaw::Underscore => "has an underscore",
            NumberFlaw::Plus => "has a plus sign",
            _ => "is not in plain decimal digits",
        };
        write!(f, "the {} `{found}` {fault}", item.one())
    })
}

/// What to write for a number that is written so.
pub(super) fn number_help(item: Item, found: Excerpt, flaw: NumberFlaw) -> impl Display {
    from_fn(move |f| {
        let text = found.as_str();
        let listed = matches!(
            item,
            Item::Dimension
                | Item::MinorToMajorEntry
                | Item::Tile
                | Item::Padded
                | Item::SplitIndex
        );
        let separated = |f: &mut Formatter<'_>, separator: char| {
            write!(f, "separate {} with a comma: `", item.many())?;
            for c in text.chars() {
                f.write_char(if c == separator { ',' } else { c })?;
            }
            f.write_str("`")
        };
        if let (NumberFlaw::Fraction, Some(whole)) = (flaw, whole_part(text)) {
            return write!(f, "write `{whole}`");
        }
        match flaw {
            // Not `2..4`, which is no list of numbers.
            NumberFlaw::Fraction if listed && has_parts(text) => separated(f, '.'),
            NumberFlaw::Times if listed => separated(f, 'x'),
            NumberFlaw::Suffix | NumberFlaw::Underscore => {
                f.write_str("write `")?;
                for c in text.chars() {
                    if c.is_ascii_digit() {
                        f.write_char(c)?;
                    } else if flaw == NumberFlaw::Suffix {
                        break;
                    }
                }
                f.write_str("`")
            }
            NumberFlaw::Plus => {
                let mut text = text;
                while let Some(after) = text.strip_prefix("+") {
                    text = after;
                }
                write!(f, "write `{}`", text.trim_start())
            }
            NumberFlaw::Exponent | NumberFlaw::Radix => match plain_value(text) {
                Some(value) => write!(f, "write `{value}`"),
                None => f.write_str("write it in plain decimal digits"),
            },
            _ => f.write_str("write a whole number in plain decimal digits"),
        }
    })
}

/// Whether something is before, between and after the points: in `2.3.4`, not in `2..4`.
fn has_parts(text: &str) -> bool {
    let mut before = b'.';
    for &byte in text.as_bytes() {
        if byte == b'.' && before == b'.' {
            return false;
        }
        before = byte;
    }
    before != b'.'
}

/// The value of `0x10`, `0b11`, `0o17` or `1e3`.
fn plain_value(text: &str) -> Option<u64> {
    let radix = match text.get(..2)? {
        "0x" | "0X" => 16,
        "0b" | "0B" => 2,
        "0o" | "0O" => 8,
        _ => {
            let (mantissa, exponent) = split_at_byte(text, b'e').or(split_at_byte(text, b'E'))?;
            let power = 10u64.checked_pow(exponent.parse::<u64>().ok()?.try_into().ok()?)?;
            return mantissa.parse::<u64>().ok()?.checked_mul(power);
        }
    };
    u64::from_str_radix(&text[2..], radix).ok()
}

/// The whole part of a number with nothing but zeros after its point: `2` of `2.0` and of `2.`.
pub(crate) fn whole_part(number: &str) -> Option<&str> {
    let (whole, zeros) = split_at_byte(number, b'.')?;
    for digit in whole.as_bytes() {
        if !digit.is_ascii_digit() {
            return None;
        }
    }
    for zero in zeros.as_bytes() {
        if *zero != b'0' {
            return None;
        }
    }
    (!whole.is_empty()).then_some(whole)
}

/// What is before and after the first `byte`, which is ASCII. `str::split_once` generates more
/// code.
pub(crate) fn split_at_byte(text: &str, byte: u8) -> Option<(&str, &str)> {
    let mut at = 0;
    while *text.as_bytes().get(at)? != byte {
        at += 1;
    }
    Some((&text[..at], &text[at + 1..]))
}
