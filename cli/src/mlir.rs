//! Types of MLIR, which people paste from StableHLO.
//!
//! ```text
//! the type is the word before `<`, and all to the `>` that closes it
//! //! tensor, vector:  sizes with `x` between them, the element type, the encoding
//! after the type:  nothing, or attributes in braces, of which `mhlo.layout_mode` is the layout
//! ```
//!
//! What is not read is an error, because it may say where elements lie.

use std::ops::Range;

use xlayout::shape::{Dim, Dims};
use xlayout::{ArrayShape, Layout, ParseError, PrimitiveType};

use crate::failure::{Failure, Outcome, TextSpan};

const WRITE_XLA: &str = "write the element type, the sizes and the layout: 'f32[2,3]{1,0}'";

/// The shape that a type of MLIR means: `tensor<2x3xf32>` has no layout. `None` if it is no such type.
/// A `memref` is in the table of notations.
///
/// # Errors
/// If the type has no shape of XLA's, or says something that is not read.
pub(crate) fn shape(origin: &str, text: &str) -> Option<Outcome<String>> {
    let start = text.len() - text.trim_start().len();
    let (kind, _) = text[start..].split_once('<')?;
    if !matches!(kind, "tensor" | "vector") {
        return None;
    }
    let shape = Type { origin, text, kind }.shape(start + kind.len());
    Some(shape.map(|shape| shape.to_string()))
}

/// A type in a text.
struct Type<'a> {
    origin: &'a str,
    text: &'a str,
    kind: &'a str,
}

impl Type<'_> {
    /// The shape of the type whose `<` is here, and of the attributes after it.
    fn shape(&self, open: usize) -> Outcome<ArrayShape> {
        let Some(close) = closing(self.text, open) else {
            let what = format!("the `<` of this `{}<…>` is not closed", self.kind);
            return Err(self.failure(what, open..open + 1, WRITE_XLA));
        };
        let mut shape = self.tensor(open + 1..close)?;
        let after = self.trimmed(close + 1..self.text.len());
        if after.is_empty() {
            return Ok(shape);
        }
        let rest = &self.text[after.clone()];
        let whole = rest.starts_with('{') && closing(rest, 0) == Some(rest.len() - 1);
        if !whole || self.kind != "tensor" {
            let what = format!("unexpected `{rest}` after the type");
            return Err(self.failure(what, after, "end the text after the `>` of the type"));
        }
        for attribute in self.parts(after.start + 1..after.end - 1) {
            self.attribute(attribute, &mut shape)?;
        }
        Ok(shape)
    }

    /// `2x?xf32` or `2x?xf32, #stablehlo.bounds<?, 8>`.
    fn tensor(&self, inside: Range<usize>) -> Outcome<ArrayShape> {
        let mut parts = self.parts(inside.clone()).into_iter();
        let sized = parts.next().unwrap_or(inside.start..inside.start);
        if self.text[sized.clone()].starts_with('*') {
            return Err(self.failure(
                "the tensor is unranked: `*` does not say how many dimensions it has",
                sized.start..sized.start + 1,
                "write the sizes in the place of `*`: `tensor<2x3xf32>`",
            ));
        }
        let mut dims = Dims::new();
        let mut at = sized.start;
        while let Some((size, _)) = self.text[at..sized.end].split_once('x') {
            let dim = match size.trim() {
                "?" => Some(Dim::Unbounded),
                size => {
                    let digits = size.bytes().all(|byte| byte.is_ascii_digit());
                    digits.then(|| size.parse().ok().map(Dim::Static)).flatten()
                }
            };
            // What is no size is the element type, or a mistake in it.
            let Some(dim) = dim else { break };
            dims.push(dim);
            at += size.len() + 1;
        }
        let found = self.trimmed(at..sized.end);
        let Some(element_type) = element_type(&self.text[found.clone()]) else {
            let what = format!(
                "`{}` is no element type of XLA's, nor a size before one",
                &self.text[found.clone()]
            );
            return Err(self.failure(what, found, WRITE_XLA));
        };
        if let Some(encoding) = parts.next() {
            let end = parts.last().map_or(encoding.end, |last| last.end);
            self.encoding(encoding.start..end, &mut dims)?;
        }
        Ok(ArrayShape::from_parts(element_type, dims, None))
    }

    /// `#stablehlo.bounds<?, 8>`: the bounds of sizes that only the run time knows. `?` is no bound.
    fn encoding(&self, encoding: Range<usize>, dims: &mut Dims) -> Outcome {
        let text = &self.text[encoding.clone()];
        let unread = || {
            self.failure(
                format!("`{text}` is not read; it may say where the elements lie"),
                encoding.clone(),
                "leave it out and write the layout that it means after the sizes: 'f32[2,3]{0,1}'; \
                 `#stablehlo.bounds<?, 8>` is read",
            )
        };
        let bounds = text
            .strip_prefix("#stablehlo.bounds<")
            .and_then(|rest| rest.strip_suffix('>'))
            .or_else(|| {
                let inside = text.strip_prefix("#mhlo.type_extensions<")?;
                let list = inside.strip_suffix('>')?.trim().strip_prefix("bounds")?;
                let list = list.trim_start().strip_prefix('=')?.trim();
                list.strip_prefix('[')?.strip_suffix(']')
            });
        let bounds = bounds.ok_or_else(unread)?.split(',').map(str::trim);
        let bounds: Vec<&str> = bounds.collect();
        if bounds.len() != dims.len() {
            let (bounds, dims) = (bounds.len(), dims.len());
            let what = format!("there are {bounds} bounds, but the dimensions are {dims}");
            return Err(self.failure(what, encoding, "write a bound or `?` for each dimension"));
        }
        for (dimension, (bound, dim)) in bounds.into_iter().zip(dims.iter_mut()).enumerate() {
            let size = bound.parse::<i64>().ok().filter(|size| *size >= 0);
            match (bound, size, *dim) {
                ("?", _, _) => {}
                (_, Some(size), Dim::Unbounded) => *dim = Dim::Bounded(size),
                (_, Some(_), _) => {
                    let what = format!("dimension {dimension} has a size and the bound {bound}");
                    let help = "write `?` in the place of the size or of the bound";
                    return Err(self.failure(what, encoding, help));
                }
                _ => return Err(unread()),
            }
        }
        Ok(())
    }

    /// `mhlo.layout_mode = "{0,1}"`: the layout of an argument or of a result.
    fn attribute(&self, attribute: Range<usize>, shape: &mut ArrayShape) -> Outcome {
        let text = &self.text[attribute.clone()];
        let (name, value) = text.split_once('=').unwrap_or((text, ""));
        if name.trim().trim_matches('"') != "mhlo.layout_mode" {
            let what = format!("the attribute `{}` is not read", name.trim());
            let help = "leave it out if it says nothing about the shape on one device; \
                        `mhlo.layout_mode = \"{0,1}\"` is read";
            return Err(self.failure(what, attribute, help));
        }
        let quoted = value.trim();
        let unquoted = quoted.strip_prefix('"');
        match unquoted.and_then(|rest| rest.strip_suffix('"')) {
            Some("default") => Ok(()),
            Some(layout) if layout.starts_with('{') => {
                let read: Layout = layout.parse().map_err(|error: ParseError| {
                    let Some(brace) = text.find('{') else {
                        unreachable!("the layout begins with a brace");
                    };
                    let start = attribute.start + brace;
                    let inside = error.span().unwrap_or(0..layout.len());
                    let at = start + inside.start..start + inside.end;
                    self.failure(error.message(), at, &error.help().to_string())
                })?;
                let fits = read.validate_for(shape.element_type, &shape.dims);
                fits.map_err(|error| self.failure(error.message(), attribute, WRITE_XLA))?;
                shape.layout = Some(read);
                Ok(())
            }
            _ => {
                let what = format!("the layout mode `{quoted}` is no layout");
                let help = "write the layout that the compiled program has: \
                            `mhlo.layout_mode = \"{0,1}\"`";
                Err(self.failure(what, attribute, help))
            }
        }
    }

    fn failure(&self, what: impl std::fmt::Display, at: Range<usize>, help: &str) -> Failure {
        Failure::usage(what)
            .at(TextSpan::of_argument(self.origin, self.text, at))
            .help(help)
    }

    /// The parts of a text with commas between them. A comma in brackets or quotes is in a part.
    fn parts(&self, range: Range<usize>) -> Vec<Range<usize>> {
        let mut parts = Vec::new();
        let mut start = range.start;
        for (at, mark) in marks(self.text, range.start) {
            if at >= range.end {
                break;
            }
            if mark == (b',', 0) {
                parts.push(self.trimmed(start..at));
                start = at + 1;
            }
        }
        let last = self.trimmed(start..range.end);
        // Nothing is no part, but nothing after a comma is.
        if !last.is_empty() || !parts.is_empty() {
            parts.push(last);
        }
        parts
    }

    /// The range without blanks at its ends.
    fn trimmed(&self, range: Range<usize>) -> Range<usize> {
        let text = &self.text[range.clone()];
        let start = range.start + text.len() - text.trim_start().len();
        start..start + text.trim().len()
    }
}

