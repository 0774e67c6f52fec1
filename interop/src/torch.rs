//! PyTorch: `torch.Size([2, 3]), stride=(1, 2)`, in elements; and NumPy's `shape=(2, 3), strides=(4, 8)`, in bytes.

use core::fmt::Write;

use super::blocked::whole_bytes;
use super::element_types::bits_and_bytes;
use super::error::{Error, Printed};
use super::numpy_types::from_numpy_name;
use super::read::Reader;
use super::{
    BoundaryError, Contiguity, Given, Library, NumpyOrder, StridedArray, listed, python_tuple,
};
use xlayout_shape::shape::ArrayShape;

const QUOTES: [char; 2] = ['\'', '"'];

pub(super) fn is_torch(text: &str, _: &Given<'_>) -> bool {
    let text = text.trim_start();
    let text = text.strip_prefix('(').unwrap_or(text);
    text.starts_with("torch.Size(") || text.starts_with("size=(") || text.starts_with("stride=(")
}

/// Reads the sizes, the stride, and what else may be behind them: `dtype=torch.float32`,
/// `storage_offset=0`. Without names it is what `x.size(), x.stride()` prints.
pub(super) fn read(text: &str, given: &Given<'_>) -> Result<ArrayShape, Error> {
    fields(text, given, Library::Torch)
}

/// Reads `shape=(2, 3), strides=(4, 8), dtype='float32', order='F'`: strides are in bytes, and say what `order` says.
pub(super) fn read_numpy(text: &str, given: &Given<'_>) -> Result<ArrayShape, Error> {
    fields(text, given, Library::Numpy)
}

fn fields(text: &str, given: &Given<'_>, library: Library) -> Result<ArrayShape, Error> {
    let mut reader = Reader::new(text, library);
    let torch = library == Library::Torch;
    let bracket = torch && reader.eat(b'(');
    let (mut sizes, mut strides, mut element_type) = (None, None, given.element_type);
    let (mut offset, mut order) = (None, None);
    loop {
        let here = reader;
        let name = match reader.at(b'(') {
            true if torch => "stride",
            _ => reader.found(),
        };
        if !reader.at(b'(') {
            reader.advance();
            match name {
                "torch.Size" => reader.expect(b'(', "`([…])`")?,
                _ => reader.expect(b'=', "a name and `=`")?,
            }
        }
        let twice = match (name, torch) {
            ("torch.Size" | "size", true) | ("shape", false) => {
                sizes.replace(reader.tuple()?).is_some()
            }
            ("stride", true) | ("strides", false) => strides.replace(reader.tuple()?).is_some(),
            ("storage_offset", true) => offset.replace(reader.number()?).is_some(),
            ("order", false) => {
                let letter = reader.found().trim_matches(QUOTES).parse::<NumpyOrder>();
                let letter = letter.map_err(|error| reader.error(*error.kind()))?;
                let twice = order.replace((letter, reader)).is_some();
                reader.advance();
                twice
            }
            ("dtype", _) => {
                let word = reader.found().trim_matches(QUOTES);
                let read =
                    from_numpy_name(word.trim_start_matches("torch.").trim_start_matches("np."));
                let found = reader.excerpt();
                let read = read.ok_or(BoundaryError::UnknownType { library, found });
                let read = read.map_err(|error| reader.error(error))?;
                reader.advance();
                element_type
                    .replace(read)
                    .is_some_and(|given| given != read)
            }
            (_, true) => {
                let names = "`stride=`, `size=`, `dtype=` or `storage_offset=`";
                return Err(here.unexpected(names));
            }
            (_, false) => {
                return Err(here.unexpected("`shape=`, `strides=`, `dtype=` or `order=`"));
            }
        };
        if name == "torch.Size" {
            reader.expect(b')', "`)`")?;
        }
        if twice {
            return Err(here.twice());
        }
        if offset.is_some_and(|offset| offset != 0) {
            let place = (here.token.start, reader.token.start);
            return Err(here.error_at(BoundaryError::Offset { library }, place));
        }
        if !reader.eat(b',') {
            break;
        }
    }
    if bracket {
        reader.expect(b')', "`)`")?;
    }
    reader.end()?;
    let needed = match torch {
        true => "`stride=(…)`",
        false => "`strides=(…)`",
    };
    let strides = strides.ok_or_else(|| reader.missing(needed))?;
    let own = sizes.as_ref().map(|sizes| &sizes[..]);
    let sizes = own
        .or(given.sizes)
        .ok_or(BoundaryError::NoSizes { library })?;
    let element_type = element_type.ok_or(BoundaryError::NoElementType { library })?;
    if torch {
        return StridedArray::from_element_strides(element_type, sizes, &strides)?.padded();
    }
    let flags = Contiguity::new(sizes, &strides, bits_and_bytes(element_type, library)?.1);
    match order {
        Some((NumpyOrder::C, here)) if !flags.c => Err(here.unexpected("the order of the strides")),
        Some((NumpyOrder::F, here)) if !flags.f => Err(here.unexpected("the order of the strides")),
        _ => StridedArray::new(element_type, sizes, &strides)?.padded(),
    }
}

pub(super) fn print(shape: &ArrayShape, _: &Given<'_>, out: &mut dyn Write) -> Printed {
    let host = StridedArray::of(shape, Library::Torch)?;
    whole_bytes(shape, Library::Torch)?;
    let mut write = || {
        out.write_str("torch.Size([")?;
        listed(out, host.sizes())?;
        out.write_str("]), stride=")?;
        python_tuple(out, host.element_strides())
    };
    Ok(write())
}
