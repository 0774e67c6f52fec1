//! Reads the shapes that people write and paste: XLA's text, those of other projects, types of
//! MLIR, lines of HLO.
//!
//! Each function takes the name of the text, which errors say.

use std::borrow::Cow;

use xlayout::interop::{self, BoundaryError, Given, Notation, Offset, StrideUnit};
use xlayout::shape::text::{Rules, read_array};
use xlayout::shape::{Shape, ShapeIndex};
use xlayout::xla::shape_util::leaf_shapes;
use xlayout::{ArrayLayout, ArrayShape, DynLayout, ElementType, Layout, LayoutError};

use crate::error::{Error, Outcome, TextSpan};
use crate::maps::{layout_of, resolved};
use crate::words::{counted, joined};
use rewritten::{of_dense, rewritten};

/// Accepts XLA's notation and this project's. An array that cannot be addressed is a mistake in the
/// text, with a place.
const RULES: Rules = Rules {
    notation: xlayout::shape::text::Notation::Extended,
    addressable: true,
};

/// Reads a text as an array with a layout; row-major if the text has no layout.
///
/// ```
/// use xlayout_view::{Given, read};
/// let line = "%copy.1 = f32[2,3]{0,1} copy(%x)";
/// assert_eq!(read("SHAPE", line, &Given::default())?.to_string(), "f32[2,3]{0,1}");
/// # Ok::<(), xlayout_view::Error>(())
/// ```
///
/// # Errors
/// All mistakes of the text, each with its place, and a size that is known at run time only.
pub fn read(origin: &str, text: &str, given: &Given<'_>) -> Outcome<DynLayout> {
    let xla = understood(origin, text, given, false)?.xla;
    let whole = |error| of_whole(origin, (text, &xla), given, error);
    let array = read_xla(origin, &xla, given).map_err(whole)?;
    check(origin, text, given, &array)?;
    Ok(array)
}

/// Reads the sizes that a text may leave out: `2,17,5,7`.
///
/// # Errors
/// What to write.
pub fn read_sizes(text: &str) -> Result<Box<[i64]>, &'static str> {
    let size = |size: &str| size.trim().parse().ok().filter(|&size| size >= 0);
    let all: Option<_> = text.split(',').map(size).collect();
    all.ok_or("write sizes with commas between them: 2,17,5,7")
}

/// Reads the element type that a text may leave out: `f32`.
///
/// # Errors
/// What to write.
pub fn read_element_type(text: &str) -> Result<ElementType, &'static str> {
    let read = text.parse().ok();
    let read = read.filter(|read: &ElementType| read.is_array());
    read.ok_or("write an element type of XLA, such as f32, bf16 or s8")
}

/// Reads two arrays, of which one may leave out the sizes and the type that both have.
///
/// ```
/// use xlayout_view::{Given, read_both};
/// let (tiled, _) = read_both(("A", "aB16b"), ("B", "f32[4,32]"), &Given::default())?;
/// assert_eq!(tiled.to_string(), "f32[4,32]{1,0:T(16)}");
/// # Ok::<(), xlayout_view::Error>(())
/// ```
///
/// # Errors
/// As [`read`], of both.
pub fn read_both(
    (name_a, a): (&str, &str),
    (name_b, b): (&str, &str),
    given: &Given<'_>,
) -> Result<(DynLayout, DynLayout), Error> {
    match (read(name_a, a, given), read(name_b, b, given)) {
        (Ok(a), Ok(b)) => Ok((a, b)),
        (Err(a), Err(b)) => Err(a.and(b)),
        (Ok(a), Err(error)) => match read_beside(name_b, b, given, &a) {
            Ok(b) => Ok((a, b)),
            Err(_) => Err(error),
        },
        (Err(error), Ok(b)) => match read_beside(name_a, a, given, &b) {
            Ok(a) => Ok((a, b)),
            Err(_) => Err(error),
        },
    }
}

