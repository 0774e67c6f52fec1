//! The answer for people: what matters most first, then a table for each topic.

use anstyle::{AnsiColor, Style};
use xlayout::shape::Mode;
use xlayout::xla::layout_util;
use xlayout::{ArrayLayout, DynLayout, Layout};

use super::notations::{self, Printed};
use super::position::{Digit, Position};
use super::sentences;
use crate::memory::{Bytes, byte_strides};
use crate::section::Section;
use crate::table::{Cell, DIM, HEADER, Table, Text};
use crate::tiles::{Cause, Tiles};
use crate::words::{counted, exact_bytes, grouped, joined, percent};

const TITLE: Style = AnsiColor::Cyan.on_default().bold();
const NUMBER: Style = AnsiColor::Green.on_default();
const WARNING: Style = AnsiColor::Yellow.on_default();
const ALARM: Style = AnsiColor::Red.on_default().bold();

/// All about an array, below its title.
pub(super) fn array(out: &mut Text, array: &DynLayout) {
    title(out, array);
    sections(array)
        .iter()
        .for_each(|section| section.write(out));
}

/// All about an array: what matters most first, then a part for each topic.
pub(super) fn sections(array: &DynLayout) -> Vec<Section> {
    let tiles = Tiles::new(array);
    let mut all = vec![
        Section::default()
            .sentence(sentences::summary(array, &tiles))
            .gap()
            .pairs(facts(array, &tiles)),
        Section::new("Memory", "").pairs(sizes(array)),
    ];
    if !tiles.causes.is_empty() {
        all.push(Section::new("Padding", "where it comes from").table(causes(&tiles.causes)));
    }
    all.extend([modes(array), others(array)]);
    all
}

/// One place of an array's memory.
pub(super) fn position(array: &DynLayout, position: &Position) -> Section {
    let linear = Cell::styled(grouped(position.linear_index), NUMBER.bold());
    let all_bits = position.linear_index as u128 * array.element_bits() as u128;
    let in_byte = position.bit_offset;
    let bits = grouped(all_bits);
    let bit_offset = format!("{in_byte} in that byte; {bits} from the beginning");
    let rows = vec![
        ("linear index", linear),
        ("byte offset", grouped(position.byte_offset).into()),
        ("bit offset", bit_offset.into()),
    ];
    let (Some(index), Some(all)) = (&position.index, &position.digits) else {
        return Section::new("Padding", "no element lies here").pairs(rows);
    };
    let digits = digits(all, array.rank(), position.linear_index);
    Section::new(format!("Index [{}]", joined(index, ",")), "in bounds")
        .pairs(rows)
        .gap()
        .table(digits)
}

pub(super) fn title(out: &mut Text, array: &DynLayout) {
    writeln!(out, "{TITLE}{array}{TITLE:#}");
}

/// What the layout states: names and values.
fn facts(array: &DynLayout, tiles: &Tiles) -> Vec<(&'static str, Cell)> {
    let shape = array.array_shape();
    let layout = shape.layout.clone().unwrap_or_default();
    let bits = array.element_bits();
    let carrier = sentences::carrier(shape.element_type, bits);
    let mut rows: Vec<(&str, Cell)> = Vec::new();
    let mut row = |name, text: String| rows.push((name, text.into()));
    let width = counted(bits, "bit");
    row(
        "element type",
        format!("{}: {width}, {carrier}", shape.element_type),
    );
    let dimensions = match shape.rank() {
        0 => "none".to_owned(),
        _ => joined(&shape.dims, " × "),
    };
    row("dimensions", dimensions);
    if shape.rank() > 0 {
        let minor_to_major = &layout.minor_to_major;
        row(
            "minor_to_major",
            sentences::directed(minor_to_major, "fastest", "slowest"),
        );
        let major_to_minor = minor_to_major.to_major_to_minor();
        row(
            "major_to_minor",
            sentences::directed(&major_to_minor, "slowest", "fastest"),
        );
    }
    for (k, level) in tiles.levels.iter().enumerate() {
        let inside = if level.inside { ", inside each" } else { "" };
        let name = if k == 0 { "tiles" } else { "" };
        row(name, format!("{}: {}{inside}", level.text, level.extents));
    }
    row("strides", strides(array));
    rare_attributes(&layout, &mut row);
    rows
}

