//! MLIR's `tensor` and `vector` types, which people paste from StableHLO: `tensor<?x3xf32,
//! #stablehlo.bounds<8, ?>>`.
//!
//! ```text
//! type      = ("tensor" | "vector") "<" sizes element_type ["," encoding] ">" ["{" [attribute {","
//!             attribute}] "}"]
//! encoding  = "#stablehlo.bounds" "<" bounds ">" | "#mhlo.type_extensions" "<" "bounds" "=" "["
//!             bounds "]" ">"
//! attribute = "mhlo.layout_mode" "=" quoted layout
//! ```
//!
//! The type alone has no layout. What is not read is an error, because it may say where elements
//! lie.

use super::error::{Error, about, invalid};
use super::memref_read::head;
use super::read::Reader;
use super::{Given, Library};
use xlayout_shape::{ArrayShape, Dim, Dims, Layout};

pub(super) fn read(text: &str, _: &Given<'_>) -> Result<ArrayShape, Error> {
    let mut reader = Reader::new(text, Library::Tensor);
    let has_attributes = reader.found() == "tensor";
    let (mut dims, element_type) = head(&mut reader)?;
    if reader.eat(b',') {
        encoding(&mut reader, &mut dims)?;
    }
    reader.expect(b'>', "`,` or `>`")?;
    let mut shape = ArrayShape::from_parts(element_type, dims, None);
    if has_attributes && reader.eat(b'{') {
        reader.items(b'}', "`,` or `}`", |reader| attribute(reader, &mut shape))?;
    }
    reader.end()?;
    Ok(shape)
}

/// The bounds of sizes that only the run time knows. `?` is no bound.
fn encoding(reader: &mut Reader<'_>, dims: &mut Dims) -> Result<(), Error> {
    let start = *reader;
    let extensions = |reader: &mut Reader<'_>| {
        reader.eat_word("mhlo.type_extensions")
            && reader.eat(b'<')
            && reader.eat_word("bounds")
            && reader.eat(b'=')
            && reader.eat(b'[')
    };
    let is_attribute = reader.eat(b'#');
    let close = if is_attribute && reader.eat_word("stablehlo.bounds") && reader.eat(b'<') {
        b'>'
    } else if is_attribute && extensions(reader) {
        b']'
    } else if start.at(b'>') {
        return Err(start.unexpected("an encoding"));
    } else {
        let form = "an encoding, which may say where elements lie";
        return Err(unread(start, form));
    };
    let mut bounds = Dims::new();
    reader.items(close, "`,` or the closing bracket", |reader| {
        let bound = if reader.eat(b'?') {
            Dim::Unbounded
        } else {
            Dim::Bounded(reader.size()?)
        };
        reader.push(&mut bounds, bound)
    })?;
    if close == b']' {
        reader.expect(b'>', "`>`")?;
    }
    let mut pairs = dims.iter().zip(&bounds);
    if bounds.len() != dims.len()
        || pairs.any(|(dim, bound)| *dim != Dim::Unbounded && *bound != Dim::Unbounded)
    {
        let what = "a bound or `?` for each dimension, and `?` for one that has a size";
        return Err(reader.unexpected_since(&start, what));
    }
    for (dim, bound) in dims.iter_mut().zip(&bounds) {
        if *dim == Dim::Unbounded {
            *dim = *bound;
        }
    }
    Ok(())
}

/// `mhlo.layout_mode = "{0,1}"`: the layout of an argument or of a result.
fn attribute(reader: &mut Reader<'_>, shape: &mut ArrayShape) -> Result<(), Error> {
    let start = *reader;
    let name = reader.advance();
    if reader.text[name.start..name.end].trim_matches('"') != "mhlo.layout_mode" {
        let form = "an attribute, which may say where elements lie";
        return Err(unread(start, form));
    }
    reader.expect(b'=', "`=`")?;
    let value = *reader;
    reader.advance();
    let quoted = value.found().strip_prefix('"');
    match quoted.and_then(|text| text.strip_suffix('"')) {
        Some("default") => {}
        Some(text) if text.starts_with('{') => {
            let layout: Layout = text.parse().map_err(|error| {
                let error = invalid(error);
                let inside = error.span().unwrap_or(0..text.len());
                about(value.text, &text[inside], *error.kind())
            })?;
            let fits = layout.validate_for(shape.element_type, &shape.dims);
            fits.map_err(|error| value.error(*invalid(error).kind()))?;
            shape.layout = Some(layout);
        }
        _ => return Err(value.unexpected("`\"default\"`, or a layout: `\"{0,1}\"`")),
    }
    Ok(())
}

/// What is here up to the bracket that closes what it is in.
fn unread(start: Reader<'_>, form: &'static str) -> Error {
    let mut reader = start;
    reader.skip_until(|_| false);
    start.unread_until(&reader, form)
}
