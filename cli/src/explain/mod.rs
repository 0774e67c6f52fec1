//! `xlayout explain`: what a layout means, in words and numbers.

mod json;
mod notations;
mod padding;
mod position;
mod sentences;
mod text;

use std::io::Write;

use serde_json::{Map, Value, json};
use xlayout::{Dyn, LaidOut, Shape};

use crate::failure::{Code, Failure, Outcome, Place};
use crate::shape::{self, logical_bytes};
use crate::words::{counted, exact_bytes, joined};
use crate::{help, table};

/// The arguments of `xlayout explain`.
#[derive(clap::Args, Debug)]
#[command(
    long_about = "Say in words and numbers what a layout means.\n\n\
        The answer goes from what matters most to details: how the array lies in memory, how many bytes it takes and \
        where padding comes from, how an index becomes an offset, and how other libraries write the same layout. \
        With --at or --offset it is about single places of memory instead.",
    after_help = "See `--help` for examples, and how to read a shape.",
    after_long_help = long_help(),
)]
pub(crate) struct Arguments {
    /// The array and its layout, in quotes: 'f32[2,3]{0,1}'
    ///
    /// XLA's text, also of a tuple, of which each array is explained; `-` reads it from the standard input. Without
    /// a layout it is row-major. Padding of single dimensions, for which XLA has no text, is written after it:
    /// 'f32[2,3]{1,0}, padded_dimensions = [2, 4]'.
    #[arg(value_name = "SHAPE")]
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

    /// Print JSON
    #[arg(long)]
    json: bool,
}

fn long_help() -> String {
    let examples = help::examples(&[
        (
            "xlayout explain 'bf16[100,3]{1,0:T(8,128)(2,1)}'",
            "A small matrix on a TPU: how 600 bytes become 26,624",
        ),
        (
            "xlayout explain 'f32[2,3]{0,1}' --at 1,2",
            "The linear index and the byte of an element, digit by digit",
        ),
        (
            "xlayout explain 'bf16[100,3]{1,0:T(8,128)(2,1)}' --offset 517",
            "Which element lies at a linear index, or that it is padding",
        ),
        (
            "xlayout explain 's4[5,7]{1,0:E(4)}' --byte-offset 3",
            "The elements that share a byte",
        ),
        (
            "xlayout explain 'f32[64,48]' --json | jq .allocated_bytes",
            "One number, for a script",
        ),
    ]);
    format!("{}\n\n{examples}\n\n{}", help::how_to_read(), json_help())
}

const KEYS: [(&str, &str); 9] = [
    ("shape, element_type, element_bits, dimensions,", ""),
    (
        "minor_to_major, major_to_minor, tiles, memory_space",
        "as written",
    ),
    ("elements, places", "without and with padding"),
    (
        "logical_bytes",
        "elements x element_bits, rounded up to whole bytes",
    ),
    ("allocated_bytes, waste {bytes, percent}", "with padding"),
    (
        "padding, modes, terms, strides, byte_strides",
        "strides: null if tiled",
    ),
    (
        "notations, no_notation, layout_macro",
        "null, and the reason why",
    ),
    (
        "positions",
        "what --at and --offset asked for; if it is one place,",
    ),
    (
        "",
        "also index, linear_index, byte_offset, bit_offset, digits",
    ),
];

fn json_help() -> String {
    let mut text = help::heading("Keys of --json");
    for (key, meaning) in KEYS {
        text += &match (key, meaning) {
            (key, "") => format!("\n  {key}"),
            (key, meaning) => format!("\n  {key:<51}  {meaning}"),
        };
    }
    text
}

impl Arguments {
    fn asks_for_places(&self) -> bool {
        !(self.at.is_empty() && self.offset.is_empty() && self.byte_offset.is_empty())
    }
}

pub(crate) fn run(arguments: &Arguments, out: &mut dyn Write) -> Outcome {
    let text = shape::text("SHAPE", &arguments.shape)?;
    let shape = shape::read_any("SHAPE", &text)?;
    let leaves = leaves(&shape, &text)?;
    if let [(path, Some(array))] = leaves.as_slice()
        && path.is_empty()
    {
        let positions = position::asked(arguments, array)?;
        return Ok(match (arguments.json, arguments.asks_for_places()) {
            (true, _) => print(out, json::array(array, &positions))?,
            (false, false) => text::array(out, array)?,
            (false, true) => {
                text::title(out, array)?;
                for position in &positions {
                    text::position(out, array, position)?;
                }
            }
        });
    }
    if arguments.asks_for_places() {
        let place = Place::of_argument("SHAPE", &text, 0..text.len());
        let what = "an index belongs to one array, and this is none or several";
        let failure = Failure::new(Code::Usage, what).at(place);
        return Err(failure.help("explain the array alone"));
    }
    match arguments.json {
        true => print(out, tuple_json(&shape, &leaves))?,
        false => tuple(out, &shape, &leaves)?,
    }
    Ok(())
}

