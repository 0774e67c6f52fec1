//! PyTorch: `torch.Size([2, 3]), stride=(1, 2)`, in elements; and NumPy's `shape=(2, 3),
//! strides=(4, 8)`, in bytes.

use core::fmt::Write;

use super::element_types::{check_bits, row};
use super::error::{Error, Printed};
use super::lists::{joined, python_tuple};
use super::numpy_types::from_numpy_name;
use super::read::Reader;
use super::{BoundaryError, Contiguity, Given, Library, NumpyOrder, StridedArray};
use xlayout_shape::ArrayShape;

const QUOTES: [char; 2] = ['\'', '"'];

/// Reads the sizes, the stride, and what else may be behind them: `dtype=torch.float32`,
/// `storage_offset=0`. Without names it is what `x.size(), x.stride()` prints.
pub(super) fn read(text: &str, given: &Given<'_>) -> Result<ArrayShape, Error> {
    fields(text, given, Library::Torch)
}

/// NumPy's are `shape=(2, 3), strides=(4, 8), dtype='float32', order='F'`: strides are in bytes,
/// and say what `order` says.
pub(super) fn fields(text: &str, given: &Given<'_>, library: Library) -> Result<ArrayShape, Error> {
    let mut reader = Reader::new(text, library);
    let torch = library == Library::Torch;
    let bracket = torch && reader.eat(b'(');
    let mut sizes = None;
    let mut strides = None;
    let mut element_type = given.element_type;
    let mut offset = None;
    let mut order = None;
    loop {
        let here = reader;
        let is_bare = reader.at(b'(');
        let name = if torch && is_bare {
            "stride"
        } else {
            reader.found()
        };
        if !is_bare {
            reader.advance();
            match name {
                "torch.Size" => reader.expect(b'(', "`([…])`")?,
                _ => reader.expect(b'=', "a name and `=`")?,
            }
        }
        match (name, torch) {
            ("torch.Size" | "size", true) | ("shape", false) => {
                here.once(&mut sizes, reader.tuple()?)?;
            }
            ("stride", true) | ("strides", false) => here.once(&mut strides, reader.tuple()?)?,
            ("storage_offset", true) => here.once(&mut offset, reader.number()?)?,
            ("order", false) => {
                let letter = reader.found().trim_matches(QUOTES).parse::<NumpyOrder>();
                let letter = letter.map_err(|error| reader.error(*error.kind()))?;
                here.once(&mut order, (letter, reader))?;
                reader.advance();
            }
            ("dtype", _) => {
                let word = reader.found().trim_matches(QUOTES);
                let word = word.trim_start_matches("torch.").trim_start_matches("np.");
                let found = reader.excerpt();
                let unknown = BoundaryError::UnknownType { library, found };
                let read = from_numpy_name(word).ok_or_else(|| reader.error(unknown))?;
                reader.advance();
                here.once(&mut element_type.filter(|given| *given != read), read)?;
                element_type = Some(read);
            }
            (_, true) => {
                let names = "`stride=`, `size=`, `dtype=` or `storage_offset=`";
                return Err(here.unexpected(names));
            }
            (_, false) => {
                return Err(here.unexpected("`shape=`, `strides=`, `dtype=` or `order=`"));
            }
        }
        if name == "torch.Size" {
            reader.expect(b')', "`)`")?;
        }
        if offset.is_some_and(|offset| offset != 0) {
            return Err(here.error_until(&reader, BoundaryError::Offset { library }));
        }
        if !reader.eat(b',') {
            break;
        }
    }
    if bracket {
        reader.expect(b')', "`)`")?;
    }
    reader.end()?;
    let needed = if torch {
        "`stride=(…)`"
    } else {
        "`strides=(…)`"
    };
    let strides = strides.ok_or_else(|| reader.missing(needed))?;
    let given = given.beside(sizes.as_deref(), element_type);
    let (sizes, element_type) = given.both(library)?;
    if torch {
        return StridedArray::from_element_strides(element_type, sizes, &strides)?.padded();
    }
    let flags = Contiguity::new(sizes, &strides, row(element_type, library)?.bytes());
    let has = |order| match order {
        NumpyOrder::C => flags.c,
        NumpyOrder::F => flags.f,
    };
    match order {
        Some((order, here)) if !has(order) => Err(here.unexpected("the order of the strides")),
        _ => StridedArray::new(element_type, sizes, &strides)?.padded(),
    }
}

pub(super) fn print(shape: &ArrayShape, _: &Given<'_>, out: &mut dyn Write) -> Printed {
    let host = StridedArray::of(shape, Library::Torch)?;
    check_bits(shape, Library::Torch, false)?;
    let sizes = joined(host.shape(), ", ");
    let strides = python_tuple(host.element_strides());
    Ok(write!(out, "torch.Size([{sizes}]), stride={strides}"))
}
