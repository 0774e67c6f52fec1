//! The shapes that people write on the command line.

use std::borrow::Cow;
use std::io::{self, Read};
use std::str::FromStr;

use xlayout::interop::{self, BoundaryError, Notation};
use xlayout::shape::text::{Rules, read_array};
use xlayout::shape::{Shape, ShapeIndex};
use xlayout::xla::shape_util::leaf_shapes;
use xlayout::{ArrayLayout, ArrayShape, DynLayout, Layout, LayoutError, PrimitiveType};

use crate::failure::{Failure, Outcome, TextSpan};
use crate::words::joined;
use xlayout_hlo::Bytes;

/// Accepts XLA's notation and this project's. An array that cannot be addressed is a mistake in the text, with a place.
const RULES: Rules = Rules {
    notation: xlayout::shape::text::Notation::Extended,
    addressable: true,
};

/// What a text may leave out. It may stand before and behind the name of a subcommand.
#[derive(clap::Args, Debug, Default)]
pub(crate) struct Given {
    /// The sizes, where the text has none: of 'aBcd16b', 'NCHW16c', 'FRACTAL_NZ', '{0,1}'
    #[arg(long, value_name = "N,N,…", allow_hyphen_values = true, value_parser = sizes, global = true)]
    sizes: Option<Box<[i64]>>,

    /// The type of an element, where the text has none: f32
    #[arg(long = "type", value_name = "TYPE", value_parser = element_type, global = true)]
    element_type: Option<PrimitiveType>,

    /// The axes of the sizes, for TVM's 'NCHW16c': NCHW
    #[arg(long, value_name = "LETTERS", global = true)]
    axes: Option<String>,
}

fn sizes(text: &str) -> Result<Box<[i64]>, &'static str> {
    let size = |size: &str| size.trim().parse().ok().filter(|&size| size >= 0);
    let all: Option<_> = text.split(',').map(size).collect();
    all.ok_or("write sizes with commas between them: 2,17,5,7")
}

fn element_type(text: &str) -> Result<PrimitiveType, &'static str> {
    let read = text.parse().ok();
    let read = read.filter(|read: &PrimitiveType| read.is_array());
    read.ok_or("write an element type of XLA, such as f32, bf16 or s8")
}

impl Given {
    pub(crate) fn of_notation(&self) -> interop::Given<'_> {
        interop::Given {
            sizes: self.sizes.as_deref(),
            element_type: self.element_type,
            axes: self.axes.as_deref(),
        }
    }

    /// These values, and for each missing one the value of an array.
    pub(crate) fn or_of(&self, array: &DynLayout) -> Self {
        let own = || array.dims().iter().map(|&size| size as i64).collect();
        Self {
            sizes: self.sizes.clone().or_else(|| Some(own())),
            element_type: self.element_type.or_else(|| Some(array.element_type())),
            axes: self.axes.clone(),
        }
    }

    /// Checks that the values in a text equal the given ones.
    fn check(&self, origin: &str, text: &str, array: &DynLayout) -> Outcome {
        let own = array.dims().iter().map(|&size| size as i64);
        let same = |sizes: &[i64]| own.eq(sizes.iter().copied());
        let other = |given: PrimitiveType| given != array.element_type();
        let what = match (self.sizes.as_deref(), self.element_type) {
            (Some(sizes), _) if !same(sizes) => "--sizes",
            (_, Some(given)) if other(given) => "--type",
            _ => return Ok(()),
        };
        Err(
            Failure::usage(format_args!("`{array}` is another array than {what} says"))
                .at(TextSpan::of_whole(origin, text))
                .help(format_args!("leave out {what}, or correct it")),
        )
    }
}

/// Reads an argument as an array with a layout; row-major if the text has no layout.
///
/// # Errors
/// All mistakes of the text, each with carets under it, and a size that is known at run time only.
pub(crate) fn read(origin: &str, text: &str, given: &Given) -> Outcome<DynLayout> {
    let (xla, _) = understood(origin, text, given, false)?;
    let array = read_xla(origin, &xla)?;
    given.check(origin, text, &array)?;
    Ok(array)
}