/// The marks of a text from here on that are not in quotes, and in how many brackets each one is. The
/// number is the same for a bracket and for the one that closes it.
fn marks(text: &str, from: usize) -> impl Iterator<Item = (usize, (u8, usize))> {
    let bytes = text.as_bytes();
    let (mut at, mut depth) = (from, 0_usize);
    std::iter::from_fn(move || {
        loop {
            let mark = *bytes.get(at)?;
            at += 1;
            match mark {
                b'"' => {
                    while let Some(&inside) = bytes.get(at)
                        && inside != b'"'
                    {
                        at += if inside == b'\\' { 2 } else { 1 };
                    }
                    at += 1;
                }
                // The arrow of an affine map is no bracket.
                b'-' if bytes.get(at) == Some(&b'>') => at += 1,
                b'<' | b'(' | b'[' | b'{' => {
                    depth += 1;
                    return Some((at - 1, (mark, depth - 1)));
                }
                b'>' | b')' | b']' | b'}' => {
                    depth = depth.saturating_sub(1);
                    return Some((at - 1, (mark, depth)));
                }
                b',' => return Some((at - 1, (mark, depth))),
                _ => {}
            }
        }
    })
}

/// Where the bracket is closed that is here.
fn closing(text: &str, open: usize) -> Option<usize> {
    let close = match text.as_bytes().get(open)? {
        b'<' => b'>',
        _ => b'}',
    };
    let (at, (mark, _)) = marks(text, open)
        .skip(1)
        .find(|(_, (_, depth))| *depth == 0)?;
    (mark == close).then_some(at)
}

fn element_type(name: &str) -> Option<PrimitiveType> {
    let xla = match name {
        "i1" => "pred".to_owned(),
        "complex<f32>" => "c64".to_owned(),
        "complex<f64>" => "c128".to_owned(),
        _ => match (
            name.strip_prefix("ui"),
            name.strip_prefix("si"),
            name.strip_prefix('i'),
        ) {
            (Some(bits), _, _) => format!("u{bits}"),
            (_, Some(bits), _) | (_, _, Some(bits)) => format!("s{bits}"),
            _ => name.to_lowercase(),
        },
    };
    xla.parse()
        .ok()
        .filter(|found: &PrimitiveType| found.is_array())
}

#[cfg(test)]
mod tests;
