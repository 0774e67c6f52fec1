//! PyTorch: `torch.Size([2, 3]), stride=(1, 2)`, in elements.

use core::fmt::{self, Write};

use super::error::Error;
use super::numpy_types::from_numpy_name;
use super::read::Reader;
use super::{BoundaryError, Given, Library, StridedArray, listed, python_tuple};
use xlayout_shape::error::Excerpt;
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
        let twice = if reader.eat_word("torch.Size") {
            reader.expect(b'(', "`([…])`")?;
            let twice = sizes.replace(reader.tuple()?).is_some();
            reader.expect(b')', "`)`")?;
            twice
        } else if reader.at(b'(') {
            strides.replace(reader.tuple()?).is_some()
        } else {
            let name = reader.found();
            reader.advance();
            if !matches!(name, "size" | "stride" | "dtype" | "storage_offset") {
                return Err(
                    here.unexpected("`torch.Size(…)`, `stride=`, `dtype=` or `storage_offset=`")
                );
            }
            reader.expect(b'=', "`=`")?;
            match name {
                "size" => sizes.replace(reader.tuple()?).is_some(),
                "stride" => strides.replace(reader.tuple()?).is_some(),
                "storage_offset" => offset.replace(reader.number()?).is_some(),
                _ => {
                    let word = reader.found();
                    let read = from_numpy_name(word.trim_start_matches("torch."));
                    let Some(read) = read else {
                        let found = Excerpt::new(word);
                        return Err(reader.error(BoundaryError::UnknownType { library, found }));
                    };
                    if element_type.is_some_and(|given| given != read) {
                        return Err(reader.error(BoundaryError::OtherGiven {
                            library,
                            what: "type",
                        }));
                    }
                    element_type = Some(read);
                    reader.advance();
                    false
                }
            }
        };
        if twice {
            let found = here.excerpt();
            return Err(here.error(BoundaryError::Twice { library, found }));
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
    let missing = |name| reader.error(BoundaryError::Missing { library, name });
    let strides = strides.ok_or_else(|| missing("`stride=(…)`"))?;
    let own = sizes.as_ref().map(|sizes| &sizes[..]);
    let sizes = own
        .or(given.sizes)
        .ok_or(BoundaryError::NoSizes { library })?;
    let element_type = element_type.ok_or(BoundaryError::NoElementType { library })?;
    StridedArray::from_element_strides(element_type, sizes, &strides)?.padded()
}

pub(super) fn print(
    shape: &ArrayShape,
    _: &Given<'_>,
    out: &mut dyn Write,
) -> Result<fmt::Result, Error> {
    let library = Library::Torch;
    let host = StridedArray::of(shape, library)?;
    let bits = shape.element_size_in_bits();
    if shape.element_type.bytes().map(|bytes| 8 * i64::from(bytes)) != Some(bits) {
        return Err(BoundaryError::ElementBits { library, bits }.into());
    }
    let mut write = || {
        out.write_str("torch.Size([")?;
        listed(out, host.sizes())?;
        out.write_str("]), stride=")?;
        python_tuple(out, host.element_strides())
    };
    Ok(write())
}
