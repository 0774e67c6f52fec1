//! Reads a header, and checks all of it against the file.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::ops::Range;
use std::sync::Arc;

use serde::Deserialize;
use serde_json::value::RawValue;
use xlayout::{ArrayLayout, DynLayout, ElementType, LayoutError};

use super::{LONGEST, METADATA, SHAPE_KEY, TYPES, of_type};
use crate::array::{self, Array};
use crate::error::{Error, Outcome};
use crate::formats::contents::Contents;
use crate::formats::header::{Header, Value};
use crate::positioned::OpenFile;
use xlayout_words::{exact_bytes, listed};

const DAMAGED: &str = "it is damaged, or no safetensors file";

/// Reads the header of a file.
///
/// # Errors
/// With carets in the header.
pub(crate) fn read(file: OpenFile) -> Outcome<Contents> {
    let has = exact_bytes(file.length);
    let wrong = |what: &dyn Display, help| Err(file.wrong(what).help(help));
    if file.length < 8 {
        let what = format_args!(
            "is no safetensors file: it has {has}, and the length of the header alone takes 8"
        );
        return wrong(&what, "it was cut short; copy or save it again");
    }
    let mut start = [0; 8];
    start.copy_from_slice(&file.bytes(0, 8)?);
    let length = u64::from_le_bytes(start);
    let says = exact_bytes(length);
    if length > file.length - 8 {
        let what = format_args!("says that its header has {says}, but the file has {has}");
        return wrong(&what, "it was cut short, or it is no safetensors file");
    }
    if length > LONGEST {
        let what = format_args!("has a header of {says}");
        let help = "a safetensors file's header has at most 100,000,000 bytes";
        return wrong(&what, help);
    }
    let bytes = file.bytes(8, length)?;
    let text = String::from_utf8_lossy(&bytes);
    let path = file.path.clone();
    let header = Header::new(&path, &text, DAMAGED);
    if let Err(error) = std::str::from_utf8(&bytes) {
        let valid = error.valid_up_to();
        return Err(header.marked(valid..valid + 3, "the header is not UTF-8", DAMAGED));
    }
    let reader = HeaderReader {
        header,
        file: &file,
        first: 8 + length,
    };
    reader.contents(&text)
}

struct HeaderReader<'a> {
    header: Header<'a>,
    file: &'a OpenFile,
    /// The number of bytes before the tensors.
    first: u64,
}

/// The fields of a tensor in the header.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, expecting = "an object")]
struct TensorFields<'a> {
    #[serde(borrow)]
    dtype: &'a RawValue,
    #[serde(borrow)]
    shape: &'a RawValue,
    #[serde(borrow)]
    data_offsets: &'a RawValue,
}

/// A tensor in the header.
struct HeaderTensor<'a> {
    name: String,
    /// Its bytes in the file.
    bytes: Range<u64>,
    /// What the header says of its place.
    place: Value<'a>,
    /// An error if the type of its elements is not known; the others can be read.
    array: Outcome<Array>,
}

