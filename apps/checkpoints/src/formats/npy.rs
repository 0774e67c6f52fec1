//! NumPy's `.npy`: a magic number and a version, a dictionary in Python's notation, the elements.
//!
//! Source: NumPy's `lib/_format_impl.py`, versions 1.0, 2.0 and 3.0.

use std::cmp::Ordering;

use xlayout::interop::{NumpyOrder, TypeStr};
use xlayout::{ArrayLayout, DynLayout, ElementType};

use super::header::{Header, Value};
use super::npy_dict::{self, DAMAGED, Fields};
use crate::array::{self, Array};
use crate::error::{Error, Outcome};
use crate::positioned::OpenFile;
use xlayout_words::{counted, exact_bytes, joined, listed};

const MAGIC: &[u8; 6] = b"\x93NUMPY";

/// The most dimensions that NumPy's arrays have.
const MOST_DIMENSIONS: usize = 64;

/// The longest header that is read, in bytes: the sizes of 64 dimensions take 1,400.
const LONGEST: u64 = 1 << 20;

/// The type of the elements, if the file does not name it, by who says it.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Requested {
    /// Who opens the file.
    Caller(Option<ElementType>),
    /// An entry of a specification.
    Entry(Option<ElementType>),
}

/// Reads a file with one array: reads its header, and checks that only its elements follow.
///
/// # Errors
/// With carets in the header. If several types of XLA have this type string, `requested` is used.
pub(crate) fn read(file: &OpenFile, requested: Requested) -> Outcome<Array> {
    let has = exact_bytes(file.length);
    let start = file.bytes(0, file.length.min(12))?;
    if !start.starts_with(MAGIC) {
        return Err(not_npy(file, &start, requested));
    }
    let cut = |needed: u64| {
        let needs = exact_bytes(needed);
        let what = format_args!("ends in its header: it has {has}, the header {needs}");
        file.wrong(what)
            .help("it was cut short; copy or save it again")
    };
    let version = start.get(6).copied().unwrap_or(3);
    let prefix = match version {
        1 => 10,
        2 | 3 => 12,
        major => {
            let minor = start.get(7).unwrap_or(&0);
            let what = format_args!("is written in version {major}.{minor} of the format");
            let help = "versions 1.0, 2.0 and 3.0 are known; save it again with a current NumPy";
            return Err(file.wrong(what).help(help));
        }
    };
    let digits = start.get(8..prefix).ok_or_else(|| cut(prefix as u64))?;
    let prefix = prefix as u64;
    let length = (digits.iter().rev()).fold(0, |sum, byte| sum << 8 | u64::from(*byte));
    if length > LONGEST && length <= file.length {
        let has = exact_bytes(length);
        let what = format_args!("has a header of {has}");
        let help = "headers of at most 1 MiB are read; is it damaged?";
        return Err(file.wrong(what).help(help));
    }
    if prefix + length > file.length {
        return Err(cut(prefix + length));
    }
    let bytes = file.bytes(prefix, length)?;
    // Before version 3.0 the characters were Latin-1.
    let text: String = match version {
        3 => String::from_utf8_lossy(&bytes).into_owned(),
        _ => bytes.iter().map(|byte| char::from(*byte)).collect(),
    };
    let header = Header {
        json: &npy_dict::as_json(&text),
        ..Header::new(&file.path, &text, DAMAGED)
    };
    let mut array = array(&header, requested)?;
    array.offset = prefix + length;
    check_length(file, &array)?;
    Ok(array)
}

/// The error for a file with another magic number.
fn not_npy(file: &OpenFile, start: &[u8], requested: Requested) -> Error {
    let shown = |bytes: &[u8]| format!("`{}`", bytes.escape_ascii());
    let found = match &start[..start.len().min(6)] {
        [] => "it is empty".to_owned(),
        bytes => format!("it begins with {}, not with {}", shown(bytes), shown(MAGIC)),
    };
    let wrong = file.wrong(format_args!("is no `.npy` file: {found}"));
    match requested {
        Requested::Caller(_) => wrong.help_in(
            "if it holds elements and nothing else, open it as `Format::Raw` with a `Said` that \
             has its layout",
            "if it holds elements and nothing else, say `--input-format raw` and its shape by \
             `--from`",
        ),
        Requested::Entry(_) => {
            wrong.help("is it damaged? If it is no array, move it out of the folder")
        }
    }
}