fn print(out: &mut dyn Write, object: Map<String, Value>) -> std::io::Result<()> {
    // The alternate form is JSON in several lines.
    writeln!(out, "{:#}", Value::Object(object))
}

/// The members of a tuple that are none, each with its place in it; arrays are lowered.
fn leaves(shape: &Shape, text: &str) -> Outcome<Vec<(Vec<usize>, Option<Dyn>)>> {
    // Tuples are nested to a depth that the reader limits.
    fn visit(
        shape: &Shape,
        path: &mut Vec<usize>,
        visit_leaf: &mut dyn FnMut(&[usize], &Shape) -> Outcome,
    ) -> Outcome {
        let Shape::Tuple(members) = shape else {
            return visit_leaf(path, shape);
        };
        for (k, member) in members.iter().enumerate() {
            path.push(k);
            visit(member, path, visit_leaf)?;
            path.pop();
        }
        Ok(())
    }
    let mut leaves = Vec::new();
    visit(shape, &mut Vec::new(), &mut |path, leaf| {
        let array = leaf.as_array_or_buffer().map(|array| {
            let lowered = Dyn::new(array.clone());
            lowered.map_err(|misfit| shape::of_misfit(&misfit, "SHAPE", text))
        });
        leaves.push((path.to_vec(), array.transpose()?));
        Ok(())
    })?;
    Ok(leaves)
}

fn total(leaves: &[(Vec<usize>, Option<Dyn>)], of: impl Fn(&Dyn) -> u128) -> u128 {
    leaves
        .iter()
        .filter_map(|leaf| leaf.1.as_ref())
        .map(of)
        .sum()
}

fn tuple(
    out: &mut dyn Write,
    shape: &Shape,
    leaves: &[(Vec<usize>, Option<Dyn>)],
) -> std::io::Result<()> {
    let arrays = leaves.iter().filter(|leaf| leaf.1.is_some()).count();
    let logical = total(leaves, logical_bytes);
    let allocated = total(leaves, |array| array.bytes() as u128);
    let title = table::HEADER;
    writeln!(out, "{title}{shape}{title:#}")?;
    let what = match shape {
        Shape::Tuple(members) => format!(
            "A tuple of {}, with {} in all",
            counted(members.len(), "member"),
            counted(arrays, "array"),
        ),
        Shape::Token => "A token: it makes side effects happen one after the other".to_owned(),
        Shape::Opaque => "An opaque value, which only the device understands".to_owned(),
        _ => "A buffer, which holds one array".to_owned(),
    };
    let bytes = match arrays {
        0 => "no memory of its own".to_owned(),
        _ if logical == allocated => exact_bytes(allocated),
        _ => format!(
            "{} allocated for {}",
            exact_bytes(allocated),
            exact_bytes(logical)
        ),
    };
    writeln!(out, "  {}", table::wrap(&format!("{what}: {bytes}."), 2))?;
    for (path, array) in leaves {
        writeln!(out)?;
        let name = format!("{{{}}}", joined(path, ","));
        match array {
            Some(array) => {
                write!(out, "{title}{name}{title:#} ")?;
                text::array(out, array)?;
            }
            None if path.is_empty() => {}
            None => writeln!(
                out,
                "{title}{name}{title:#} no array, and no memory of its own"
            )?,
        }
    }
    Ok(())
}

fn tuple_json(shape: &Shape, leaves: &[(Vec<usize>, Option<Dyn>)]) -> Map<String, Value> {
    let number = |n: u128| u64::try_from(n).ok();
    let mut object = Map::new();
    let (logical, allocated) = (
        total(leaves, logical_bytes),
        total(leaves, |array| array.bytes() as u128),
    );
    object.insert("shape".to_owned(), json!(shape.to_string()));
    object.insert("logical_bytes".to_owned(), json!(number(logical)));
    object.insert("allocated_bytes".to_owned(), json!(number(allocated)));
    let arrays = leaves.iter().filter_map(|(path, array)| {
        let mut object = Map::new();
        object.insert("shape_index".to_owned(), json!(path));
        object.extend(json::array(array.as_ref()?, &[]));
        Some(Value::Object(object))
    });
    object.insert("arrays".to_owned(), arrays.collect());
    object
}
