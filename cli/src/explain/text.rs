//! `xlayout explain` for people: what matters most first, in 80 columns.

use std::io::{self, Write};

use anstyle::{AnsiColor, Style};
use xlayout::{Dyn, LaidOut, Layout, Mode};

use super::notations;
use super::padding::{Cause, Padding};
use super::position::{Element, Position};
use super::sentences;
use crate::shape::logical_bytes;
use crate::table::{Cell, DIM, HEADER, Side, Table, WIDTH, pairs};
use crate::words::{counted, exact_bytes, grouped, joined, percent, wrapped};

const TITLE: Style = AnsiColor::Cyan.on_default().bold();
const NUMBER: Style = AnsiColor::Green.on_default();
const WARNING: Style = AnsiColor::Yellow.on_default();
const ALARM: Style = AnsiColor::Red.on_default().bold();

/// All about an array.
pub(super) fn array(out: &mut dyn Write, array: &Dyn) -> io::Result<()> {
    let padding = Padding::new(array);
    title(out, array)?;
    writeln!(
        out,
        "  {}",
        wrapped(&sentences::summary(array, &padding), WIDTH, 2)
    )?;
    writeln!(out)?;
    pairs(out, &facts(array, &padding), 2)?;
    heading(out, "Memory", "")?;
    pairs(out, &sizes(array), 2)?;
    if !padding.causes.is_empty() {
        heading(out, "Padding", "where it comes from")?;
        causes(&padding.causes).write(out, 2)?;
    }
    modes(out, array)?;
    heading(out, "In other notations", "")?;
    pairs(out, &others(array), 2)
}

/// One place of an array's memory.
pub(super) fn position(out: &mut dyn Write, array: &Dyn, position: &Position) -> io::Result<()> {
    let text = |text: String| Cell::from(text);
    let mut rows = Vec::new();
    let width = array.element_bits();
    let bits = match width.is_multiple_of(8) {
        true => String::new(),
        false => format!(
            ", from bit {} on (bit 0 is the lowest)",
            position.bit_offset
        ),
    };
    let Some(element) = &position.element else {
        let linear = grouped(position.linear_index);
        heading(out, &format!("Linear index {linear}"), "")?;
        rows.push(("index", Cell::styled("none: this is padding", WARNING)));
        rows.push((
            "byte offset",
            text(format!("{}{bits}", grouped(position.byte_offset))),
        ));
        return pairs(out, &rows, 2);
    };
    heading(out, &format!("Index [{}]", joined(&element.index, ",")), "")?;
    let linear = grouped(position.linear_index);
    rows.push(("linear index", Cell::styled(linear, NUMBER.bold())));
    rows.push((
        "byte offset",
        text(format!("{}{bits}", grouped(position.byte_offset))),
    ));
    let total = position.linear_index as u128 * width as u128;
    rows.push((
        "bit offset",
        text(format!("{}, of {width} bits per element", grouped(total))),
    ));
    rows.push(("in bounds", text("yes".to_owned())));
    pairs(out, &rows, 2)?;
    writeln!(out)?;
    digits(element, array.rank(), position.linear_index).write(out, 2)
}

pub(super) fn title(out: &mut dyn Write, array: &Dyn) -> io::Result<()> {
    writeln!(out, "{TITLE}{array}{TITLE:#}")
}

fn heading(out: &mut dyn Write, name: &str, remark: &str) -> io::Result<()> {
    writeln!(out)?;
    match remark {
        "" => writeln!(out, "{HEADER}{name}{HEADER:#}"),
        _ => writeln!(out, "{HEADER}{name}{HEADER:#}  {DIM}{remark}{DIM:#}"),
    }
}

