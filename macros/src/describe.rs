//! What an editor shows of a declared layout: its text, its sizes, where an element is, and of a
//! small array where each of them is.

use proc_macro2::TokenTree;
use xlayout_shape::Dim;
use xlayout_shape::modes::{Mode, Source, Table};

use crate::array::Array;
use crate::sizes::Size;
use crate::text::as_written;

/// An array of more elements has no picture.
const MOST_DRAWN: usize = 64;

/// The documentation, in Markdown. It begins with an empty line, because it follows the user's own.
pub(crate) fn describe(array: &Array, written: &[TokenTree]) -> String {
    match table(array) {
        Some(table) => with_numbers(array, &table),
        // What the user wrote, since only the compiler or the run time knows more.
        None => {
            let written = as_written(written).replace("{ ", "{").replace(" }", "}");
            format!("\n`layout!({written})`")
        }
    }
}

/// The table of modes, if the macro knows all sizes.
fn table(array: &Array) -> Option<Table> {
    for (dim, size) in array.shape.dims.iter().zip(&array.sizes) {
        if *dim == Dim::Unbounded || !matches!(size, Size::Text(_)) {
            return None;
        }
    }
    let layout = array.shape.layout.as_ref()?;
    if array.sharding.is_some() {
        return None;
    }
    Table::new(&Source::of(&array.shape, layout)).ok()
}

// Each user compiles this crate, so it has loops, which cost less than iterators and closures.
fn with_numbers(array: &Array, table: &Table) -> String {
    let counts = &table.numbers;
    let dims = &array.shape.dims;
    let mut text = format!(
        "\n`{}`: elements {} of {} bits, padding {}, bytes {}.",
        array.shape,
        counts.elements,
        counts.element_bits,
        counts.buffer_len - counts.elements,
        counts.bytes(),
    );
    if let (Some(layout), 2..) = (&array.shape.layout, dims.len()) {
        text += " Dimensions from minor to major:";
        for dim in layout.minor_to_major.iter() {
            text += &format!(" {dim}");
        }
        text.push('.');
    }
    // Merged coordinates have no short formula.
    if dims.is_empty() || counts.elements == 0 || !table.used_terms().is_empty() {
        return text;
    }
    text += "\n\n`[i0";
    for dim in 1..dims.len() {
        text += &format!(", i{dim}");
    }
    text += "]` is at linear index `";
    let mut plus = "";
    for mode in table.used_modes().iter().rev() {
        text += plus;
        term(&mut text, mode);
        plus = " + ";
    }
    if plus.is_empty() {
        text.push('0');
    }
    text.push('`');
    if counts.elements > MOST_DRAWN {
        text.push('.');
    } else {
        text += ":\n\n```text";
        draw(&mut text, dims, table);
        text += "\n```";
    }
    text
}

/// What a mode adds to a linear index, in Rust.
fn term(text: &mut String, mode: &Mode) {
    *text += &format!("i{}", mode.dim);
    for (operator, number, says_nothing) in [
        ('/', mode.divisor, mode.divisor == 1),
        ('%', mode.size, mode.top),
        ('*', mode.stride, mode.stride == 1),
    ] {
        if !says_nothing {
            *text += &format!(" {operator} {number}");
        }
    }
}

/// The linear index of each element. The last two dimensions are the rows and columns of a block.
fn draw(text: &mut String, dims: &[Dim], table: &Table) {
    let width = (table.numbers.buffer_len - 1).to_string().len();
    let mut index = vec![0; dims.len()];
    for _ in 0..table.numbers.elements {
        // As many dimensions as begin again.
        let begin = index.iter().rev().take_while(|&&i| i == 0).count();
        *text += match begin {
            0 => " ",
            1 => "\n",
            _ if begin == dims.len() => "\n",
            _ => "\n\n",
        };
        let mut place = 0;
        for mode in table.used_modes() {
            place += mode.digit(index[mode.dim]) * mode.stride;
        }
        *text += &format!("{place:>width$}");
        for dim in (0..dims.len()).rev() {
            index[dim] += 1;
            if dims[dim].bound() != Some(index[dim] as i64) {
                break;
            }
            index[dim] = 0;
        }
    }
}