/// Reads an array that has the sizes and the type of another one where its text has none.
fn read_beside(
    origin: &str,
    text: &str,
    given: &Given<'_>,
    other: &DynLayout,
) -> Outcome<DynLayout> {
    let own: Vec<i64> = other.dims().iter().map(|&size| size as i64).collect();
    let given = Given {
        sizes: given.sizes.or(Some(&own)),
        element_type: given.element_type.or(Some(other.element_type())),
        axes: given.axes,
    };
    read(origin, text, &given)
}

/// The failure to read what was taken of a text, or what is known or asked of the whole one.
fn of_whole(origin: &str, (text, taken): (&str, &str), given: &Given<'_>, failure: Error) -> Error {
    let known = known(text, false, TextSpan::of_whole(origin, text));
    // `shape = (2, 3)` is no instruction.
    let is_no_shape = taken.len() < text.trim().len() && !taken.contains('[');
    let is_asked = known.is_some() || is_no_shape;
    let question = is_asked.then(|| asked(origin, text, given, known.as_ref(), 0));
    question.flatten().or(known).unwrap_or(failure)
}

/// Checks that the values in a text equal the given ones.
fn check(origin: &str, text: &str, given: &Given<'_>, array: &DynLayout) -> Outcome {
    let own = array.dims().iter().map(|&size| size as i64);
    let same = |sizes: &[i64]| own.eq(sizes.iter().copied());
    let is_other_type = |given: ElementType| given != array.element_type();
    let what = match (given.sizes, given.element_type) {
        (Some(sizes), _) if !same(sizes) => "--sizes",
        (_, Some(given)) if is_other_type(given) => "--type",
        _ => return Ok(()),
    };
    Err(
        Error::new(format_args!("`{array}` is another array than {what} says"))
            .at(TextSpan::of_whole(origin, text))
            .help(format_args!("leave out {what}, or correct it")),
    )
}

/// Reads a text of XLA's.
fn read_xla(origin: &str, text: &str, given: &Given<'_>) -> Outcome<DynLayout> {
    if let Some(failure) = without_braces(origin, text) {
        return Err(failure);
    }
    let mut failure: Option<Error> = None;
    let shape = read_array(text, RULES, &mut |error| {
        let next = Error::of_text(&error, origin, text);
        failure = Error::both(failure.take(), Some(next));
    });
    let Some(shape) = shape else {
        let none = || Error::new("this is no shape").at(TextSpan::of_whole(origin, text));
        return Err(unknown(origin, text, given, failure.unwrap_or_else(none)));
    };
    DynLayout::new(shape).map_err(|layout_error| of_layout_error(&layout_error, origin, text))
}

/// Reads a text as any shape: an array in a known notation, a tuple of XLA's, a buffer, … Also
/// returns how it was read.
///
/// # Errors
/// As [`read`]; for a tuple, the first mistake.
pub(crate) fn read_any<'a>(
    origin: &str,
    text: &'a str,
    given: &Given<'_>,
) -> Outcome<(Shape, Understood<'a>)> {
    let read = understood(origin, text, given, true)?;
    let xla = &read.xla;
    let start = xla.trim_start();
    let tuple_or_other = ["(", "b(", "token", "opaque"];
    if !tuple_or_other.iter().any(|head| start.starts_with(head)) {
        let whole = |error| of_whole(origin, (text, xla), given, error);
        let array = read_xla(origin, xla, given).map_err(whole)?;
        check(origin, text, given, &array)?;
        return Ok((Shape::Array(array.array_shape().clone()), read));
    }
    let shape = xla.parse();
    let shape = shape.map_err(|error| {
        let failure = unknown(origin, xla, given, Error::of_text(&error, origin, xla));
        of_whole(origin, (text, xla), given, failure)
    })?;
    Ok((shape, read))
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

/// A text in XLA's notation, and how it was read.
#[derive(Clone, Debug)]
pub struct Understood<'a> {
    /// The text of XLA's.
    pub xla: Cow<'a, str>,
    /// The notation of the original, if it is not XLA's.
    pub notation: Option<&'static Notation>,
    /// What the original says and the text of XLA's does not.
    pub notes: Vec<String>,
}

