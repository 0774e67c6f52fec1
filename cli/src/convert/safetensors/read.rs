//! Reading a header: nothing of it is believed that does not fit the file.

use std::collections::HashSet;
use std::ops::Range;

use serde_json::value::RawValue;
use xlayout::{ArrayLayout, DynLayout, LayoutError, PrimitiveType};

use super::{Header, LONGEST, METADATA, SHAPE_KEY, TYPES, of_type};
use crate::convert::arrays::{self, Array};
use crate::convert::excerpt;
use crate::convert::json::{self, Entry};
use crate::convert::positioned::Contents;
use crate::failure::{Code, Failure, Outcome};
use crate::words;

/// Reads the header of a file.
///
/// # Errors
/// With carets in the header.
pub(in crate::convert) fn read(file: Contents<'_>) -> Outcome<Header> {
    let length = file.length;
    let wrong =
        |what: String| Failure::new(Code::File, format_args!("`{}` {what}", file.path.display()));
    let read = |bytes: &mut [u8], at| {
        file.bytes
            .read_at(bytes, at)
            .map_err(|error| Failure::of_file("read", file.path, &error))
    };
    let has = words::exact_bytes(length);
    if length < 8 {
        return Err(wrong(format!(
            "is no safetensors file: it has {has}, and the length of the header alone takes 8"
        ))
        .help("it was cut short; copy or save it again"));
    }
    let mut start = [0; 8];
    read(&mut start, 0)?;
    let header = u64::from_le_bytes(start);
    if header > length - 8 {
        return Err(wrong(format!(
            "says that its header has {}, but the file has {has}",
            words::exact_bytes(header)
        ))
        .help("it was cut short, or it is no safetensors file"));
    }
    if header > LONGEST {
        return Err(
            wrong(format!("has a header of {}", words::exact_bytes(header)))
                .help("a safetensors file's header has at most 100,000,000 bytes"),
        );
    }
    let mut bytes = vec![0; header as usize];
    read(&mut bytes, 8)?;
    let text = String::from_utf8(bytes).map_err(|error| {
        let valid = error.utf8_error().valid_up_to();
        let text = String::from_utf8_lossy(error.as_bytes());
        Failure::new(Code::File, "the header is not UTF-8")
            .at(excerpt::place(
                file.path,
                &text,
                valid..valid + 3,
                String::new(),
            ))
            .help("it is damaged, or no safetensors file")
    })?;
    Reader {
        file,
        text: &text,
        data: length - 8 - header,
        first: 8 + header,
    }
    .header()
}

struct Reader<'a> {
    file: Contents<'a>,
    text: &'a str,
    /// The bytes behind the header.
    data: u64,
    /// Where they begin.
    first: u64,
}