/// Checks that only the elements of an array follow the header.
fn check_length(file: &OpenFile, array: &Array) -> Outcome {
    let has = file.length - array.offset;
    let needs = array.layout.bytes() as u64;
    let (what, help) = match has.cmp(&needs) {
        Ordering::Equal => return Ok(()),
        Ordering::Less => ("ends too early", "it was cut short; copy or save it again"),
        Ordering::Greater => (
            "goes on after its array",
            "several arrays in one file are not read: save each to a file of its own",
        ),
    };
    let shape = array::text(&array.layout);
    let [has, needs] = [has, needs].map(exact_bytes);
    let what = format_args!("{what}: `{shape}` takes {needs}, and {has} follow the header");
    Err(file.wrong(what).help(help))
}

const NUMBERS: &str = "convert the elements to a type that XLA has: `a.astype('float32')`";

/// The description of a NumPy type that XLA does not have, and how to convert its elements to
/// numbers.
fn unknown(name: &str) -> Option<(String, String)> {
    let kind = name.trim_start_matches(['<', '>', '|', '=']);
    let save = |what: &str, ty: &str| format!("save {what}: `a.astype('{ty}')`");
    let each = |its: &str, ty: &str| {
        let numbers =
            "save numbers: the number of each text, `np.unique(a, return_inverse=True)[1]`";
        format!("{numbers}, or its {its}, `a.view('{ty}')`")
    };
    let (words, help) = match (kind.chars().next()?, kind) {
        ('O', _) => {
            let objects = "the elements are Python objects, in pickle's format".to_owned();
            return Some((objects, save("an array of numbers", "float32")));
        }
        ('U', _) => ("texts", each("characters", "uint32")),
        ('S' | 'a', _) => ("texts of bytes", each("bytes", "uint8")),
        ('M', _) => ("dates", save("the count of units since 1970", "int64")),
        ('m', _) => ("durations", save("the count of units", "int64")),
        (_, "f12" | "f16") => ("long doubles", save("numbers of 64 bits", "float64")),
        (_, "c24" | "c32") => (
            "complex long doubles",
            save("numbers of 64 bits", "complex128"),
        ),
        _ => return None,
    };
    let message = format!("the elements are {words}, NumPy's `{name}`, which XLA does not have");
    Some((message, help))
}

fn array(header: &Header<'_>, requested: Requested) -> Outcome<Array> {
    let Fields {
        descr,
        fortran_order,
        shape,
    } = header.fields(header.json, "the header is not NumPy's")?;
    if descr.get().starts_with('[') {
        let help = "save each field as an array of its own: `np.save('field.npy', a['field'])`";
        return Err(header.wrong(descr, "the elements are records with fields", help));
    }
    let what = "`descr` is not the name of a type in quotes";
    let name: String = header.value(descr, what, DAMAGED)?;
    // The type strings that core reads begin with one of these marks.
    if !name.starts_with(['<', '>', '|', '=']) || !name.is_ascii() {
        let shown = name.escape_debug();
        let what = format_args!("`{shown}` is no type of NumPy's");
        let help = "NumPy writes types as `<f4`, `>i8` or `|b1`; is the file damaged?";
        return Err(header.wrong(descr, what, help));
    }
    let what = "`shape` is no tuple of sizes below 2^64";
    let sizes: Vec<u64> = header.value(shape, what, DAMAGED)?;
    if sizes.len() > MOST_DIMENSIONS {
        let what = format_args!("there are more than {MOST_DIMENSIONS} dimensions");
        let help = "NumPy's arrays have no more; is the file damaged?";
        return Err(header.wrong(shape, what, help));
    }
    let what = "`fortran_order` is neither `True` nor `False`";
    let order = if header.value(fortran_order, what, DAMAGED)? {
        NumpyOrder::F
    } else {
        NumpyOrder::C
    };
    // The same type in little-endian bytes, which core knows.
    let little = name.replacen('>', "<", 1);
    let element_type = match little.parse().and_then(TypeStr::element_type) {
        Ok(element_type) => element_type,
        // Bytes without a type: NumPy writes the types of ml_dtypes in this way.
        _ if little[1..].starts_with('V') => void(header, descr, &little, requested)?,
        Err(error) => {
            let from_error = || (error.message().to_string(), NUMBERS.to_owned());
            let (what, help) = unknown(&name).unwrap_or_else(from_error);
            return Err(header.wrong(descr, what, help));
        }
    };
    let layout = array::dense(element_type, &sizes, order).ok_or_else(|| {
        let what = "the array is larger than 2^63 - 1 bytes";
        header.wrong(shape, what, "is the file damaged?")
    })?;
    let number = array::number_bytes(element_type);
    Ok(Array {
        swap: number.filter(|_| name.starts_with('>')),
        ..Array::new(layout, 0)
    })
}

