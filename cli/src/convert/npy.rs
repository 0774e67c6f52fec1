//! NumPy's `.npy`: a few bytes that say what it is, a dictionary in Python's notation, the elements.
//!
//! Source: NumPy's `lib/_format_impl.py`, versions 1.0, 2.0 and 3.0.

use std::path::Path;

use xlayout::interop::{NumpyOrder, TypeStr};
use xlayout::xla::primitive_util;
use xlayout::{ArrayLayout, DynLayout, PrimitiveType};

use super::arrays::{self, Array};
use super::ask::Ask;
use super::excerpt;
use super::npy_dict::{self, Flaw, Header};
use super::positioned::Contents;
use crate::failure::{Code, Failure, Outcome};
use crate::words;

const MAGIC: &[u8; 6] = b"\x93NUMPY";

/// The longest header that is read, in bytes: the sizes of 64 dimensions take 1,400.
const LONGEST: u64 = 1 << 20;

/// Reads the header of a file.
///
/// # Errors
/// With carets in the header. A type that several of XLA's have is taken from `from`.
pub(super) fn read(file: Contents<'_>, from: Option<&Ask>) -> Outcome<Array> {
    let length = file.length;
    let wrong =
        |what: String| Failure::new(Code::File, format_args!("`{}` {what}", file.path.display()));
    let read = |bytes: &mut [u8], at| {
        file.bytes
            .read_at(bytes, at)
            .map_err(|error| Failure::of_file("read", file.path, &error))
    };
    let mut start = [0; 12];
    let known = length.min(12) as usize;
    read(&mut start[..known], 0)?;
    if known < 6 || start[..6] != *MAGIC {
        let found = match known {
            0 => "it is empty".to_owned(),
            _ => format!(
                "it begins with {}, not with {}",
                quoted(&start[..known.min(6)]),
                quoted(MAGIC)
            ),
        };
        return Err(wrong(format!("is no `.npy` file: {found}"))
            .help("if it holds elements and nothing else, say `--input-format raw` and its shape by `--from`"));
    }
    let prefix = match start[6] {
        1 => 10,
        2 | 3 => 12,
        major => {
            let minor = start[7];
            return Err(wrong(format!(
                "is written in version {major}.{minor} of the format"
            ))
            .help("versions 1.0, 2.0 and 3.0 are known; save it again with a current NumPy"));
        }
    };
    let cut = |needed: u64| {
        wrong(format!(
            "ends in its header: it has {}, the header {}",
            words::exact_bytes(length),
            words::exact_bytes(needed)
        ))
        .help("it was cut short; copy or save it again")
    };
    if length < prefix {
        return Err(cut(prefix));
    }
    let header = match prefix {
        10 => u64::from(u16::from_le_bytes([start[8], start[9]])),
        _ => u64::from(u32::from_le_bytes([
            start[8], start[9], start[10], start[11],
        ])),
    };
    if header > LONGEST && header <= length {
        return Err(
            wrong(format!("has a header of {}", words::exact_bytes(header)))
                .help("headers of at most 1 MiB are read; is it damaged?"),
        );
    }
    if prefix + header > length {
        return Err(cut(prefix + header));
    }
    let mut bytes = vec![0; header as usize];
    read(&mut bytes, prefix)?;
    let text = text(&bytes, start[6]);
    let header = npy_dict::read(&text).map_err(|flaw| told(file.path, &text, flaw))?;
    let array = array(file.path, &text, &header, from)?;
    Ok(Array {
        offset: prefix + bytes.len() as u64,
        ..array
    })
}

/// The characters of a header; before version 3.0 they were Latin-1.
fn text(bytes: &[u8], version: u8) -> String {
    match version {
        3 => String::from_utf8_lossy(bytes).into_owned(),
        _ => bytes.iter().map(|byte| char::from(*byte)).collect(),
    }
}

/// Bytes as Python shows them.
fn quoted(bytes: &[u8]) -> String {
    format!("`{}`", bytes.escape_ascii())
}

