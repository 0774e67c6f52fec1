//! PyTorch: `torch.Size([2, 3]), stride=(1, 2)`, in elements.

use core::fmt::Write;

use super::blocked::whole_bytes;
use super::error::{Error, Printed};
use super::numpy_types::from_numpy_name;
use super::read::Reader;
use super::{BoundaryError, Given, Library, StridedArray, listed, python_tuple};
use xlayout_shape::shape::ArrayShape;

pub(super) fn is_torch(text: &str, _: &Given<'_>) -> bool {
    let text = text.trim_start();
    let text = text.strip_prefix('(').unwrap_or(text);
    text.starts_with("torch.Size(") || text.starts_with("size=(") || text.starts_with("stride=(")
}

/// Reads the sizes, the stride, and what else may be behind them: `dtype=torch.float32`,
/// `storage_offset=0`. Without names it is what `x.size(), x.stride()` prints.
pub(super) fn read(text: &str, given: &Given<'_>) -> Result<ArrayShape, Error> {
    let library = Library::Torch;
    let mut reader = Reader::new(text, library);
    let bracket = reader.eat(b'(');
    let (mut sizes, mut strides, mut element_type) = (None, None, given.element_type);
    let mut offset = None;
    loop {
        let here = reader;
        let name = match reader.at(b'(') {
            true => "stride",
            false => reader.found(),
        };
        if !reader.at(b'(') {
            reader.advance();
            match name {
                "torch.Size" => reader.expect(b'(', "`([…])`")?,
                _ => reader.expect(b'=', "`torch.Size(…)`, or a name and `=`")?,
            }
        }
        let twice = match name {
            "torch.Size" | "size" => sizes.replace(reader.tuple()?).is_some(),
            "stride" => strides.replace(reader.tuple()?).is_some(),
            "storage_offset" => offset.replace(reader.number()?).is_some(),
            "dtype" => {
                let read = from_numpy_name(reader.found().trim_start_matches("torch."));
                let found = reader.excerpt();
                let read = read.ok_or(BoundaryError::UnknownType { library, found });
                let read = read.map_err(|error| reader.error(error))?;
                reader.advance();
                element_type
                    .replace(read)
                    .is_some_and(|given| given != read)
            }
            _ => return Err(here.unexpected("`stride=`, `size=`, `dtype=` or `storage_offset=`")),
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
    let strides = strides.ok_or_else(|| reader.missing("`stride=(…)`"))?;
    let own = sizes.as_ref().map(|sizes| &sizes[..]);
    let sizes = own
        .or(given.sizes)
        .ok_or(BoundaryError::NoSizes { library })?;
    let element_type = element_type.ok_or(BoundaryError::NoElementType { library })?;
    StridedArray::from_element_strides(element_type, sizes, &strides)?.padded()
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
