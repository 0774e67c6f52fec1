//! `text` and `layout_text`: what is read, what is refused, and what is printed.

use xlayout::shape::Shape;
use xlayout::shape::text::{Notation, Rules, read_array};
use xlayout::{Layout, ParseError};

use super::Check;
use super::fields::{Fields, same};
use super::sizes;

const XLA: Rules = Rules {
    notation: Notation::Xla,
    addressable: false,
};

pub(super) fn text(line: &Fields<'_>) -> Check {
    let text = line.text("text")?;
    match line.text("expect")? {
        "accept" => accepted(line, text),
        "reject" => rejected(line, text),
        // Read or not, it must not panic, and what is read must be printed so that it is read
        // again.
        "free" => match Shape::read_xla(text) {
            Ok(shape) => again(&shape),
            Err(error) => speaks(&error, text),
        },
        other => Err(format!(
            "`expect` is `{other}`; known are `accept`, `reject` and `free`"
        )),
    }
}

fn accepted(line: &Fields<'_>, text: &str) -> Check {
    let read =
        |error: ParseError| format!("`{text}`: expected to be read, found the error: {error}");
    // The build of XLA that validates and measures does not know the newest types. Where it said
    // nothing, `accept` is the word of the reader alone, and validation has its own.
    let measured = line.get("printed_without_layout").is_some();
    let unvalidated = Shape::read_xla_unvalidated(text).map_err(read)?;
    same("printed", line.text("printed")?, &unvalidated.to_string())?;
    let shape = match Shape::read_xla(text) {
        Err(error) if !measured => return speaks(&error, text),
        answer => answer.map_err(read)?,
    };
    same("read with validation", &unvalidated, &shape)?;
    if measured {
        let without = shape.display_without_layout().to_string();
        same(
            "printed_without_layout",
            line.text("printed_without_layout")?,
            &without,
        )?;
    }
    if line.get("size").is_some() {
        size(&line.object("size")?, &shape)?;
    }
    again(&shape)?;
    // Our own notation only adds to XLA's.
    same(
        "read in the extended notation",
        Ok(&shape),
        text.parse().as_ref(),
    )?;
    let mut mistakes = 0;
    let array = read_array(text, XLA, &mut |_| mistakes += 1);
    match (&shape, array) {
        (Shape::Array(shape), array) => {
            same("mistakes", 0, mistakes)?;
            same("read as one array", Some(shape), array.as_ref())
        }
        (_, Some(array)) => Err(format!("`{text}`: expected no array, found {array}")),
        (_, None) if mistakes == 0 => {
            Err(format!("`{text}`: no array was read, but no mistake named"))
        }
        (_, None) => Ok(()),
    }
}

fn rejected(line: &Fields<'_>, text: &str) -> Check {
    // XLA reads it, and only its validation refuses it. (We refuse numbers that wrap in XLA at
    // once.)
    if line.get("printed").is_some()
        && let Ok(shape) = Shape::read_xla_unvalidated(text)
    {
        same("printed", line.text("printed")?, &shape.to_string())?;
    }
    let error = match Shape::read_xla(text) {
        Ok(shape) => {
            return Err(format!(
                "`{text}`: expected an error, found that it is read as {shape}"
            ));
        }
        Err(error) => error,
    };
    speaks(&error, text)?;
    let mut spoken = Ok(());
    let mut mistakes = 0;
    let array = read_array(text, XLA, &mut |error| {
        mistakes += 1;
        if let Err(what) = speaks(&error, text) {
            spoken = Err(what);
        }
    });
    match array {
        Some(array) => Err(format!(
            "`{text}`: expected an error, found that it is read as {array}"
        )),
        None if mistakes == 0 => Err(format!("`{text}`: no array was read, but no mistake named")),
        None => spoken,
    }
}

/// An error says something, about a place in the text.
fn speaks(error: &ParseError, text: &str) -> Check {
    if error.to_string().trim().is_empty() || error.render(text).to_string().is_empty() {
        return Err(format!("`{text}`: the error {error:?} says nothing"));
    }
    match error.span() {
        Some(span) if text.get(span.clone()).is_none() => Err(format!(
            "`{text}`: the error `{error}` is about bytes {span:?}, which the text does not have"
        )),
        _ => Ok(()),
    }
}

/// Law 2: `read(print(x)) == x`.
fn again(shape: &Shape) -> Check {
    let printed = shape.to_string();
    same(
        "read(print(x))",
        Ok(shape),
        Shape::read_xla(&printed).as_ref(),
    )
}

/// What XLA's own helpers say about sizes.
fn size(size: &Fields<'_>, shape: &Shape) -> Check {
    for (name, expected) in size.0 {
        let found = match (name.as_str(), shape) {
            ("byte_size_of", _) => sizes::byte_size_of(shape),
            ("elements", _) => sizes::elements(shape),
            ("element_bits", Shape::Array(array) | Shape::Buffer(array)) => {
                sizes::Answer::exact(array.element_size_in_bits())
            }
            ("array_size", Shape::Array(array) | Shape::Buffer(array)) => sizes::array_size(array),
            ("array_data_size", Shape::Array(array) | Shape::Buffer(array)) => {
                sizes::array_data_size(array)
            }
            _ => return Err(format!("size `{name}` of {shape} is not known")),
        };
        found.check(name, expected)?;
    }
    Ok(())
}

pub(super) fn layout_text(line: &Fields<'_>) -> Check {
    let text = line.text("t")?;
    let read = Layout::read_xla(text);
    if line.refused() {
        return match read {
            Ok(layout) => Err(format!(
                "`{text}`: expected an error, found that it is read as {layout}"
            )),
            Err(error) => speaks(&error, text),
        };
    }
    let layout =
        read.map_err(|error| format!("`{text}`: expected to be read, found the error: {error}"))?;
    let printed = layout.to_string();
    same("printed", line.text("s")?, &printed)?;
    same(
        "read in the extended notation",
        Ok(&layout),
        text.parse().as_ref(),
    )?;
    // XLA prints a leftover type that is no integer as `invalid`, which nobody reads.
    let leftovers = [layout.index_primitive_type, layout.pointer_primitive_type];
    if leftovers
        .iter()
        .flatten()
        .all(|leftover| leftover.is_integral())
    {
        same(
            "read(print(x))",
            Ok(&layout),
            Layout::read_xla(&printed).as_ref(),
        )?;
    }
    Ok(())
}
