//! What an editor shows of a declared layout: its text, its sizes, where an element is, and of a
//! small array where each of them is.

use std::fmt::Write;

use proc_macro2::TokenTree;
use xlayout_shape::Dim;
use xlayout_shape::modes::{Mode, Source, Table};
use xlayout_shape::words::{Counted, listed};

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
    let is_known =
        |(dim, size): (&Dim, &Size)| *dim != Dim::Unbounded && matches!(size, Size::Text(_));
    let mut dims = array.shape.dims.iter().zip(&array.sizes);
    let layout = array.shape.layout.as_ref()?;
    let all_known = array.sharding.is_none() && dims.all(is_known);
    all_known.then(|| Table::new(&Source::of(&array.shape, layout)).ok())?
}

fn with_numbers(array: &Array, table: &Table) -> String {
    let counts = &table.numbers;
    let padding = counts.buffer_len - counts.elements;
    let mut text = format!(
        "\n`{}`: {} of {}",
        array.shape,
        Counted(counts.elements, "element"),
        Counted(counts.element_bits, "bit"),
    );
    let mut say = |more: std::fmt::Arguments<'_>| {
        // A string takes any text.
        let _ = text.write_fmt(more);
    };
    if padding > 0 {
        say(format_args!(", {padding} of padding"));
    }
    say(format_args!(", {}.", Counted(counts.bytes(), "byte")));
    let rank = array.shape.dims.len();
    let minor_to_major = array
        .shape
        .layout
        .iter()
        .flat_map(|layout| layout.minor_to_major.iter());
    if rank > 1 {
        let from_minor = listed(minor_to_major, "and");
        say(format_args!(
            " From minor to major: dimensions {from_minor}."
        ));
    }
    // Merged coordinates have no short formula.
    if rank == 0 || counts.elements == 0 || !table.used_terms().is_empty() {
        return text;
    }
    let names: Vec<String> = (0..rank).map(|dim| format!("i{dim}")).collect();
    let terms = table
        .used_modes()
        .iter()
        .rev()
        .map(|mode| term(mode, &names[mode.dim]));
    let terms: Vec<String> = terms.collect();
    let sum = if terms.is_empty() {
        "0".to_owned()
    } else {
        terms.join(" + ")
    };
    say(format_args!(
        "\n\n`[{}]` is at linear index `{sum}`",
        names.join(", ")
    ));
    if counts.elements > MOST_DRAWN {
        say(format_args!("."));
        return text;
    }
    say(format_args!(":\n\n```text"));
    let sizes: Vec<usize> = array.shape.dims.iter().map(|dim| bound(*dim)).collect();
    let columns = sizes[rank - 1];
    // The last two dimensions are the rows and columns of a block.
    let block = columns * if rank > 1 { sizes[rank - 2] } else { 1 };
    let width = (counts.buffer_len - 1).to_string().len();
    let mut index = vec![0; rank];
    for number in 0..counts.elements {
        let mut rest = number;
        for dim in (0..rank).rev() {
            index[dim] = rest % sizes[dim];
            rest /= sizes[dim];
        }
        let modes = table.used_modes().iter();
        let steps = modes.map(|mode| mode.digit(index[mode.dim]) * mode.stride);
        let place: usize = steps.sum();
        let before = match number {
            0 => "\n",
            _ if number % block == 0 => "\n\n",
            _ if number % columns == 0 => "\n",
            _ => " ",
        };
        say(format_args!("{before}{place:>width$}"));
    }
    say(format_args!("\n```"));
    text
}

/// The size of a dimension that the macro knows.
fn bound(dim: Dim) -> usize {
    match dim {
        Dim::Static(size) | Dim::Bounded(size) => size as usize,
        Dim::Unbounded => unreachable!("`table` refuses sizes that only the run time knows"),
    }
}

/// What a mode adds to a linear index, in Rust.
fn term(mode: &Mode, name: &str) -> String {
    let mut term = name.to_owned();
    for (operator, number, says_nothing) in [
        ("/", mode.divisor, mode.divisor == 1),
        ("%", mode.size, mode.top),
        ("*", mode.stride, mode.stride == 1),
    ] {
        if !says_nothing {
            let _ = write!(term, " {operator} {number}");
        }
    }
    term
}