fn facts(array: &Dyn, padding: &Padding) -> Vec<(&'static str, Cell)> {
    let shape = array.shape();
    let layout = shape.layout.clone().unwrap_or_default();
    let bits = array.element_bits();
    let mut rows = vec![(
        "element type",
        format!(
            "{}: {}, {}",
            shape.element_type,
            counted(bits, "bit"),
            sentences::carrier(shape.element_type, bits),
        ),
    )];
    rows.push((
        "dimensions",
        match shape.rank() {
            0 => "none".to_owned(),
            _ => joined(array.dims(), " x "),
        },
    ));
    if shape.rank() > 0 {
        let order = &layout.minor_to_major;
        rows.push((
            "minor_to_major",
            sentences::directed(order, "fastest", "slowest"),
        ));
        let reversed = order.to_major_to_minor();
        rows.push((
            "major_to_minor",
            sentences::directed(&reversed, "slowest", "fastest"),
        ));
    }
    for (k, level) in padding.levels.iter().enumerate() {
        let inside = if level.inside {
            ", in each tile above"
        } else {
            ""
        };
        let name = if k == 0 { "tiles" } else { "" };
        rows.push((name, format!("{}: {}{inside}", level.text, level.along)));
    }
    rows.push(("strides", strides(array)));
    rows.extend(rest(&layout));
    rows.into_iter()
        .map(|(name, text)| (name, text.into()))
        .collect()
}

fn strides(array: &Dyn) -> String {
    let bits = array.element_bits();
    match array.strides().map(|strides| strides.to_vec()) {
        None => "none for a whole dimension: each digit has its own, see Modes".to_owned(),
        Some(strides) if strides.is_empty() => "none: there is one element".to_owned(),
        Some(strides) if !bits.is_multiple_of(8) => {
            format!("({}) elements of {bits} bits each", joined(&strides, ", "))
        }
        Some(strides) => {
            let bytes: Vec<_> = strides
                .iter()
                .map(|&n| n as u128 * bits as u128 / 8)
                .collect();
            format!(
                "({}) elements, ({}) bytes",
                joined(&strides, ", "),
                joined(&bytes, ", ")
            )
        }
    }
}

/// What few layouts have.
fn rest(layout: &Layout) -> Vec<(&'static str, String)> {
    let mut rows = Vec::new();
    if !layout.padded_dimensions.is_empty() {
        rows.push(("padded to", joined(&layout.padded_dimensions, " x ")));
    }
    if let Some(value) = layout.padding_value {
        rows.push(("padding value", value.name().to_owned()));
    }
    if layout.tail_padding_alignment_in_elements != 1 {
        let n = grouped(layout.tail_padding_alignment_in_elements);
        rows.push((
            "tail alignment",
            format!("L({n}): the end is a multiple of {n} elements"),
        ));
    }
    let space = match layout.memory_space {
        Layout::DEFAULT_MEMORY_SPACE => "0, the device's default one".to_owned(),
        Layout::GENERIC_FAST_MEMORY_SPACE => "1, a fast memory of the device".to_owned(),
        Layout::HOST_MEMORY_SPACE => "5, the memory of the host".to_owned(),
        other => format!("{other}, as the device numbers them"),
    };
    rows.push(("memory space", space));
    let rank = layout.minor_to_major.len();
    for split in layout.split_configs.iter() {
        let physical = usize::try_from(split.dimension).unwrap_or(0);
        let logical = rank
            .checked_sub(physical + 1)
            .map(|k| layout.minor_to_major[k]);
        let logical = logical.map_or(String::new(), |d| format!(" (dimension {d})"));
        let cuts = joined(split.split_indices, ", ");
        rows.push((
            "split",
            format!("physical dimension {physical}{logical} is cut at {cuts}"),
        ));
    }
    if layout.dynamic_shape_metadata_prefix_bytes > 0 {
        let bytes = counted(layout.dynamic_shape_metadata_prefix_bytes, "byte");
        rows.push((
            "metadata",
            format!("{bytes} with the dynamic sizes stand before the data; not counted below"),
        ));
    }
    rows
}

fn sizes(array: &Dyn) -> Vec<(&'static str, Cell)> {
    let (logical, allocated) = (logical_bytes(array), array.bytes() as u128);
    let wasted = allocated.saturating_sub(logical);
    let share = if allocated == 0 {
        0.0
    } else {
        wasted as f64 / allocated as f64
    };
    let style = match share {
        0.0 => Style::new(),
        ..0.1 => NUMBER,
        ..0.5 => WARNING,
        _ => ALARM,
    };
    let waste = match wasted {
        0 => "none".to_owned(),
        _ => format!(
            "{}, {} of the allocation",
            exact_bytes(wasted),
            percent(wasted, allocated)
        ),
    };
    let places = match array.padding() {
        0 => grouped(array.places()),
        n => format!(
            "{}: elements that memory is allocated for, {} of them padding",
            grouped(array.places()),
            grouped(n)
        ),
    };
    vec![
        ("elements", grouped(array.elements()).into()),
        ("places", places.into()),
        ("logical", exact_bytes(logical).into()),
        (
            "allocated",
            Cell::styled(exact_bytes(allocated), Style::new().bold()),
        ),
        ("waste", Cell::styled(waste, style)),
    ]
}