/// Reads a text of XLA's.
fn read_xla(origin: &str, text: &str) -> Outcome<DynLayout> {
    if let Some(failure) = without_braces(origin, text) {
        return Err(failure);
    }
    let mut failure: Option<Failure> = None;
    let shape = read_array(text, RULES, &mut |error| {
        let next = Failure::of_text(&error, origin, text);
        failure = Failure::both(failure.take(), Some(next));
    });
    let Some(shape) = shape else {
        let none = || Failure::usage("this is no shape").at(TextSpan::of_whole(origin, text));
        return Err(failure.unwrap_or_else(none));
    };
    DynLayout::new(shape).map_err(|layout_error| of_layout_error(&layout_error, origin, text))
}

/// Reads an argument as any shape: an array in a known notation, a tuple of XLA's, a buffer, … Also returns the notation, if it is not
/// XLA's.
///
/// # Errors
/// As [`read`]; for a tuple, the first mistake.
pub(crate) fn read_any(
    origin: &str,
    text: &str,
    given: &Given,
) -> Outcome<(Shape, Option<&'static Notation>)> {
    let (xla, notation) = understood(origin, text, given, true)?;
    let start = xla.trim_start();
    let tuple_or_other = ["(", "b(", "token", "opaque"];
    if !tuple_or_other.iter().any(|head| start.starts_with(head)) {
        let array = read_xla(origin, &xla)?;
        given.check(origin, text, &array)?;
        return Ok((Shape::Array(array.shape()), notation));
    }
    let shape = xla.parse();
    let shape = shape.map_err(|error| Failure::of_text(&error, origin, &xla))?;
    Ok((shape, notation))
}

/// A member that is not a tuple: its index in the tuple, and its array if it is one.
pub(crate) type Leaf = (ShapeIndex, Option<DynLayout>);

/// The members that are not tuples, each with its path; arrays are lowered.
pub(crate) fn leaves(shape: &Shape, text: &str) -> Outcome<Vec<Leaf>> {
    let leaf = |(path, leaf): (ShapeIndex, &Shape)| {
        let array = leaf.as_array_or_buffer().map(|array| {
            let lowered = DynLayout::new(array.clone());
            lowered.map_err(|layout_error| of_layout_error(&layout_error, "SHAPE", text))
        });
        Ok((path, array.transpose()?))
    };
    leaf_shapes(shape).map(leaf).collect()
}

/// A text in XLA's notation, and the notation of the original, if it is not XLA's.
pub(crate) type Understood<'a> = (Cow<'a, str>, Option<&'static Notation>);

/// Converts a pasted text to XLA's notation: another project's notation, a type of MLIR, or a line of HLO. Other texts are returned
/// unchanged. If `several`, a text of several arrays becomes a tuple.
///
/// # Errors
/// If a text in a known notation does not describe an array, or has something that is not supported.
pub(crate) fn understood<'a>(
    origin: &str,
    text: &'a str,
    given: &Given,
    several: bool,
) -> Outcome<Understood<'a>> {
    let of_notation = given.of_notation();
    let mut notation = None;
    let read = if let Some(found) = Notation::of(text, &of_notation) {
        notation = Some(found);
        let mut arrays = Vec::new();
        let read = if several {
            found.read_each(text, &of_notation, &mut |shape| {
                arrays.push(shape.to_string());
                Ok(())
            })
        } else {
            let shape = found.read(text, &of_notation);
            shape.map(|shape| arrays.push(shape.to_string()))
        };
        read.map_err(|error| of_notation_error(&error, origin, text))?;
        Cow::Owned(match arrays.as_slice() {
            [array] => array.clone(),
            _ => format!("({})", joined(&arrays, ", ")),
        })
    } else if text.trim_start().starts_with('{')
        && (of_notation.sizes.is_some() || of_notation.element_type.is_some())
    {
        let (Some(sizes), Some(element_type)) = (of_notation.sizes, of_notation.element_type)
        else {
            let failure = Failure::usage("a layout alone says neither the sizes nor the type");
            let failure = failure.at(TextSpan::of_whole(origin, text));
            return Err(failure.help("give both: --sizes 2,3 --type f32"));
        };
        let layout = text.parse::<Layout>();
        let layout = layout.map_err(|error| Failure::of_text(&error, origin, text))?;
        let shape = ArrayShape::new(element_type, sizes);
        let mut shape =
            shape.map_err(|error| Failure::usage(error).at(TextSpan::of_whole(origin, text)))?;
        shape.layout = Some(layout);
        Cow::Owned(shape.to_string())
    } else {
        Cow::Borrowed(of_instruction(text).unwrap_or(text))
    };
    Ok((read, notation))
}