impl Reader<'_> {
    fn wrong(&self, span: Range<usize>, message: impl std::fmt::Display) -> Failure {
        Failure::new(Code::File, message).at(excerpt::place(
            self.file.path,
            self.text,
            span,
            String::new(),
        ))
    }

    /// Where a value is.
    fn span(&self, value: &RawValue) -> Range<usize> {
        json::span(self.text, value)
    }

    fn header(&self) -> Outcome<Header> {
        let entries = self.object(self.text, "the header is no valid JSON")?;
        let mut metadata = Vec::new();
        let mut tensors = Vec::new();
        for entry in &entries {
            if entry.key == METADATA {
                metadata = self.metadata(entry)?;
            } else {
                tensors.push(self.tensor(entry)?);
            }
        }
        tensors.sort_by_key(|tensor| (tensor.begin, tensor.end));
        self.no_gaps(&tensors)?;
        let mut arrays = Vec::new();
        for tensor in tensors {
            let key = format!("{SHAPE_KEY}{}", tensor.name);
            let layout = match metadata.iter().find(|(name, _)| *name == key) {
                Some((_, shape)) => self.opaque(&tensor, shape)?,
                None => tensor.layout,
            };
            arrays.push(Array {
                name: Some(tensor.name),
                layout,
                offset: self.first + tensor.begin,
                file: 0,
                swap: None,
            });
        }
        metadata.retain(|(key, _)| {
            key.strip_prefix(SHAPE_KEY).is_none_or(|name| {
                !arrays
                    .iter()
                    .any(|array| array.name.as_deref() == Some(name))
            })
        });
        Ok(Header {
            tensors: arrays,
            metadata,
        })
    }

    fn object<'t>(&self, text: &'t str, what: &str) -> Outcome<Vec<Entry<'t>>> {
        let entries = json::object(text).map_err(|error| {
            let base = text.as_ptr() as usize - self.text.as_ptr() as usize;
            let at = base + json::place(text, &error).min(text.len());
            self.wrong(
                at..(at + 1).min(self.text.len()),
                format_args!("{what}: {}", json::message(&error)),
            )
            .help("it is damaged, or no safetensors file")
        })?;
        let mut seen = HashSet::new();
        for entry in &entries {
            if !seen.insert(&entry.key) {
                return Err(self
                    .wrong(
                        self.span(entry.value),
                        format_args!("`{}` is given twice", entry.key),
                    )
                    .help("one of the two would be lost; write the file again"));
            }
        }
        Ok(entries)
    }

    fn metadata(&self, entry: &Entry<'_>) -> Outcome<Vec<(String, String)>> {
        let entries = self.object(entry.value.get(), "the metadata is no JSON object")?;
        let text = |entry: Entry<'_>| match serde_json::from_str::<String>(entry.value.get()) {
            Ok(text) => Ok((entry.key, text)),
            Err(_) => Err(self
                .wrong(
                    self.span(entry.value),
                    format_args!("the metadata of `{}` is no text", entry.key),
                )
                .help("safetensors' metadata are texts in quotes")),
        };
        entries.into_iter().map(text).collect()
    }

    fn tensor(&self, entry: &Entry<'_>) -> Outcome<Tensor> {
        let name = &entry.key;
        let span = self.span(entry.value);
        let fields = self.object(
            entry.value.get(),
            &format!("tensor `{name}` is no JSON object"),
        )?;
        let field = |key: &str| {
            fields.iter().find(|field| field.key == key).ok_or_else(|| {
                self.wrong(span.clone(), format_args!("tensor `{name}` has no `{key}`"))
                    .help("a tensor has `dtype`, `shape` and `data_offsets`")
            })
        };
        if let Some(other) = fields
            .iter()
            .find(|field| !matches!(&*field.key, "dtype" | "shape" | "data_offsets"))
        {
            return Err(self
                .wrong(
                    self.span(other.value),
                    format_args!("tensor `{name}` has a `{}`, which is unknown", other.key),
                )
                .help("a tensor has `dtype`, `shape` and `data_offsets`"));
        }
        let dtype = field("dtype")?;
        let word: Option<String> = serde_json::from_str(dtype.value.get()).ok();
        let found = TYPES
            .iter()
            .find(|(known, _)| Some(*known) == word.as_deref());
        let Some((_, element_type)) = found else {
            return Err(self
                .wrong(
                    self.span(dtype.value),
                    format_args!(
                        "tensor `{name}` has elements of type {}, which XLA does not have in files",
                        dtype.value.get()
                    ),
                )
                .help(format_args!(
                    "known are {}",
                    words::listed(&TYPES.iter().map(|(name, _)| name).collect::<Vec<_>>())
                )));
        };
        let shape = field("shape")?;
        let sizes: Vec<u64> = serde_json::from_str(shape.value.get()).map_err(|_| {
            self.wrong(
                self.span(shape.value),
                format_args!("the shape of tensor `{name}` is no list of sizes"),
            )
            .help("it is written as `[2,3]`")
        })?;
        let too_large = || {
            self.wrong(
                self.span(shape.value),
                format_args!("tensor `{name}` is larger than 2^63 - 1 bytes"),
            )
            .help("is the file damaged?")
        };
        let signed: Option<Vec<i64>> = sizes.iter().map(|size| i64::try_from(*size).ok()).collect();
        let layout = signed
            .and_then(|sizes| of_type(*element_type, &sizes))
            .ok_or_else(too_large)?;
        let offsets = field("data_offsets")?;
        let (begin, end): (u64, u64) = serde_json::from_str(offsets.value.get()).map_err(|_| {
            self.wrong(
                self.span(offsets.value),
                format_args!("the place of tensor `{name}` is no pair of numbers"),
            )
            .help("it is written as `[0,24]`: from the first byte behind the header on")
        })?;
        let span = self.span(offsets.value);
        if begin > end {
            return Err(self
                .wrong(
                    span,
                    format_args!(
                        "the place of tensor `{name}` ends at {end}, before it begins at {begin}"
                    ),
                )
                .help(format_args!(
                    "write the beginning first, `[{end},{begin}]`; or is the file damaged?"
                )));
        }
        if end > self.data {
            let data = words::exact_bytes(self.data);
            return Err(self
                .wrong(
                    span,
                    format_args!(
                        "tensor `{name}` lies beyond the end of the file: {data} follow the header"
                    ),
                )
                .help("the file was cut short; copy or save it again"));
        }
        if end - begin != layout.bytes() as u64 {
            return Err(self
                .wrong(
                    span,
                    format_args!(
                        "tensor `{name}`, {}, takes {}, but its place has {}",
                        arrays::text(&layout),
                        words::exact_bytes(layout.bytes()),
                        words::exact_bytes(end - begin)
                    ),
                )
                .help("is the file damaged?"));
        }
        Ok(Tensor {
            name: name.clone(),
            layout,
            begin,
            end,
            span,
        })
    }

    /// Tensors neither overlap nor leave a byte between them or behind them.
    fn no_gaps(&self, tensors: &[Tensor]) -> Outcome {
        let mut end = 0;
        for (k, tensor) in tensors.iter().enumerate() {
            if tensor.begin != end {
                let before = k.checked_sub(1).map_or("the header", |k| &*tensors[k].name);
                let what = match tensor.begin < end {
                    true => format!("tensor `{}` overlaps `{before}`", tensor.name),
                    false => format!(
                        "no tensor has the {} before `{}`",
                        words::exact_bytes(tensor.begin - end),
                        tensor.name
                    ),
                };
                return Err(self
                    .wrong(tensor.span.clone(), what)
                    .help("safetensors follow each other without a gap; is the file damaged?"));
            }
            end = tensor.end;
        }
        if end != self.data {
            return Err(Failure::new(
                Code::File,
                format_args!(
                    "`{}` has {} behind its last tensor",
                    self.file.path.display(),
                    words::exact_bytes(self.data - end)
                ),
            )
            .help("is the file damaged?"));
        }
        Ok(())
    }

    /// A tensor that was stored as bytes.
    fn opaque(&self, tensor: &Tensor, shape: &str) -> Outcome<DynLayout> {
        let wrong = |why: String| {
            Failure::new(
                Code::File,
                format_args!(
                    "the metadata of `{}` say of tensor `{}` that it is `{shape}`: {why}",
                    self.file.path.display(),
                    tensor.name
                ),
            )
            .help(format_args!(
                "remove the key `{SHAPE_KEY}{}` to read it as {}",
                tensor.name,
                arrays::text(&tensor.layout)
            ))
        };
        let layout: DynLayout =
            shape
                .parse()
                .map_err(|layout_error: LayoutError| match layout_error {
                    LayoutError::Invalid(error) => wrong(error.message().to_string()),
                    other => wrong(other.to_string()),
                })?;
        if tensor.layout.element_type() != PrimitiveType::U8
            || layout.bytes() as u64 != tensor.end - tensor.begin
        {
            return Err(wrong(format!(
                "that takes {}, and the tensor is {}",
                words::exact_bytes(layout.bytes()),
                arrays::text(&tensor.layout)
            )));
        }
        Ok(layout)
    }
}

struct Tensor {
    name: String,
    layout: DynLayout,
    begin: u64,
    end: u64,
    /// Of `data_offsets`.
    span: Range<usize>,
}