fn causes(causes: &[Cause]) -> Table {
    use Side::{Left, Right};
    let mut table = Table::new(&[Left, Right, Left, Right, Left, Left]);
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

fn modes(out: &mut dyn Write, array: &Dyn) -> io::Result<()> {
    heading(
        out,
        "Modes",
        "linear index = the sum of digit x stride, in elements",
    )?;
    if array.mode_table().is_empty() {
        let why = if array.elements() == 0 {
            "there are no elements"
        } else {
            "the linear index is 0"
        };
        return writeln!(out, "  none: {why}");
    }
    let mut table = Table::with_header(&[
        ("digit", Side::Left),
        ("values", Side::Right),
        ("stride", Side::Right),
    ]);
    for mode in array.mode_table() {
        table.row([
            Cell::from(digit(mode, array.rank())),
            grouped(mode.size).into(),
            grouped(mode.stride).into(),
        ]);
    }
    table.write(out, 2)?;
    let mut coordinates: Vec<usize> = array.terms().iter().map(|term| term.coordinate).collect();
    coordinates.dedup();
    for coordinate in coordinates {
        let terms = array
            .terms()
            .iter()
            .filter(|term| term.coordinate == coordinate);
        let summand = |mode: &Mode| match mode.stride {
            1 => digit(mode, array.rank()),
            n => format!("({}) * {n}", digit(mode, array.rank())),
        };
        let sum: Vec<_> = terms.map(|term| summand(&term.digit)).collect();
        let line = format!("{} = {}", name(coordinate, array.rank()), sum.join(" + "));
        writeln!(out, "  {}", wrapped(&line, WIDTH, 6))?;
    }
    let how = match array.is_strided() {
        true => "i0 is the index of dimension 0.",
        false => "i0 is the index of dimension 0, / divides whole, % is the rest.",
    };
    writeln!(out, "  {DIM}{how} The fastest digit stands first.{DIM:#}")
}

fn digits(element: &Element, rank: usize, linear_index: usize) -> Table {
    use Side::{Left, Right};
    let mut table = Table::with_header(&[
        ("digit", Left),
        ("of", Right),
        ("value", Right),
        ("stride", Right),
        ("value x stride", Right),
    ]);
    for d in &element.digits {
        table.row([
            Cell::from(digit(&d.mode, rank)),
            grouped(d.coordinate).into(),
            grouped(d.digit).into(),
            grouped(d.mode.stride).into(),
            grouped(d.elements).into(),
        ]);
    }
    let sum = Cell::styled(grouped(linear_index), NUMBER.bold());
    table.row([
        Cell::styled("sum", HEADER),
        "".into(),
        "".into(),
        "".into(),
        sum,
    ]);
    table
}

/// `i0 / 8 % 4`
fn digit(mode: &Mode, rank: usize) -> String {
    let mut text = name(mode.dim, rank);
    if mode.divisor != 1 {
        text += &format!(" / {}", mode.divisor);
    }
    if !mode.top {
        text += &format!(" % {}", mode.size);
    }
    text
}

/// The coordinate of a dimension, or one that tiles merge.
fn name(dim: usize, rank: usize) -> String {
    match dim.checked_sub(rank) {
        None => format!("i{dim}"),
        Some(k) => format!("m{k}"),
    }
}

fn others(array: &Dyn) -> Vec<(&'static str, Cell)> {
    let cell = |text: Result<String, String>| match text {
        Ok(text) => Cell::from(text),
        Err(why) => Cell::styled(format!("none: {why}"), DIM),
    };
    let notations = notations::all(array).into_iter();
    let mut rows: Vec<_> = notations.map(|n| (n.name, cell(n.text))).collect();
    let line = notations::layout_macro(array);
    rows.push(("Rust", cell(line)));
    rows
}