/// The failure for a text in another project's notation, with the arguments that it needs.
fn of_notation_error(error: &interop::Error, origin: &str, text: &str) -> Failure {
    use BoundaryError as B;
    let help = match error.kind() {
        B::NoSizes { .. } => "give the sizes, dimension 0 first: --sizes 2,17,5,7",
        B::NoElementType { .. } => "give the type of an element: --type f32",
        B::NoAxes => "give the axes from dimension 0 on: --axes NCHW",
        _ => {
            let failure = Failure::of_text(error, origin, text);
            return failure;
        }
    };
    let span = error.span().unwrap_or(0..text.len());
    let failure = Failure::usage(error.message());
    failure
        .at(TextSpan::of_argument(origin, text, span))
        .help(help)
}

/// The result of an instruction: `ROOT %copy.1 = f32[2,3]{1,0} copy(%x), metadata={…}`.
fn of_instruction(text: &str) -> Option<&str> {
    let (name, rest) = text.split_once(" = ")?;
    let name = name.trim();
    let name = name.strip_prefix("ROOT ").unwrap_or(name).trim();
    let name = name.strip_prefix('%').unwrap_or(name);
    let is_name = |c: char| c.is_ascii_alphanumeric() || "_.-".contains(c);
    if name.is_empty() || !name.chars().all(is_name) {
        return None;
    }
    let rest = rest.trim_start();
    // A blank outside of all brackets ends the shape.
    let mut depth = 0_usize;
    let end = rest.find(|c: char| {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        c.is_whitespace() && depth == 0
    });
    Some(&rest[..end.unwrap_or(rest.len())])
}

/// Why a shape has no lowered layout.
pub(crate) fn of_layout_error(layout_error: &LayoutError, origin: &str, text: &str) -> Failure {
    match layout_error {
        LayoutError::Invalid(error) => Failure::of_text(error, origin, text),
        LayoutError::Lower(xlayout::shape::NotLowered::Unbounded) => {
            let at = text.find('?').map_or(0..text.len(), |at| at..at + 1);
            Failure::usage("the size of a dimension is not known")
                .at(TextSpan::of_argument(origin, text, at)
                    .label("only the run time knows this size"))
                .help("write a size such as `8`, or `<=8` for one that changes and is at most 8")
        }
        other => Failure::usage(other).at(TextSpan::of_whole(origin, text)),
    }
}

/// The failure for a shape whose braces a shell expanded: `f32[2,3]1`.
fn without_braces(origin: &str, text: &str) -> Option<Failure> {
    let (shape, tail) = text.split_at(text.rfind(']')? + 1);
    let number = !tail.is_empty() && tail.bytes().all(|b| b.is_ascii_digit());
    let cut = number && read_array(shape, RULES, &mut |_| ()).is_some();
    cut.then(|| {
        let at = TextSpan::of_argument(origin, text, shape.len()..text.len());
        Failure::usage(format_args!("unexpected `{tail}` after the shape"))
            .at(at)
            .help(QUOTE)
    })
}

/// The help if a shell expanded braces, brackets or parentheses.
pub(crate) const QUOTE: &str =
    "shells read braces and brackets themselves: put the shape in quotes, 'f32[2,3]{1,0}'";