fn strides(array: &DynLayout) -> String {
    match array.strides().map(|strides| strides.to_vec()) {
        None => "none: each digit of an index has its own, see Modes".to_owned(),
        Some(strides) if strides.is_empty() => "none: there is one element".to_owned(),
        Some(strides) => {
            let elements = joined(&strides, ", ");
            match byte_strides(array) {
                Some(bytes) => format!("({elements}) elements, ({}) bytes", joined(&bytes, ", ")),
                None => format!(
                    "({elements}) elements of {} bits each",
                    array.element_bits()
                ),
            }
        }
    }
}

/// Adds rows for the attributes that few layouts have, and for the memory space.
fn rare_attributes(layout: &Layout, row: &mut dyn FnMut(&'static str, String)) {
    if !layout.padded_dimensions.is_empty() {
        row("padded to", joined(&layout.padded_dimensions, " × "));
    }
    if let Some(value) = layout.padding_value {
        row("padding value", value.name().to_owned());
    }
    if layout.tail_padding_alignment_in_elements != 1 {
        let n = grouped(layout.tail_padding_alignment_in_elements);
        let text = format!("L({n}): the end is a multiple of {n} elements");
        row("tail alignment", text);
    }
    let space = match layout.memory_space {
        layout_util::DEFAULT_MEMORY_SPACE => "0, the device's default one".to_owned(),
        layout_util::GENERIC_FAST_MEMORY_SPACE => "1, a fast memory of the device".to_owned(),
        layout_util::HOST_MEMORY_SPACE => "5, the memory of the host".to_owned(),
        other => format!("{other}, as the device numbers them"),
    };
    row("memory space", space);
    for split in layout.split_configs.iter() {
        let physical = split.dimension;
        // Physical dimensions count from the most major one.
        let logical = usize::try_from(physical).ok();
        let logical = logical.and_then(|k| layout.minor_to_major.iter().nth_back(k));
        let Some(logical) = logical else {
            unreachable!("lowering refuses a split of a dimension that the array does not have")
        };
        let cuts = match split.split_indices {
            [] => "no index".to_owned(),
            indices => joined(indices, ", "),
        };
        let what = format!("physical dimension {physical} (dimension {logical}) is cut at {cuts}");
        row("split", what);
    }
    if layout.dynamic_shape_metadata_prefix_bytes > 0 {
        let bytes = counted(layout.dynamic_shape_metadata_prefix_bytes, "byte");
        let what = "with the dynamic sizes come before the data; not counted below";
        row("metadata", format!("{bytes} {what}"));
    }
}

/// The elements and bytes: names and values.
fn sizes(array: &DynLayout) -> Vec<(&'static str, Cell)> {
    let memory = Bytes::of(array);
    let wasted = memory.padding();
    let allocated = memory.allocated;
    let padding = match wasted {
        0 => Cell::from("none"),
        _ => {
            let bytes = exact_bytes(wasted);
            let share = percent(wasted, allocated);
            let style = match wasted as f64 / allocated as f64 {
                ..0.1 => NUMBER,
                ..0.5 => WARNING,
                _ => ALARM,
            };
            Cell::styled(format!("{bytes}, {share} of the allocation"), style)
        }
    };
    let mut rows: Vec<(_, Cell)> = vec![("elements", grouped(array.elements()).into())];
    if array.padding() > 0 {
        let places = grouped(array.buffer_len());
        let empty = grouped(array.padding());
        let text = format!("{places} elements are allocated, {empty} of them padding");
        rows.push(("places", text.into()));
    }
    rows.push(("logical", exact_bytes(memory.logical).into()));
    let bold = Style::new().bold();
    rows.push(("allocated", Cell::styled(exact_bytes(allocated), bold)));
    rows.push(("padding", padding));
    rows
}

/// A row for each cause of padding: what, the size before, an arrow, the size after, why, by what.
fn causes(causes: &[Cause]) -> Table {
    let mut table = Table::new("|>||>||");
    for cause in causes {
        let why = match cause.multiple_of {
            Some(n) => format!("a multiple of {}", grouped(n)),
            None => "as listed".to_owned(),
        };
        table.row([
            Cell::from(&*cause.what),
            grouped(cause.from).into(),
            Cell::styled("->", DIM),
            Cell::styled(grouped(cause.to), WARNING),
            why.into(),
            Cell::styled(&*cause.by, DIM),
        ]);
    }
    table
}

/// The table of modes, the sums that merged coordinates are, and how to read both.
fn modes(array: &DynLayout) -> Section {
    let remark = "linear index = sum of digit × stride, in elements; fastest first";
    let mut section = Section::new("Modes", remark);
    if array.mode_table().is_empty() {
        let why = match array.elements() {
            0 => "there are no elements",
            _ => "the linear index is 0",
        };
        return section.sentence(format!("none: {why}"));
    }
    let rank = array.rank();
    let mut table = Table::with_header("digit|>values|>stride");
    for mode in array.mode_table() {
        table.row([
            Cell::from(digit(mode, rank)),
            grouped(mode.size).into(),
            grouped(mode.stride).into(),
        ]);
    }
    section = section.table(table);
    // A coordinate that tiles merge is a sum of digits times weights.
    let summand = |mode: &Mode| match mode.stride {
        1 => digit(mode, rank),
        n if mode.divisor == 1 && mode.top => format!("{} * {n}", coordinate(mode.dim, rank)),
        n => format!("({}) * {n}", digit(mode, rank)),
    };
    for terms in array.terms().chunk_by(|a, b| a.coordinate == b.coordinate) {
        let sum: Vec<_> = terms.iter().map(|term| summand(&term.digit)).collect();
        let line = format!(
            "{} = {}",
            coordinate(terms[0].coordinate, rank),
            sum.join(" + ")
        );
        section = section.line(line, 4);
    }
    let how = if array.is_strided() {
        "i0 is the index of dimension 0"
    } else {
        "i0 is the index of dimension 0; / divides whole, % is the rest"
    };
    section.note(how)
}

/// The digits of an index, and their sum: the linear index.
fn digits(all: &[Digit], rank: usize, linear_index: usize) -> Table {
    let mut table = Table::with_header("digit|>of|>value|>stride|>value × stride");
    for row in all {
        table.row([
            Cell::from(digit(&row.mode, rank)),
            grouped(row.coordinate).into(),
            grouped(row.digit).into(),
            grouped(row.mode.stride).into(),
            grouped(row.elements).into(),
        ]);
    }
    let nothing = || Cell::from("");
    let sum = Cell::styled("sum", HEADER);
    let number = grouped(linear_index);
    let number = Cell::styled(number, NUMBER.bold());
    table.row([sum, nothing(), nothing(), nothing(), number]);
    table
}

/// `i0 / 8 % 4`
fn digit(mode: &Mode, rank: usize) -> String {
    let mut text = coordinate(mode.dim, rank);
    if mode.divisor != 1 {
        text += &format!(" / {}", mode.divisor);
    }
    if !mode.top {
        text += &format!(" % {}", mode.size);
    }
    text
}

/// The name of a coordinate: `i0` is that of dimension 0, `m0` the first that tiles merge.
fn coordinate(dim: usize, rank: usize) -> String {
    match dim.checked_sub(rank) {
        None => format!("i{dim}"),
        Some(k) => format!("m{k}"),
    }
}

/// The notations: first those that can express the layout, on lines to copy, then the others,
/// grouped by the reason.
fn others(array: &DynLayout) -> Section {
    let mut table = Table::new("|");
    // Notations that cannot express the layout: their names, and the reason.
    let mut refused: Vec<(String, String)> = Vec::new();
    let rust = ("Rust", notations::layout_macro(array));
    // Few layouts have a name or a text of Mosaic.
    let shown = |(notation, text): &Printed| match notation.key {
        // The whole buffer of an array without tiles is the array.
        "memref_buffer" => !array.is_strided() && text.is_ok(),
        "named" | "mosaic" => text.is_ok(),
        _ => true,
    };
    let others = notations::all(array).into_iter().filter(shown);
    let others = others.map(|(notation, text)| (notation.name, text));
    for (name, text) in [rust].into_iter().chain(others) {
        match text {
            // Values that are not written are 0.
            Ok(text) => {
                let text = text.replace(", sub_byte_element_size_in_bits=0", "");
                table.row([Cell::styled(name, DIM), text.into()]);
            }
            Err(why) => match refused.iter_mut().find(|(_, reason)| *reason == why) {
                Some((names, _)) => *names += &format!(", {name}"),
                None => refused.push((name.to_owned(), why)),
            },
        }
    }
    let section = Section::new("In other notations", "").copied().table(table);
    refused.into_iter().fold(section, |section, (names, why)| {
        section.note(format!("not for {names}: {why}"))
    })
}