/// Converts a pasted text to XLA's notation: another project's notation, a type of MLIR, or a line
/// of HLO. Other texts are returned unchanged. If `several`, a text of several arrays becomes a
/// tuple.
///
/// # Errors
/// If a text in a known notation does not describe an array, or has something that is not
/// supported.
pub fn understood<'a>(
    origin: &str,
    text: &'a str,
    given: &Given<'_>,
    several: bool,
) -> Outcome<Understood<'a>> {
    let mut notation = None;
    let mut notes = Vec::new();
    let is_dense = of_dense(text).is_some();
    let logged = benchdnn::logged(origin, text).transpose()?;
    let whole = rewritten(text)
        .or(logged)
        .map_or_else(|| resolved(text), Cow::Owned);
    let whole = with_sizes(unwrapped(whole), given);
    let read = if let Some(shape) = layout_of(origin, &whole, given) {
        notation = Notation::with_key("cute");
        Cow::Owned(shape?.to_string())
    } else if let Some(found) = Notation::of(&whole, given) {
        notation = Some(found);
        let mut arrays = Vec::new();
        let read = found.read_each(&whole, given, &mut |array| {
            let own = [
                array.offset.map(|offset| of_offset(&array.shape, offset)),
                array.note.map(said),
            ];
            for note in own.into_iter().flatten() {
                if !notes.contains(&note) {
                    notes.push(note);
                }
            }
            arrays.push(array.shape.to_string());
            Ok(())
        });
        let read = match arrays.len() {
            2.. if !several => found.read(&whole, given).map(drop),
            _ => read,
        };
        read.map_err(|error| {
            let span = error.span().unwrap_or(0..whole.len());
            let place = TextSpan::of_argument(origin, &whole, span.clone());
            // A field was expected where a program begins.
            let start = whole.trim_start();
            let before = whole[..span.start].trim_end_matches(' ');
            let is_program = matches!(found.key, "torch" | "numpy")
                && (before.trim().is_empty() || before.ends_with('\n'))
                && span.len() < start.trim_end().len()
                && start.starts_with(char::is_alphabetic);
            let known = known(text, false, place.clone());
            // Fields of one array are read, those of several are not.
            let least = match found.key {
                _ if is_program => 0,
                "numpy" if start.starts_with('{') => 1,
                "numpy" | "torch" => 2,
                _ => usize::MAX,
            };
            let question = asked(origin, &whole, given, known.as_ref(), least);
            if let Some(failure) = question.or(known) {
                return failure;
            }
            if is_program {
                return known::no_values(place);
            }
            of_notation_error(&error, origin, &whole)
        })?;
        Cow::Owned(match arrays.as_slice() {
            [array] => array.clone(),
            _ => format!("({})", joined(&arrays, ", ")),
        })
    } else if whole.trim_start().starts_with('{')
        && (is_dense || given.sizes.is_some() || given.element_type.is_some())
    {
        let (Some(sizes), Some(element_type)) = (given.sizes, given.element_type) else {
            let failure = Error::new("a layout alone says neither the sizes nor the type");
            let failure = failure.at(TextSpan::of_whole(origin, text));
            return Err(failure.help("give both: --sizes 2,3 --type f32"));
        };
        let layout = whole.parse::<Layout>();
        let layout = layout.map_err(|error| Error::of_text(&error, origin, text))?;
        let shape = ArrayShape::new(element_type, sizes);
        let mut shape =
            shape.map_err(|error| Error::new(error).at(TextSpan::of_whole(origin, text)))?;
        shape.layout = Some(layout);
        Cow::Owned(shape.to_string())
    } else {
        let place = TextSpan::of_whole(origin, &whole);
        if known::is_of_registers(&whole)
            && let Some(failure) = known(&whole, false, place)
        {
            return Err(failure);
        }
        match whole {
            Cow::Owned(whole) => Cow::Owned(of_instruction(&whole).unwrap_or(&whole).to_owned()),
            Cow::Borrowed(whole) => Cow::Borrowed(of_instruction(whole).unwrap_or(whole)),
        }
    };
    Ok(Understood {
        xla: read,
        notation,
        notes,
    })
}

fn said(note: &str) -> String {
    format!("{note}.")
}