fn told(path: &Path, text: &str, flaw: Flaw) -> Failure {
    let failure = Failure::new(Code::File, flaw.message)
        .at(excerpt::place(path, text, flaw.span, flaw.label));
    match flaw.help {
        "" => failure,
        help => failure.help(help),
    }
}

const NUMBERS: &str = "convert the elements to a type that XLA has: `a.astype('float32')`";

/// What NumPy's type is that XLA has nothing like, and how its elements become numbers.
fn unknown(name: &str) -> Option<(String, &'static str)> {
    let kind = name.trim_start_matches(['<', '>', '|', '=']);
    let words =
        |what: &str| format!("the elements are {what}, NumPy's `{name}`, which XLA does not have");
    Some(match kind.chars().next()? {
        'O' => (
            "the elements are Python objects, in pickle's format".to_owned(),
            "save an array of numbers: `a.astype('float32')`",
        ),
        'U' => (
            words("texts"),
            "save numbers: the number of each text, `np.unique(a, return_inverse=True)[1]`, or its characters, \
             `a.view('uint32')`",
        ),
        'S' | 'a' => (
            words("texts of bytes"),
            "save numbers: the number of each text, `np.unique(a, return_inverse=True)[1]`, or its bytes, \
             `a.view('uint8')`",
        ),
        'M' => (
            words("dates"),
            "save the count of units since 1970: `a.astype('int64')`",
        ),
        'm' => (
            words("durations"),
            "save the count of units: `a.astype('int64')`",
        ),
        'f' if matches!(kind, "f12" | "f16") => (
            words("long doubles"),
            "save numbers of 64 bits: `a.astype('float64')`",
        ),
        'c' if matches!(kind, "c24" | "c32") => (
            words("complex long doubles"),
            "save numbers of 64 bits: `a.astype('complex128')`",
        ),
        _ => return None,
    })
}

fn array(path: &Path, text: &str, header: &Header, from: Option<&Ask>) -> Outcome<Array> {
    let (name, span) = &header.descr;
    let told = |message: String, help: &'static str| {
        told(
            path,
            text,
            Flaw {
                message,
                span: span.clone(),
                label: String::new(),
                help,
            },
        )
    };
    let big_endian = name.starts_with('>');
    // The same in little-endian bytes, which core knows.
    let little = name.replacen('>', "<", 1);
    let element_type = match little.parse().and_then(TypeStr::element_type) {
        Ok(element_type) => element_type,
        // Bytes without a meaning: NumPy's word for the types of ml_dtypes.
        _ if little[1..].starts_with('V') => void(path, text, header, &little, from)?,
        Err(error) => {
            let (message, help) =
                unknown(name).unwrap_or_else(|| (error.message().to_string(), NUMBERS));
            return Err(told(message, help));
        }
    };
    let mut layout = Vec::new();
    for (size, _) in &header.shape {
        match i64::try_from(*size) {
            Ok(size) => layout.push(size),
            Err(_) => unreachable!("the reader of the header takes sizes up to 2^63 - 1"),
        }
    }
    let memory = if header.fortran_order {
        NumpyOrder::F
    } else {
        NumpyOrder::C
    };
    let layout = arrays::dense(element_type, &layout, memory).ok_or_else(|| {
        self::told(
            path,
            text,
            Flaw {
                message: "the array is larger than 2^63 - 1 bytes".to_owned(),
                span: header.shape_span.clone(),
                label: String::new(),
                help: "is the file damaged?",
            },
        )
    })?;
    let Some(width) = element_type.bytes() else {
        unreachable!("elements of an array have a width")
    };
    let width = width as usize;
    let number = if primitive_util::is_complex_type(element_type) {
        width / 2
    } else {
        width
    };
    Ok(Array {
        name: None,
        swap: (big_endian && number > 1).then_some(number),
        layout,
        offset: 0,
        file: 0,
    })
}

