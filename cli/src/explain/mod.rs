//! `xlayout explain`: what a layout means, in words and numbers.

mod json;
mod notations;
mod padding;
mod position;
mod sentences;
#[cfg(test)]
mod tests;
mod text;
mod tuple;

use std::io::Write;

use serde_json::{Value, json};
use xlayout::DynLayout;

use crate::failure::{Failure, Outcome, TextSpan};
use crate::table::DIM;
use crate::{algebra_triton, help, shape};

/// What `xlayout explain --help` begins with.
pub(crate) const ABOUT: &str = "\
Say in words and numbers what a layout means.

The answer goes from what matters most to details: how the array lies in memory, how many bytes it takes and where \
padding comes from, how an index becomes an offset, and how other libraries write the same layout. With --at or \
--offset it is about single places of memory instead.";

/// The arguments of `xlayout explain`.
#[derive(clap::Args, Debug)]
#[command(
    after_help = "See `--help` for examples, and how to read a shape.",
    after_long_help = long_help(),
    mut_arg("sizes", |sizes| sizes.visible_alias("dims")),
)]
pub(crate) struct Arguments {
    // No doc comments: rustdoc would take `[2,3]` for a link.
    #[arg(
        value_name = "SHAPE",
        help = "The array and its layout, in quotes: 'f32[2,3]{0,1}'",
        long_help = SHAPE
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

const SHAPE: &str = "\
The array and its layout, in quotes: 'f32[2,3]{0,1}'

XLA's text, also of a tuple, of which each array is explained; `-` reads it from the standard input. Without a layout it \
is row-major. Padding of single dimensions, for which XLA has no text, is written after it: \
'f32[2,3]{1,0}, padded_dimensions = [2, 4]'.

The notations of oneDNN ('aBcd16b', a line of its verbose log), TVM ('NCHW16c'), MLIR ('memref<…>', 'tensor<…>', \
linalg.pack, Mosaic's #tpu.tiled), CuTe ('(2,3):(1,2)'), JAX, NumPy and PyTorch are read, too, and names such as \
FRACTAL_NZ, NC1HWC0, COL32, kCHW32, TILE_LAYOUT and torch.channels_last. Where such a text says neither sizes nor type, \
--sizes and --type do.";

const EXAMPLES: &str = "\
xlayout explain 'bf16[100,3]{1,0:T(8,128)(2,1)}'
    A small matrix on a TPU: how 600 bytes become 26,624
xlayout explain 'f32[2,3]{0,1}' --at 1,2
    The linear index and the byte of an element, digit by digit
xlayout explain 'bf16[100,3]{1,0:T(8,128)(2,1)}' --offset 517
    Which element lies at a linear index, or that it is padding
xlayout explain 's4[5,7]{1,0:E(4)}' --byte-offset 3
    The elements that share a byte
xlayout explain aBcd16b --sizes 2,17,5,7 --type f32
    A tag of oneDNN, as XLA's tiles, as a Rust type and in other notations
xlayout explain 'f32[64,48]' --json | jq .allocated_bytes
    One number, for a script";

fn long_help() -> String {
    let examples = help::examples(&help::pairs(EXAMPLES));
    let keys = help::described("Keys of --json", &help::pairs(KEYS));
    format!("{}\n\n{examples}\n\n{keys}", help::how_to_read())
}

const KEYS: &str = "\
shape, element_type, dimensions, minor_to_major, major_to_minor
    As written; also element_bits, tiles, dynamic_dimensions, memory_space
elements, places
    Without and with padding
logical_bytes
    Of the elements alone: elements × element_bits, in whole bytes
allocated_bytes, padding_bytes, padding_percent
    Of all places; padding is what is not logical, in percent of allocated
padding, modes, terms, strides, byte_strides
    Strides are null where a layout has none
notation, notations, no_notation, layout_macro
    The key of the one that was read; texts or null, and the reasons for null
index, linear_index, byte_offset, bit_offset, digits
    With one --at or --offset; bit_offset counts within the byte
positions, arrays
    The same for several; all this for each array of a tuple";

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
    }
    let key = json!({"notation": notation.map_or("xla", |notation| notation.key)});
    let leaves = shape::leaves(&shape, &text)?;
    if let [(path, Some(array))] = leaves.as_slice()
        && path.is_empty()
    {
        let positions = position::asked(arguments, array)?;
        match (arguments.json, arguments.asks_for_places()) {
            (true, _) => print(out, json::with(json::array(array, &positions), key))?,
            (false, false) => text::array(out, array)?,
            (false, true) => {
                text::title(out, array)?;
                for position in &positions {
                    text::position(out, array, position)?;
                }
            }
        }
        return Ok(());
    }
    if arguments.asks_for_places() {
        let what = "an index belongs to one array, and this is none or several";
        let failure = Failure::usage(what).at(TextSpan::of_whole("SHAPE", text));
        return Err(failure.help("explain the array alone"));
    }
    match arguments.json {
        true => print(out, json::with(tuple::json(&shape, &leaves), key))?,
        false => tuple::explain(out, &shape, &leaves)?,
    }
    Ok(())
}

/// What `--json` says of one array.
pub(crate) fn json(array: &DynLayout) -> Value {
    json::array(array, &[])
}

fn print(out: &mut dyn Write, answer: Value) -> std::io::Result<()> {
    // The alternate form is JSON in several lines.
    writeln!(out, "{answer:#}")
}
