//! NumPy's `.npy`: a few bytes that say what it is, a dictionary in Python's notation, the elements.
//!
//! Source: NumPy's `lib/_format_impl.py`, versions 1.0, 2.0 and 3.0.

use xlayout::interop::{NumpyOrder, TypeStr};
use xlayout::{ArrayLayout, DynLayout, PrimitiveType};

use super::header::Header;
use super::npy_dict::{self, Dictionary};
use crate::array::{self, Array};
use crate::error::Outcome;
use crate::known::Known;
use crate::positioned::Contents;
use crate::words::{counted, exact_bytes, joined, listed};

const MAGIC: &[u8; 6] = b"\x93NUMPY";

/// The longest header that is read, in bytes: the sizes of 64 dimensions take 1,400.
const LONGEST: u64 = 1 << 20;

/// Reads the header of a file.
///
/// # Errors
/// With carets in the header. A type that several of XLA's have is taken from `from`.
pub(crate) fn read(file: Contents<'_>, from: Option<&dyn Known>) -> Outcome<Array> {
    let has = exact_bytes(file.length);
    let start = file.read(0, file.length.min(12))?;
    if !start.starts_with(MAGIC) {
        let shown = |bytes: &[u8]| format!("`{}`", bytes.escape_ascii());
        let found = match &start[..start.len().min(6)] {
            [] => "it is empty".to_owned(),
            bytes => format!("it begins with {}, not with {}", shown(bytes), shown(MAGIC)),
        };
        return Err(file
            .wrong(format_args!("is no `.npy` file: {found}"))
            .help("if it holds elements and nothing else, say `--input-format raw` and its shape by `--from`"));
    }
    let cut = |needed: u64| {
        let needs = exact_bytes(needed);
        let failure = file.wrong(format!(
            "ends in its header: it has {has}, the header {needs}"
        ));
        failure.help("it was cut short; copy or save it again")
    };
    let (prefix, length, version) = match start[6..] {
        [1, _, a, b, ..] => (10, u64::from(u16::from_le_bytes([a, b])), 1),
        [version @ (2 | 3), _, a, b, c, d] => {
            (12, u64::from(u32::from_le_bytes([a, b, c, d])), version)
        }
        [] | [1..=3, ..] => return Err(cut(if start.get(6) == Some(&1) { 10 } else { 12 })),
        [major, ref rest @ ..] => {
            let minor = rest.first().unwrap_or(&0);
            let help = "versions 1.0, 2.0 and 3.0 are known; save it again with a current NumPy";
            let failure = file.wrong(format!(
                "is written in version {major}.{minor} of the format"
            ));
            return Err(failure.help(help));
        }
    };
    if length > LONGEST && length <= file.length {
        let failure = file.wrong(format_args!("has a header of {}", exact_bytes(length)));
        return Err(failure.help("headers of at most 1 MiB are read; is it damaged?"));
    }
    if prefix + length > file.length {
        return Err(cut(prefix + length));
    }
    let bytes = file.read(prefix, length)?;
    // Before version 3.0 the characters were Latin-1.
    let text: String = match version {
        3 => String::from_utf8_lossy(&bytes).into_owned(),
        _ => bytes.iter().map(|byte| char::from(*byte)).collect(),
    };
    let header = Header {
        path: file.path,
        shown: &text,
        json: &npy_dict::as_json(&text),
        damaged: npy_dict::DAMAGED,
    };
    let array = array(&header, from)?;
    Ok(Array {
        offset: prefix + length,
        ..array
    })
}

const NUMBERS: &str = "convert the elements to a type that XLA has: `a.astype('float32')`";

/// What NumPy's type is that XLA has nothing like, and how its elements become numbers.
fn unknown(name: &str) -> Option<(String, &'static str)> {
    let kind = name.trim_start_matches(['<', '>', '|', '=']);
    let words = match kind.chars().next()? {
        'O' => {
            let objects = "the elements are Python objects, in pickle's format".to_owned();
            return Some((objects, "save an array of numbers: `a.astype('float32')`"));
        }
        'U' => "texts",
        'S' | 'a' => "texts of bytes",
        'M' => "dates",
        'm' => "durations",
        'f' if matches!(kind, "f12" | "f16") => "long doubles",
        'c' if matches!(kind, "c24" | "c32") => "complex long doubles",
        _ => return None,
    };
    let help = match words {
        "texts" => {
            "save numbers: the number of each text, `np.unique(a, return_inverse=True)[1]`, or its characters, \
             `a.view('uint32')`"
        }
        "texts of bytes" => {
            "save numbers: the number of each text, `np.unique(a, return_inverse=True)[1]`, or its bytes, \
             `a.view('uint8')`"
        }
        "dates" => "save the count of units since 1970: `a.astype('int64')`",
        "durations" => "save the count of units: `a.astype('int64')`",
        "long doubles" => "save numbers of 64 bits: `a.astype('float64')`",
        _ => "save numbers of 64 bits: `a.astype('complex128')`",
    };
    let message = format!("the elements are {words}, NumPy's `{name}`, which XLA does not have");
    Some((message, help))
}