/// The type of elements that NumPy knows no name for: what `--from` says.
fn void(
    path: &Path,
    text: &str,
    header: &Header,
    name: &str,
    from: Option<&Ask>,
) -> Outcome<PrimitiveType> {
    let may_be =
        |ty: &PrimitiveType| TypeStr::new(*ty).is_ok_and(|own| own.to_string()[1..] == name[1..]);
    if let Some(ty) = from.and_then(Ask::element_type).filter(may_be) {
        return Ok(ty);
    }
    let types: Vec<_> = PrimitiveType::all().filter(may_be).collect();
    let flaw = |message: String, help| {
        let (span, label) = (header.descr.1.clone(), String::new());
        told(
            path,
            text,
            Flaw {
                message,
                span,
                label,
                help,
            },
        )
    };
    let Ok(bytes) = name[2..].parse::<u64>() else {
        let message = format!("`{name}` is no type of NumPy's");
        return Err(flaw(
            message,
            "NumPy writes bytes without a meaning as `<V2`; is the file damaged?",
        ));
    };
    let bytes = words::counted(bytes, "byte");
    let failure = flaw(
        format!("`{name}` says only how many bytes an element takes, not what it is"),
        "",
    );
    let failure = match from.and_then(Ask::element_type) {
        Some(ty) => failure.note(format_args!("`--from` says {ty}, which is no such type")),
        None => failure,
    };
    Err(match types.as_slice() {
        [] => failure.help(format_args!(
            "XLA has no type of {bytes} that NumPy does not know; save a view of another type"
        )),
        [one] => failure.help(format_args!("name the type: `--from {one}`")),
        [first, others @ ..] => failure.help(format_args!(
            "name the type: `--from {first}`, or {} others of {bytes}, such as {}",
            others.len(),
            words::listed(&others[..others.len().min(3)])
        )),
    })
}

/// Which of NumPy's two orders a layout is; `None` where it is neither.
pub(super) fn order(layout: &DynLayout) -> Option<NumpyOrder> {
    let sizes: Vec<i64> = layout.dims().iter().map(|size| *size as i64).collect();
    [NumpyOrder::C, NumpyOrder::F].into_iter().find(|order| {
        arrays::dense(layout.element_type(), &sizes, *order)
            .is_some_and(|dense| arrays::same_memory(&dense, layout))
    })
}

/// The header of a file with this array, byte for byte as NumPy writes it; `None` where it cannot.
pub(super) fn header(layout: &DynLayout) -> Option<Vec<u8>> {
    let order = order(layout)?;
    let name = TypeStr::new(layout.element_type()).ok()?;
    let sizes = words::joined(layout.dims(), ", ");
    let comma = if layout.rank() == 1 { "," } else { "" };
    let fortran = if order == NumpyOrder::F {
        "True"
    } else {
        "False"
    };
    let mut text =
        format!("{{'descr': '{name}', 'fortran_order': {fortran}, 'shape': ({sizes}{comma}), }}");
    // NumPy leaves room for the dimension that grows when elements are appended: 21 digits.
    let grows = match order {
        NumpyOrder::C => layout.dims().first(),
        NumpyOrder::F => layout.dims().last(),
    };
    if let Some(size) = grows {
        text.extend(std::iter::repeat_n(
            ' ',
            21_usize.saturating_sub(size.to_string().len()),
        ));
    }
    let prefix = if text.len() + 11 > usize::from(u16::MAX) {
        12
    } else {
        10
    };
    let length = (prefix + text.len() + 1).next_multiple_of(64) - prefix;
    text.extend(std::iter::repeat_n(' ', length - text.len() - 1));
    text.push('\n');
    let mut bytes = MAGIC.to_vec();
    match prefix {
        10 => {
            bytes.extend([1, 0]);
            bytes.extend(u16::try_from(length).ok()?.to_le_bytes());
        }
        _ => {
            bytes.extend([2, 0]);
            bytes.extend(u32::try_from(length).ok()?.to_le_bytes());
        }
    }
    bytes.extend(text.bytes());
    Some(bytes)
}
