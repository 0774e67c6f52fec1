//! `xlayout explain`: what a layout means, in words and numbers.

mod json;
mod notations;
mod padding;
mod position;
mod sentences;
#[cfg(test)]
mod tests;
mod text;

use std::io::Write;

use serde_json::{Map, Value, json};
use xlayout::{Dyn, LaidOut, Shape};

use crate::failure::{Code, Failure, Outcome, Place};
use crate::shape::{self, logical_bytes};
use crate::table::Table;
use crate::words::{bytes, counted, exact_bytes, joined, percent, shortened};
use crate::{help, table};

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
    let keys = help::described("Keys of --json", &KEYS);
    format!("{}\n\n{examples}\n\n{keys}", help::how_to_read())
}

const KEYS: [(&str, &str); 8] = [
    (
        "shape, element_type, dimensions, minor_to_major, major_to_minor",
        "As written; also element_bits, tiles, dynamic_dimensions, memory_space",
    ),
    ("elements, places", "Without and with padding"),
    (
        "logical_bytes",
        "Of the elements alone: elements x element_bits, in whole bytes",
    ),
    (
        "allocated_bytes, waste {bytes, percent}",
        "Of the places; waste is what is not logical, of the allocation",
    ),
    (
        "padding, modes, terms, strides, byte_strides",
        "Strides are null where a layout has none",
    ),
    (
        "notations, no_notation, layout_macro",
        "Texts or null, and the reasons for null",
    ),
    (
        "index, linear_index, byte_offset, bit_offset, digits",
        "With one --at or --offset; bit_offset counts within the byte",
    ),
    (
        "positions, arrays",
        "The same for several; all this for each array of a tuple",
    ),
];

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
        match (arguments.json, arguments.asks_for_places()) {
            (true, _) => print(out, json::array(array, &positions))?,
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
    let memory = match arrays {
        0 => "no memory of its own".to_owned(),
        _ if logical == allocated => exact_bytes(allocated),
        _ => format!(
            "{} allocated for {}",
            exact_bytes(allocated),
            exact_bytes(logical)
        ),
    };
    writeln!(out, "  {}", table::wrap(&format!("{what}: {memory}."), 2))?;
    if arrays > 1 {
        writeln!(out)?;
        members(leaves).write(out, 2)?;
    }
    if arrays > MANY {
        let how = "Explain one of these arrays to see more of it.";
        return writeln!(out, "  {}{how}{:#}", table::DIM, table::DIM);
    }
    for (path, array) in leaves {
        if let Some(array) = array {
            write!(out, "\n{title}{}{title:#} ", shape_index(path))?;
            text::array(out, array)?;
        }
    }
    Ok(())
}

/// So many arrays of a tuple are explained; of more there is a table only.
const MANY: usize = 8;

/// As XLA writes it: `{1,0}`.
fn shape_index(path: &[usize]) -> String {
    format!("{{{}}}", joined(path, ","))
}

fn members(leaves: &[(Vec<usize>, Option<Dyn>)]) -> Table {
    use table::Side::{Left, Right};
    let mut table = Table::with_header(&[
        ("member", Left),
        ("shape", Left),
        ("allocated", Right),
        ("waste", Right),
    ]);
    for (path, array) in leaves {
        let Some(array) = array else {
            table.row([shape_index(path), "no array".to_owned()]);
            continue;
        };
        let allocated = array.bytes() as u128;
        let wasted = allocated.saturating_sub(logical_bytes(array));
        table.row([
            shape_index(path),
            shortened(&array.to_string(), 48),
            bytes(allocated),
            percent(wasted, allocated),
        ]);
    }
    table
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