/// The layout or the shape in a call of JAX's that has nothing else: `PjRtLayout({1,0})`,
/// `ShapedArray(float32[2,3])`; NumPy's names of types as XLA's.
fn unwrapped(text: Cow<'_, str>) -> Cow<'_, str> {
    // Stars and quotes of a page.
    let stars = |bare: &str| bare.matches("**").count();
    let is_bold = |bare: &str| {
        // `s1**2` is a power.
        stars(bare) > 0 && stars(bare).is_multiple_of(2) && !bare.trim_matches('*').is_empty()
    };
    let text = match text.trim_matches('`') {
        bare if is_bold(bare) => Cow::Owned(bare.replace("**", "")),
        bare if (1..text.len()).contains(&bare.len()) => Cow::Owned(bare.to_owned()),
        _ => text,
    };
    let letters = text.split([',', '-', '_', '.', ' ']);
    let letters = letters.filter(|part| !part.is_empty());
    let is_letter =
        |part: &str| part.len() == 1 && part.starts_with(|c: char| c.is_ascii_alphabetic());
    if letters.clone().count() > 1 && letters.clone().all(is_letter) {
        // `N, H, W, C`
        return Cow::Owned(letters.collect());
    }
    let classes = [
        "SpecifiedLayout(",
        "PjRtLayout(",
        "ShapedArray(",
        "AbstractRef{",
    ];
    let inner = classes.iter().find_map(|class| {
        let rest = text.trim().strip_prefix(class)?;
        let rest = rest.strip_suffix([')', '}'])?;
        Some(
            rest.split_once(", weak_type")
                .map_or(rest, |(rest, _)| rest),
        )
    });
    let shape = inner.unwrap_or(&text);
    let named = shape.split_once('[').and_then(|(name, rest)| {
        let element_type = interop::from_numpy_name(name.trim())?;
        let read = format!("{element_type}[{rest}");
        // A mistake is shown in the text as it was written.
        let is_right = read_array(&read, RULES, &mut |_| ()).is_some();
        is_right.then_some(read)
    });
    match (named, inner) {
        (Some(named), _) => Cow::Owned(named),
        (None, Some(inner)) => Cow::Owned(inner.to_owned()),
        (None, None) => text,
    }
}

/// A map or strides of a memref alone, as those of one of the given sizes.
fn with_sizes<'t>(text: Cow<'t, str>, given: &Given<'_>) -> Cow<'t, str> {
    let (Some(sizes), Some(element_type)) = (given.sizes, given.element_type) else {
        return text;
    };
    let memref = || {
        let shape = ArrayShape::new(element_type, sizes).ok()?;
        let memref = interop::MemRef::new(&shape).ok()?.to_string();
        Some(format!("{}, {}>", memref.strip_suffix('>')?, text.trim()))
    };
    let alone = ["affine_map<", "strided<"];
    if alone
        .iter()
        .any(|begin| text.trim_start().starts_with(begin))
    {
        return memref().map_or_else(|| text.clone(), Cow::Owned);
    }
    text
}

/// Where the first element lies.
fn of_offset(shape: &ArrayShape, offset: Offset) -> String {
    let bytes = match (offset.number, offset.unit) {
        (number, StrideUnit::Bytes) => number.map(i128::from),
        (number, _) => number.map(|n| i128::from(n) * i128::from(shape.element_size_in_bits()) / 8),
    };
    let place = match bytes {
        Some(bytes) => format!(
            "{} behind the beginning of the memory",
            counted(bytes, "byte")
        ),
        None => {
            "somewhere behind the beginning of the memory: only the run time knows it".to_owned()
        }
    };
    format!("The first element lies {place}. All below counts from the first element.")
}

/// The failure for a text in another project's notation, with the arguments that it needs.
fn of_notation_error(error: &interop::Error, origin: &str, text: &str) -> Error {
    use BoundaryError as B;
    let help = match error.kind() {
        B::NoSizes { .. } => "give the sizes, dimension 0 first: --sizes 2,17,5,7",
        B::NoElementType { .. } => "give the type of an element: --type f32",
        B::NoAxes => "give the axes from dimension 0 on: --axes NCHW",
        _ => {
            let failure = Error::of_text(error, origin, text);
            return failure;
        }
    };
    let span = error.span().unwrap_or(0..text.len());
    let failure = Error::new(error.message());
    failure
        .at(TextSpan::of_argument(origin, text, span))
        .help(help)
}

/// The result of an instruction: `ROOT %copy.1 = f32[2,3]{1,0} copy(%x), metadata={…}`.
fn of_instruction(text: &str) -> Option<&str> {
    let (name, rest) = text.split_once(" = ")?;
    // `XLA label: fusion.1 = …`
    let name = name.rsplit_once(": ").map_or(name, |(_, name)| name).trim();
    let name = match name.rsplit_once(" %") {
        Some((words, name)) if !words.contains('\n') => name,
        _ => name,
    };
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
    let shape = &rest[..end.unwrap_or(rest.len())];
    // `dims = [2, 3]` names a list, and `%0 = arith.addf` is none of HLO's.
    Some(shape).filter(|shape| !shape.starts_with('[') && shape.contains(['[', '(']))
}

/// The failure for a text that looks like nothing of XLA's: what it says of an array, or why it
/// says nothing.
fn unknown(origin: &str, text: &str, given: &Given<'_>, failure: Error) -> Error {
    let whole = TextSpan::of_whole(origin, text);
    let start = text.trim_start();
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '.';
    let behind = start.trim_start_matches(is_word).trim_start();
    let word =
        start[..start.len() - start.trim_start_matches(is_word).len()].parse::<ElementType>();
    // A type and sizes, a layout, a name or nothing: XLA's reader says what is wrong.
    let is_tag = start.strip_prefix('[').is_some_and(|tag| {
        let is_of_sizes = |letter: char| letter.is_ascii_digit() || ",<=? ".contains(letter);
        !tag.trim_start_matches(is_of_sizes).starts_with(']')
    });
    let is_begin_of_layout = |letter: char| letter.is_ascii_digit() || "}:".contains(letter);
    let is_layout = start
        .strip_prefix('{')
        .is_some_and(|inner| inner.trim_start().starts_with(is_begin_of_layout));
    if behind.starts_with('[') && !is_tag || behind.is_empty() || is_layout || word.is_ok() {
        return failure;
    }
    let known_of_words = known(text, false, whole.clone());
    let failure_of_parts = asked(origin, text, given, known_of_words.as_ref(), 0)
        .or(known_of_words)
        .or_else(|| known(text, true, whole.clone()));
    if let Some(failure) = failure_of_parts {
        return failure;
    }
    // A tuple.
    if start.starts_with('(') && start.contains('[') {
        return failure;
    }
    let help = if text.contains("tride") {
        "say what the numbers are: `shape=(2, 3), strides=(12, 4), dtype='float32'`, in bytes as \
         NumPy's, `torch.Size([2, 3]), stride=(3, 1)`, in elements, or CuTe's `((2,2),3):((6,3),1)`"
            .to_owned()
    } else {
        let mut known: Vec<&str> = Notation::ALL
            .iter()
            .filter_map(|row| row.name.split(',').next())
            .collect();
        known.retain(|name| *name != "by name");
        known.sort_unstable();
        known.dedup();
        let known = joined(&known, ", ");
        format!(
            "write the array: `f32[2,3]{{1,0}}`, or as these do: {known}; names of layouts need --sizes \
             and --type"
        )
    };
    Error::new("this text is in no notation that is known")
        .at(whole)
        .help(help)
}

/// The question which array a text means, if the parts that it names are those of at least `least`
/// arrays, unless what is known of the text says more.
fn asked(
    origin: &str,
    text: &str,
    given: &Given<'_>,
    known: Option<&Error>,
    least: usize,
) -> Option<Error> {
    let question = facts::question(origin, text, given)?;
    let is_more = known.is_none_or(|known| question.says_both && known::is_vague(known));
    (is_more && question.arrays >= least).then_some(question.error)
}

/// Why a shape has no lowered layout.
fn of_layout_error(layout_error: &LayoutError, origin: &str, text: &str) -> Error {
    match layout_error {
        LayoutError::Invalid(error) => Error::of_text(error, origin, text),
        LayoutError::Lower(xlayout::shape::NotLowered::Unbounded) => {
            let at = text.find('?').map_or(0..text.len(), |at| at..at + 1);
            Error::new("the size of a dimension is not known")
                .at(TextSpan::of_argument(origin, text, at)
                    .label("only the run time knows this size"))
                .help("write a size such as `8`, or `<=8` for one that changes and is at most 8")
        }
        other => Error::new(other).at(TextSpan::of_whole(origin, text)),
    }
}

/// The failure for a shape whose braces a shell expanded: `f32[2,3]1`.
fn without_braces(origin: &str, text: &str) -> Option<Error> {
    let (shape, tail) = text.split_at(text.rfind(']')? + 1);
    let number = !tail.is_empty() && tail.bytes().all(|b| b.is_ascii_digit());
    let cut = number && read_array(shape, RULES, &mut |_| ()).is_some();
    cut.then(|| {
        let at = TextSpan::of_argument(origin, text, shape.len()..text.len());
        Error::new(format_args!("unexpected `{tail}` after the shape"))
            .at(at)
            .help(QUOTE)
    })
}

/// The help if a shell expanded braces, brackets or parentheses.
const QUOTE: &str =
    "shells read braces and brackets themselves: put the shape in quotes, 'f32[2,3]{1,0}'";

mod benchdnn;
mod facts;
mod known;
#[cfg(test)]
mod mlir;
mod part;
mod rewritten;

pub(crate) use known::known;
pub use part::part;

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
            ("`f32[2]`", "f32[2]"),
            // There is something to point at.
            ("`", "`"),
        ] {
            let found = understood("SHAPE", text, &Given::default(), false);
            assert!(matches!(found, Ok(found) if found.xla == shape), "{text}");
        }
        let given = Given {
            sizes: Some(&[2, 3]),
            element_type: Some(ElementType::F32),
            axes: None,
        };
        let layout = "result_layouts = [dense<[0, 1]> : tensor<2xindex>]";
        let found = understood("SHAPE", layout, &given, false);
        assert!(matches!(found, Ok(found) if found.xla == "f32[2,3]{0,1}"));
        for (command, arrays) in [
            (
                "24:FAILED (errors:1) __REPRO: --reorder --sdt=f32 --ddt=s8 --stag=abx --dtag=aBCx4b4c \
                 --oflag=s8s8_comp:3 2x35x35x3x3",
                "(f32[2,35,35,3,3]{4,3,2,1,0}, s8[2,35,35,3,3]{4,3,2,1,0:T(4,4,1,1)})",
            ),
            (
                "./benchdnn --mode=C --matmul --dt=f16 --stag=abx --wtag=acb --dtag=abc 7x2x3:1x3x4n\"a\"",
                "(f16[7,2,3]{2,1,0}, f16[1,3,4]{1,2,0}, f16[7,2,4]{2,1,0})",
            ),
            (
                "benchdnn --conv --dir=FWD_I --dt=u8:s8:f32 --stag=axb --wtag=Abcd16a --dtag=axb \
                 mb2ic3ih8iw8oc16oh4ow4kh3kw3sh2sw2ph1",
                "(u8[2,3,8,8]{1,3,2,0}, s8[16,3,3,3]{3,2,1,0:T(16,1,1,1)}, f32[2,16,4,4]{1,3,2,0})",
            ),
            ("--softmax --tag=ba --axis=1 2x3", "f32[2,3]{0,1}"),
        ] {
            let found = understood("SHAPE", command, &Given::default(), true);
            assert_eq!(found.expect(command).xla, arrays, "{command}");
        }
        for command in [
            "--matmul --stag=any --dtag=ab 2x3:3x4",
            "--matmul --stag=ab --strides=8x1:: 2x3:3x4",
            "--stag=ab",
        ] {
            assert!(
                understood("SHAPE", command, &given, true).is_err(),
                "{command}"
            );
        }
        for text in [
            layout,
            "[dense<[0]> : tensor<1xindex>, dense<[0]> : tensor<1xindex>]",
        ] {
            let found = understood("SHAPE", text, &Given::default(), false).map(drop);
            assert_eq!(found.is_err(), text == layout, "{text}");
        }
    }
}