fn array(header: &Header<'_>, from: Option<&dyn Known>) -> Outcome<Array> {
    let dictionary = npy_dict::read(header)?;
    let name = &dictionary.descr;
    let big_endian = name.starts_with('>');
    // The same in little-endian bytes, which core knows.
    let little = name.replacen('>', "<", 1);
    let element_type = match little.parse().and_then(TypeStr::element_type) {
        Ok(element_type) => element_type,
        // Bytes without a meaning: NumPy's word for the types of ml_dtypes.
        _ if little[1..].starts_with('V') => void(header, &dictionary, &little, from)?,
        Err(error) => {
            let (message, help) =
                unknown(name).unwrap_or_else(|| (error.message().to_string(), NUMBERS));
            return Err(header.wrong(dictionary.descr_value, message).help(help));
        }
    };
    let order = match dictionary.fortran_order {
        true => NumpyOrder::F,
        false => NumpyOrder::C,
    };
    let layout = array::signed(&dictionary.shape)
        .and_then(|sizes| array::dense(element_type, &sizes, order))
        .ok_or_else(|| {
            let what = "the array is larger than 2^63 - 1 bytes";
            let failure = header.wrong(dictionary.shape_value, what);
            failure.help("is the file damaged?")
        })?;
    let number = array::number_bytes(&layout);
    Ok(Array {
        swap: (big_endian && number > 1).then_some(number),
        ..Array::new(layout, 0)
    })
}

/// The type of elements that NumPy knows no name for: what `--from` says.
fn void(
    header: &Header<'_>,
    dictionary: &Dictionary<'_>,
    name: &str,
    from: Option<&dyn Known>,
) -> Outcome<PrimitiveType> {
    let may_be =
        |ty: &PrimitiveType| TypeStr::new(*ty).is_ok_and(|own| own.to_string()[1..] == name[1..]);
    let asked = from.and_then(|known| known.element_type());
    if let Some(ty) = asked.filter(may_be) {
        return Ok(ty);
    }
    let wrong = |message: String| header.wrong(dictionary.descr_value, message);
    let Ok(bytes) = name[2..].parse::<u64>() else {
        return Err(wrong(format!("`{name}` is no type of NumPy's"))
            .help("NumPy writes bytes without a meaning as `<V2`; is the file damaged?"));
    };
    let bytes = counted(bytes, "byte");
    let mut failure = wrong(format!(
        "`{name}` says only how many bytes an element takes, not what it is"
    ));
    if let Some(ty) = asked {
        failure = failure.note(format_args!("`--from` says {ty}, which is no such type"));
    }
    let types: Vec<_> = PrimitiveType::all().filter(may_be).collect();
    Err(match types.as_slice() {
        [] => failure.help(format_args!(
            "XLA has no type of {bytes} that NumPy does not know; save a view of another type"
        )),
        [one] => failure.help(format_args!("name the type: `--from {one}`")),
        [first, others @ ..] => failure.help(format_args!(
            "name the type: `--from {first}`, or {} others of {bytes}, such as {}",
            others.len(),
            listed(&others[..others.len().min(3)])
        )),
    })
}

/// Which of NumPy's two orders a layout is; `None` where it is neither.
#[must_use]
pub fn order(layout: &DynLayout) -> Option<NumpyOrder> {
    [NumpyOrder::C, NumpyOrder::F].into_iter().find(|order| {
        array::in_order(layout, *order).is_some_and(|dense| array::same_memory(&dense, layout))
    })
}

/// The layout as a file has it: that of the array if `said`, else row-major where the format cannot say it.
///
/// # Errors
/// When the format cannot say it, or has no such type.
pub(crate) fn written((layout, said): (DynLayout, bool)) -> Result<DynLayout, String> {
    let layout = match (order(&layout), said) {
        (Some(_), _) => layout,
        (None, false) => {
            array::in_order(&layout, NumpyOrder::C).ok_or("the tensor is too large")?
        }
        (None, true) => {
            return Err(format!(
                "a `.npy` file cannot say that its array is `{}`; it has two orders, C and F",
                array::text(&layout)
            ));
        }
    };
    match header(&layout) {
        Some(_) => Ok(layout),
        None => Err(format!(
            "NumPy has no type like {}; write safetensors",
            layout.element_type()
        )),
    }
}

/// The header of a file with this array, byte for byte as NumPy writes it; `None` where it cannot.
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
    let mut text = format!(
        "{{'descr': '{name}', 'fortran_order': {fortran}, 'shape': ({sizes}{comma}), }}{:room$}",
        ""
    );
    let (version, digits) = match text.len() + 11 > usize::from(u16::MAX) {
        true => (2, 4),
        false => (1, 2),
    };
    let prefix = 8 + digits;
    let length = (prefix + text.len() + 1).next_multiple_of(64) - prefix;
    text += &" ".repeat(length - text.len() - 1);
    text.push('\n');
    let mut bytes = MAGIC.to_vec();
    bytes.extend([version, 0]);
    bytes.extend(&length.to_le_bytes()[..digits]);
    bytes.extend(text.bytes());
    Some(bytes)
}