/// The type of elements for which NumPy has no name: the requested one.
fn void(
    header: &Header<'_>,
    descr: Value<'_>,
    name: &str,
    requested: Requested,
) -> Outcome<ElementType> {
    let may_be =
        |ty: &ElementType| TypeStr::new(*ty).is_ok_and(|own| own.to_string()[1..] == name[1..]);
    let (Requested::Caller(said) | Requested::Entry(said)) = requested;
    if let Some(ty) = said.filter(may_be) {
        return Ok(ty);
    }
    let Ok(bytes) = name[2..].parse::<u64>() else {
        let help = "NumPy writes bytes without a meaning as `<V2`; is the file damaged?";
        return Err(header.wrong(descr, format_args!("`{name}` is no type of NumPy's"), help));
    };
    let bytes = counted(bytes, "byte");
    let types: Vec<_> = ElementType::all().filter(may_be).collect();
    let what = format_args!("`{name}` says only how many bytes an element takes, not what it is");
    let [first, others @ ..] = &types[..] else {
        let help = format_args!(
            "XLA has no type of {bytes} that NumPy does not know; save a view of another type"
        );
        return Err(header.wrong(descr, what, help));
    };
    let more = match others.len() {
        0 => String::new(),
        count => {
            let some = listed(&others[..count.min(3)]);
            format!(", or {count} others of {bytes}, such as {some}")
        }
    };
    let mut error = header.wrong(descr, what, "");
    if let Some(ty) = said {
        let said = match requested {
            Requested::Caller(_) => "the type that was named",
            Requested::Entry(_) => "`type` of its entry",
        };
        error = error.note(format_args!("{said}, {ty}, is no such type"));
    }
    Err(match requested {
        Requested::Caller(_) => error.help_in(
            format_args!(
                "give `Input::open` a `Said` whose `element_type` is \
                 `Some(ElementType::{first:?})`{more}"
            ),
            format_args!("name the type: `--from {first}`{more}"),
        ),
        Requested::Entry(_) => error.help(format_args!(
            "name the type in its entry of the specification: `type = \"{first}\"`{more}"
        )),
    })
}

/// The order of NumPy that equals a layout, or `None`.
#[must_use]
pub fn order(layout: &DynLayout) -> Option<NumpyOrder> {
    [NumpyOrder::C, NumpyOrder::F].into_iter().find(|order| {
        array::in_order(layout, *order).is_some_and(|dense| array::same_memory(&dense, layout))
    })
}

/// The layout in a file: that of the array if `said`, else row-major if the format cannot store it.
///
/// # Errors
/// When the format cannot store it, or has no such type.
pub(crate) fn written((layout, said): (DynLayout, bool)) -> Result<DynLayout, String> {
    let too_large = "the tensor is too large";
    let layout = match (order(&layout), said) {
        (Some(_), _) => layout,
        (None, false) => array::in_order(&layout, NumpyOrder::C).ok_or(too_large)?,
        (None, true) => {
            let shape = array::text(&layout);
            return Err(format!(
                "a `.npy` file cannot say that its array is `{shape}`; it has two orders, C and F"
            ));
        }
    };
    let ty = layout.element_type();
    let none = || format!("NumPy has no type like {ty}; write safetensors");
    header(&layout).ok_or_else(none)?;
    Ok(layout)
}

/// The header of a file with this array, byte for byte as NumPy writes it; `None` if the format
/// cannot store it.
#[must_use]
pub fn header(layout: &DynLayout) -> Option<Vec<u8>> {
    let order = order(layout)?;
    let name = TypeStr::new(layout.element_type()).ok()?;
    let sizes = joined(layout.dims(), ", ");
    let comma = if layout.rank() == 1 { "," } else { "" };
    let (fortran, grows) = match order {
        NumpyOrder::C => ("False", layout.dims().first()),
        NumpyOrder::F => ("True", layout.dims().last()),
    };
    // NumPy leaves room for the dimension that grows when elements are appended: 21 digits.
    let room = grows.map_or(0, |size| 21_usize.saturating_sub(size.to_string().len()));
    let text = format!(
        "{{'descr': '{name}', 'fortran_order': {fortran}, 'shape': ({sizes}{comma}), }}{:room$}",
        ""
    );
    let (version, digits) = if text.len() + 11 > usize::from(u16::MAX) {
        (2, 4)
    } else {
        (1, 2)
    };
    let prefix = 8 + digits;
    let length = (prefix + text.len() + 1).next_multiple_of(64) - prefix;
    let text = format!("{text:<0$}\n", length - 1);
    let mut bytes = MAGIC.to_vec();
    bytes.extend([version, 0]);
    bytes.extend(&length.to_le_bytes()[..digits]);
    bytes.extend(text.bytes());
    Some(bytes)
}
