//! `xlayout explain`: what a layout means, in words and numbers.

mod json;
mod notations;
mod position;
mod sentences;
mod sharding;
#[cfg(test)]
mod tests;
mod text;
mod tuple;
mod two_readings;

use std::io::Write;

use serde_json::{Value, json};
use xlayout::{ArrayLayout, DynLayout};

use crate::failure::{Failure, Outcome, TextSpan};
use crate::json::{print, with};
use crate::table::{self, DIM};
use crate::words::wrapped;
use crate::{algebra_triton, shape};

/// The arguments of `xlayout explain`.
#[derive(clap::Args, Debug)]
#[command(
    mut_arg("sizes", |sizes| sizes.visible_alias("dims")),
)]
pub(crate) struct Arguments {
    // No doc comments: rustdoc would take `[2,3]` for a link.
    #[arg(
        value_name = "SHAPE",
        help = "The array and its layout, in quotes: 'f32[2,3]{0,1}'"
    )]
    shape: String,

    /// Where the element with this index lies; may be given several times
    #[arg(long, value_name = "I,J,…", allow_hyphen_values = true)]
    at: Vec<String>,

    /// Which element lies this many elements from the beginning; may be given several times
    #[arg(long, value_name = "N", allow_hyphen_values = true)]
    offset: Vec<String>,

    /// Which elements have bits in this byte; may be given several times
    #[arg(long, value_name = "N", allow_hyphen_values = true)]
    byte_offset: Vec<String>,

    #[command(flatten)]
    given: shape::Given,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl Arguments {
    fn asks_for_places(&self) -> bool {
        !(self.at.is_empty() && self.offset.is_empty() && self.byte_offset.is_empty())
    }
}

pub(crate) fn run(arguments: &Arguments, out: &mut dyn Write) -> Outcome {
    let text = shape::text("SHAPE", &arguments.shape)?;
    let is_map = !arguments.json && !arguments.asks_for_places();
    if let Some(linear) = algebra_triton::linear("SHAPE", &text).filter(|_| is_map) {
        let linear = linear?;
        writeln!(out, "{DIM}read as the notation of Triton{DIM:#}")?;
        return linear.explain(out);
    }
    let (shape, notation) = shape::read_any("SHAPE", &text, &arguments.given)?;
    if let (Some(notation), false) = (notation, arguments.json) {
        writeln!(out, "{DIM}read as the notation of {}{DIM:#}", notation.name)?;
        let given = arguments.given.of_notation();
        if let Some(note) = two_readings::note(notation, &text, &given) {
            writeln!(out, "{}", wrapped(&note, 80, 0))?;
        }
    }
    let key = json!({"notation": notation.map_or("xla", |notation| notation.key)});
    let leaves = shape::leaves(&shape, &text)?;
    let divided = sharding::note(&text, &leaves);
    if let Some(note) = divided.filter(|_| !arguments.json) {
        writeln!(out, "{}\n", wrapped(&note, 80, 0))?;
    }
    if let [(path, Some(array))] = leaves.as_slice()
        && path.is_empty()
    {
        let positions = position::asked(arguments, array)?;
        match (arguments.json, arguments.asks_for_places()) {
            (true, _) => print(out, &with(json::array(array, &positions), key))?,
            (false, false) => table::print(out, |out| text::array(out, array))?,
            (false, true) => table::print(out, |out| {
                text::title(out, array);
                for position in &positions {
                    text::position(out, array, position);
                }
            })?,
        }
        return Ok(());
    }
    if arguments.asks_for_places() {
        let what = "an index belongs to one array, and this is none or several";
        let failure = Failure::usage(what).at(TextSpan::of_whole("SHAPE", text));
        return Err(failure.help("explain the array alone"));
    }
    match arguments.json {
        true => print(out, &with(tuple::json(&shape, &leaves), key))?,
        false => table::print(out, |out| tuple::explain(out, &shape, &leaves))?,
    }
    Ok(())
}

/// The answer of `--json` for one array.
pub(crate) fn json(array: &DynLayout) -> Value {
    json::array(array, &[])
}

/// The strides in bytes, of elements of whole bytes.
fn byte_strides(array: &DynLayout) -> Option<Vec<u128>> {
    let bits = array.element_bits();
    let strides = array.strides().filter(|_| bits.is_multiple_of(8))?;
    let bytes = strides
        .iter()
        .map(|&stride| stride as u128 * bits as u128 / 8);
    Some(bytes.collect())
}
