//! What to write in the place of a number in another form.

use core::fmt::{Formatter, Result};

use super::message::items;
use super::parts::{Excerpt, Item, NumberFlaw};

pub(super) fn number_help(
    f: &mut Formatter<'_>,
    item: Item,
    found: Excerpt,
    flaw: NumberFlaw,
) -> Result {
    let text = found.as_str();
    let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
    let listed = matches!(
        item,
        Item::Dimension | Item::MinorToMajorEntry | Item::Tile | Item::Padded | Item::SplitIndex
    );
    let separated = |f: &mut Formatter<'_>, by: char| {
        write!(f, "separate {} with a comma: `", items(item))?;
        for (k, part) in text.split(by).enumerate() {
            write!(f, "{}{part}", if k == 0 { "" } else { "," })?;
        }
        f.write_str("`")
    };
    if let (NumberFlaw::Fraction, Some(whole)) = (flaw, whole_part(text)) {
        return write!(f, "write `{whole}`");
    }
    match flaw {
        // Not `2..4`, which is no list of numbers.
        NumberFlaw::Fraction if listed && text.split('.').all(|part| !part.is_empty()) => {
            separated(f, '.')
        }
        NumberFlaw::Times if listed => separated(f, 'x'),
        NumberFlaw::Suffix => write!(f, "write `{}`", &text[..digits(text)]),
        NumberFlaw::Underscore => {
            f.write_str("write `")?;
            text.bytes()
                .filter(u8::is_ascii_digit)
                .try_for_each(|b| write!(f, "{}", char::from(b)))?;
            f.write_str("`")
        }
        NumberFlaw::Plus => write!(f, "write `{}`", text.trim_start_matches('+').trim_start()),
        NumberFlaw::Exponent | NumberFlaw::Radix => match plain_value(text) {
            Some(value) => write!(f, "write `{value}`"),
            None => f.write_str("write it in plain decimal digits"),
        },
        _ => f.write_str("write a whole number in plain decimal digits"),
    }
}

/// The value of `0x10`, `0b11`, `0o17` or `1e3`.
fn plain_value(text: &str) -> Option<u64> {
    let radix = match text.get(..2)? {
        "0x" | "0X" => 16,
        "0b" | "0B" => 2,
        "0o" | "0O" => 8,
        _ => {
            let (mantissa, exponent) = text.split_once(['e', 'E'])?;
            let power = 10u64.checked_pow(exponent.parse::<u64>().ok()?.try_into().ok()?)?;
            return mantissa.parse::<u64>().ok()?.checked_mul(power);
        }
    };
    u64::from_str_radix(&text[2..], radix).ok()
}

/// The whole part of a number with nothing but zeros after its point: `2` of `2.0` and of `2.`.
pub(crate) fn whole_part(number: &str) -> Option<&str> {
    let (whole, zeros) = number.split_once('.')?;
    let digits = !whole.is_empty() && whole.bytes().all(|b| b.is_ascii_digit());
    (digits && zeros.bytes().all(|b| b == b'0')).then_some(whole)
}
