//! The table of a module's arrays, 100 columns wide.

use std::fmt::Write as _;
use std::io::{self, Write};

use xlayout::{LaidOut, Mode};

use crate::scan::{Array, Module};
use crate::style::Style;

/// The width of the column for the array; longer ones push the numbers to the next line.
const TEXT: usize = 50;
const WIDTH: usize = 100;

/// Bytes, and the padding in them.
#[derive(Clone, Copy, Default)]
pub(crate) struct Bytes {
    pub(crate) all: u128,
    pub(crate) padding: u128,
}

impl Bytes {
    fn of(array: &Array) -> Self {
        let layout = &array.layout;
        let all = layout.bytes() as u128 * array.times as u128;
        let padding = layout.padding() as u128 * layout.element_bits() as u128 / 8;
        Self {
            all,
            padding: padding * array.times as u128,
        }
    }

    /// Padding in percent.
    pub(crate) fn waste(self) -> f64 {
        if self.all == 0 {
            0.0
        } else {
            100.0 * self.padding as f64 / self.all as f64
        }
    }
}

/// Prints the `top` largest arrays and the totals, which it returns.
pub(crate) fn table(
    out: &mut impl Write,
    style: Style,
    module: &Module,
    top: usize,
) -> io::Result<Bytes> {
    let mut arrays: Vec<_> = module.arrays.iter().map(|a| (Bytes::of(a), a)).collect();
    // Arrays of one size stay in the sequence of the text.
    arrays.sort_by_key(|(bytes, _)| std::cmp::Reverse(bytes.all));
    writeln!(
        out,
        "{}  times  {:<TEXT$} {:>12} {:>16} {:>9}{}",
        style.strong, "array", "bytes each", "bytes in all", "padding", style.plain,
    )?;
    let mut total = Bytes::default();
    let mut times = 0;
    for (k, &(bytes, array)) in arrays.iter().enumerate() {
        total.all += bytes.all;
        total.padding += bytes.padding;
        times += array.times;
        if k < top {
            row(out, style, bytes, array)?;
        }
    }
    if arrays.len() > top {
        let rest = arrays.len() - top;
        writeln!(
            out,
            "         … {rest} more; --top {} shows all",
            arrays.len()
        )?;
    }
    let text = format!("{} distinct arrays", arrays.len());
    writeln!(
        out,
        "{}{times:>7}  {text:<TEXT$} {:>12} {:>16} {:>8.1}%{}",
        style.strong,
        "",
        grouped(total.all),
        total.waste(),
        style.plain,
    )?;
    Ok(total)
}

fn row(out: &mut impl Write, style: Style, bytes: Bytes, array: &Array) -> io::Result<()> {
    let mut text = array.layout.to_string();
    if text.chars().count() > TEXT {
        writeln!(out, "{:>7}  {text}", array.times)?;
        write!(out, "{:>7}", "")?;
        text.clear();
    } else {
        write!(out, "{:>7}", array.times)?;
    }
    writeln!(
        out,
        "  {text:<TEXT$} {:>12} {:>16} {:>8.1}%",
        grouped(array.layout.bytes() as u128),
        grouped(bytes.all),
        bytes.waste(),
    )?;
    for line in modes(&array.layout) {
        writeln!(out, "         {}{line}{}", style.faint, style.plain)?;
    }
    Ok(())
}

/// The modes by dimension, each digit as `size:stride`, the fastest first; in lines that fit.
fn modes(layout: &impl LaidOut) -> Vec<String> {
    let modes: Vec<Mode> = layout.modes().collect();
    let rank = layout.rank();
    let mut lines = vec![String::new()];
    for dim in 0..=modes.iter().map(|mode| mode.dim).max().unwrap_or(0) {
        // A `*` in a tile merges dimensions into coordinates of their own, behind the others.
        let mut part = if dim < rank {
            format!("dim {dim} =")
        } else {
            "merged =".to_owned()
        };
        let digits: Vec<_> = modes.iter().filter(|mode| mode.dim == dim).collect();
        for mode in &digits {
            let _ = write!(part, " {}:{}", mode.size, mode.stride);
        }
        let last = lines.len() - 1;
        if digits.is_empty() {
            continue;
        } else if lines[last].is_empty() {
            lines[last] = part;
        } else if lines[last].len() + 3 + part.len() + 9 <= WIDTH {
            lines[last].push_str("   ");
            lines[last].push_str(&part);
        } else {
            lines.push(part);
        }
    }
    if modes.is_empty() {
        lines[0].push_str(if layout.elements() == 0 {
            "no element"
        } else {
            "one element"
        });
    }
    lines
}

/// A number with a comma after every three digits.
pub(crate) fn grouped(number: u128) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (k, digit) in digits.chars().enumerate() {
        if k > 0 && (digits.len() - k).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}