impl<'a> HeaderReader<'a> {
    fn contents(&self, text: &'a str) -> Outcome<Contents> {
        let mut metadata: Vec<(String, String)> = Vec::new();
        let mut tensors = Vec::new();
        for (name, value) in self.header.entries(text, "the header is no valid JSON")? {
            if name == METADATA {
                metadata = self.metadata(value)?;
            } else {
                tensors.push(self.tensor(name, value)?);
            }
        }
        tensors.sort_by_key(|tensor: &HeaderTensor<'_>| (tensor.bytes.start, tensor.bytes.end));
        self.no_gaps(&tensors)?;
        let mut arrays = Vec::new();
        let mut unreadable = BTreeMap::new();
        for HeaderTensor { name, array, .. } in tensors {
            let mut tensor = match array {
                Ok(tensor) => tensor,
                Err(error) => {
                    unreadable.insert(name, error);
                    continue;
                }
            };
            let key = format!("{SHAPE_KEY}{name}");
            if let Some(at) = metadata.iter().position(|(name, _)| *name == key) {
                // The entries of this program are removed from the metadata.
                let layout = self.opaque(&name, &tensor, &metadata.remove(at).1)?;
                tensor.origin = vec![0; layout.rank()];
                tensor.layout = Arc::new(layout);
            }
            tensor.name = Some(name);
            arrays.push(tensor);
        }
        Ok(Contents {
            file: self.file.clone(),
            arrays,
            unreadable,
            metadata,
        })
    }

    fn metadata(&self, value: Value<'a>) -> Outcome<Vec<(String, String)>> {
        let what = "the metadata is no JSON object";
        let entries = self.header.entries(value.get(), what)?;
        let text = |(key, value): (String, Value<'a>)| {
            let what = format!("the metadata of `{key}` is no text");
            let help = "safetensors' metadata are texts in quotes";
            Ok((key, self.header.value(value, what, help)?))
        };
        entries.into_iter().map(text).collect()
    }

    fn tensor(&self, name: String, value: Value<'a>) -> Outcome<HeaderTensor<'a>> {
        let header = &self.header;
        let TensorFields {
            dtype,
            shape,
            data_offsets,
        } = header.fields(value.get(), &format!("tensor `{name}`"))?;
        let word: Option<&str> = serde_json::from_str(dtype.get()).ok();
        let known = TYPES.iter().find(|(known, _)| Some(*known) == word);
        let what = format_args!("the shape of tensor `{name}` is no list of sizes");
        let sizes: Vec<u64> = header.value(shape, what, "it is written as `[2,3]`")?;
        let what = format_args!("the place of tensor `{name}` is no pair of numbers");
        let help = "it is written as `[0,24]`: from the first byte behind the header on";
        let (begin, end): (u64, u64) = header.value(data_offsets, what, help)?;
        let wrong = |what: String, help: &str| Err(header.wrong(data_offsets, what, help));
        if begin > end {
            let what =
                format!("the place of tensor `{name}` ends at {end}, before it begins at {begin}");
            let help =
                format!("write the beginning first, `[{end},{begin}]`; or is the file damaged?");
            return wrong(what, &help);
        }
        let data = self.file.length - self.first;
        if end > data {
            let data = exact_bytes(data);
            let what = "lies beyond the end of the file:";
            let what = format!("tensor `{name}` {what} {data} follow the header");
            return wrong(what, "the file was cut short; copy or save it again");
        }
        let bytes = self.first + begin..self.first + end;
        let Some((_, element_type)) = known else {
            let has = dtype.get();
            let what =
                format_args!("the type {has} of tensor `{name}` is none that XLA has in files");
            let known: Vec<_> = TYPES.iter().map(|(name, _)| name).collect();
            let error = header.wrong(dtype, what, format_args!("known are {}", listed(&known)));
            return Ok(HeaderTensor {
                name,
                bytes,
                place: data_offsets,
                array: Err(error),
            });
        };
        let layout = of_type(*element_type, &sizes).ok_or_else(|| {
            let what = format_args!("tensor `{name}` is larger than 2^63 - 1 bytes");
            header.wrong(shape, what, "is the file damaged?")
        })?;
        if end - begin != layout.bytes() as u64 {
            let shape = array::text(&layout);
            let takes = exact_bytes(layout.bytes());
            let has = exact_bytes(end - begin);
            let what = format!("tensor `{name}`, {shape}, takes {takes}, but its place has {has}");
            return wrong(what, "is the file damaged?");
        }
        Ok(HeaderTensor {
            name,
            array: Ok(Array::new(layout, bytes.start)),
            bytes,
            place: data_offsets,
        })
    }

    /// Checks that tensors do not overlap, and that there is no byte between or after them.
    fn no_gaps(&self, tensors: &[HeaderTensor<'_>]) -> Outcome {
        let mut end = self.first;
        let mut before = "the header";
        for tensor in tensors {
            let name = &tensor.name;
            if tensor.bytes.start != end {
                let what = match tensor.bytes.start.checked_sub(end) {
                    None => format!("tensor `{name}` overlaps `{before}`"),
                    Some(gap) => format!("no tensor has the {} before `{name}`", exact_bytes(gap)),
                };
                let help = "safetensors follow each other without a gap; is the file damaged?";
                return Err(self.header.wrong(tensor.place, what, help));
            }
            end = tensor.bytes.end;
            before = name;
        }
        if end != self.file.length {
            let rest = exact_bytes(self.file.length - end);
            let what = format_args!("has {rest} behind its last tensor");
            return Err(self.file.wrong(what).help("is the file damaged?"));
        }
        Ok(())
    }

    /// A tensor that was stored as bytes.
    fn opaque(&self, name: &str, tensor: &Array, shape: &str) -> Outcome<DynLayout> {
        let file = self.file.path.display();
        let stored = array::text(&tensor.layout);
        let wrong = |why: &dyn Display| {
            let what = format_args!(
                "the metadata of `{file}` say of tensor `{name}` that it is `{shape}`: {why}"
            );
            let help = format_args!("remove the key `{SHAPE_KEY}{name}` to read it as {stored}");
            Error::file(what).help(help)
        };
        let layout: Result<DynLayout, LayoutError> = shape.parse();
        let layout = layout.map_err(|error| wrong(&error))?;
        let takes = layout.bytes();
        let is_bytes = tensor.layout.element_type() == ElementType::U8;
        if is_bytes && takes as u64 == tensor.stored_bytes() {
            return Ok(layout);
        }
        let takes = exact_bytes(takes);
        Err(wrong(&format_args!(
            "that takes {takes}, and the tensor is {stored}"
        )))
    }
}