/// The failure for words that a shell made of one shape without quotes: bash expands `f32[2,3]{1,0}` to `f32[2,3]1 f32[2,3]0`.
pub(crate) fn taken_apart(words: &[String]) -> Option<Failure> {
    let parts = |word: &String| {
        let (shape, number) = word.split_at(word.rfind(']')? + 1);
        let number: u32 = number.parse().ok()?;
        Some((shape.to_owned(), number))
    };
    let split: Vec<_> = words.iter().map(parts).collect();
    let start = split.windows(2).position(|pair| match pair {
        [Some(a), Some(b)] => a.0 == b.0 && a.1 != b.1,
        _ => false,
    })?;
    let shape = &split[start].as_ref()?.0;
    read_array(shape, RULES, &mut |_| ())?;
    let same = split[start..].iter().map_while(Option::as_ref);
    let mut numbers: Vec<u32> = Vec::new();
    for (other, number) in same {
        // The next word belongs to another shape, as in `diff`.
        if other != shape || numbers.contains(number) {
            break;
        }
        numbers.push(*number);
    }
    let text = words[start..start + numbers.len()].join(" ");
    let meant = format!("'{shape}{{{}}}'", crate::words::joined(&numbers, ","));
    let at = TextSpan::of_argument("", &text, 0..text.len());
    let failure = Failure::usage("a shell took a shape apart at its braces").at(at);
    Some(failure.help(format_args!("put the shape in quotes: {meant}")))
}

/// The three numbers of `--swizzle`.
pub(crate) fn swizzle<B: FromStr, S: FromStr>(text: &str) -> Outcome<(B, B, S)> {
    let numbers = || {
        let mut parts = text.split(',').map(str::trim);
        let bits = parts.next()?.parse().ok()?;
        let base = parts.next()?.parse().ok()?;
        let shift = parts.next()?.parse().ok()?;
        parts.next().is_none().then_some((bits, base, shift))
    };
    numbers().ok_or_else(|| {
        Failure::usage(format_args!("`{text}` is no swizzle"))
            .help("write the three numbers of CuTe's `Swizzle<3,3,3>`: `--swizzle 3,3,3`")
    })
}

/// The bytes of an array.
pub(crate) fn bytes_of(array: &impl ArrayLayout) -> Bytes {
    Bytes {
        count: 1,
        logical: xlayout_hlo::logical_bytes(array).into(),
        allocated: array.bytes() as u128,
    }
}

/// The longest text that is read from the standard input: the limit of an argument on Linux.
const MAX_INPUT: u64 = 1 << 17;

/// The argument itself, or for `-` the standard input.
///
/// # Errors
/// Input that is too long, is not text, or cannot be read.
pub(crate) fn text<'a>(origin: &str, argument: &'a str) -> Outcome<Cow<'a, str>> {
    if argument != "-" {
        return Ok(argument.into());
    }
    let path = std::path::Path::new("standard input");
    let mut text = String::new();
    let read = io::stdin()
        .lock()
        .take(MAX_INPUT + 1)
        .read_to_string(&mut text);
    read.map_err(|error| Failure::of_file("read", path, &error))?;
    if text.len() as u64 > MAX_INPUT {
        let what = format_args!(
            "the standard input has more than {MAX_INPUT} bytes, and one {origin} is expected"
        );
        return Err(Failure::file(what));
    }
    Ok(text.trim().to_owned().into())
}

#[cfg(test)]
mod mlir;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_people_paste_has_a_shape() {
        for (text, shape) in [
            (
                "  ROOT %copy.1 = f32[2,3]{1,0:T(8,128)} copy(%x), metadata={op_name=\"a b\"}",
                "f32[2,3]{1,0:T(8,128)}",
            ),
            (
                "a.1 = (f32[2]{0}, /*index=1*/s32[]) tuple(b, c)",
                "(f32[2]{0}, /*index=1*/s32[])",
            ),
            ("%p = f32[] parameter(0)", "f32[]"),
            ("%p = f32[2]{0}", "f32[2]{0}"),
            ("tensor<2x3xbf16>", "bf16[2,3]"),
            ("memref<2x3xf32, strided<[1, 2]>>", "f32[2,3]{0,1}"),
            ("f32[2,3]", "f32[2,3]"),
            ("x y = f32[2]", "x y = f32[2]"),
        ] {
            let found = understood("SHAPE", text, &Given::default(), false);
            assert!(matches!(found, Ok((found, _)) if found == shape), "{text}");
        }
    }
}
