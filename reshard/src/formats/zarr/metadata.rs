//! The texts that say what an array is: `zarr.json` of version 3, `.zarray` of version 2.

use std::path::Path;

use serde::Deserialize;
use serde_json::value::RawValue;
use xlayout::PrimitiveType;
use xlayout::interop::{TypeStr, from_numpy_name};

use super::codecs::{Codecs, Inner, number_bytes};
use super::fill;
use crate::array::Encoding;
use crate::error::Outcome;
use crate::formats::header::{Header, Value};
use crate::words::exact_bytes;

/// The longest text, in bytes: attributes may be long.
pub(super) const LONGEST: u64 = 100_000_000;

pub(super) const DAMAGED: &str = "zarr writes a JSON object; is the file damaged?";

/// What a text says of an array.
pub(crate) struct Metadata {
    pub(super) element_type: PrimitiveType,
    pub(crate) shape: Vec<usize>,
    /// The sizes of a chunk, none of them 0.
    pub(super) chunks: Vec<usize>,
    pub(super) keys: Keys,
    pub(super) codecs: Codecs,
    /// The bytes of an element that is not stored, or why they are not known.
    pub(crate) fill: Outcome<Vec<u8>>,
}

/// How the files of chunks are called.
pub(super) struct Keys {
    prefix: &'static str,
    separator: String,
}

impl Keys {
    pub(super) fn name(&self, index: &[usize]) -> String {
        let numbers = index.iter().map(ToString::to_string);
        let prefix = Some(self.prefix.to_owned()).filter(|prefix| !prefix.is_empty());
        let parts: Vec<String> = prefix.into_iter().chain(numbers).collect();
        match parts.is_empty() {
            true => "0".to_owned(),
            false => parts.join(&self.separator),
        }
    }
}

/// Reads a text; `None` if it is that of a group.
///
/// # Errors
/// With carets in the text.
pub(crate) fn read(path: &Path, bytes: &[u8], version_2: bool) -> Outcome<Option<Metadata>> {
    let text = String::from_utf8_lossy(bytes);
    let header = Header {
        path,
        shown: &text,
        json: &text,
        damaged: DAMAGED,
    };
    if bytes.len() as u64 > LONGEST {
        let what = format_args!("the text has more than {}", exact_bytes(LONGEST));
        return Err(header.marked(0..1, what).help("is the file damaged?"));
    }
    let text = Text {
        header,
        entries: header.entries(&text, "this is no valid JSON")?,
        all: &text,
    };
    match version_2 {
        true => text.version_2().map(Some),
        false => text.version_3(),
    }
}

pub(super) struct Text<'a> {
    pub(super) header: Header<'a>,
    all: &'a str,
    entries: Vec<(String, Value<'a>)>,
}

/// A name, and what belongs to it.
#[derive(Deserialize)]
#[serde(expecting = "an object with a `name`")]
pub(super) struct Named<'a> {
    pub(super) name: String,
    #[serde(borrow)]
    pub(super) configuration: Option<&'a RawValue>,
}

impl<'a> Text<'a> {
    fn get(&self, key: &str) -> Option<Value<'a>> {
        let found = self.entries.iter().find(|(name, _)| name == key)?;
        Some(found.1)
    }

    fn need(&self, key: &str) -> Outcome<Value<'a>> {
        let missing = || {
            let end = self.all.trim_end().len();
            let what = format_args!("the text says no `{key}`");
            self.header
                .marked(end.saturating_sub(1)..end, what)
                .help(DAMAGED)
        };
        self.get(key).ok_or_else(missing)
    }

    fn value<T: Deserialize<'a>>(&self, key: &str, what: &str) -> Outcome<T> {
        let message = format_args!("`{key}` is no {what}");
        self.header.value(self.need(key)?, message, DAMAGED)
    }

    /// A name alone, or an object that has one.
    pub(super) fn named(&self, value: Value<'a>, what: &str) -> Outcome<Named<'a>> {
        match serde_json::from_str(value.get()) {
            Ok(name) => Ok(Named {
                name,
                configuration: None,
            }),
            Err(_) => self.header.fields(value.get(), what),
        }
    }

    pub(super) fn configuration<T: Deserialize<'a>>(
        &self,
        value: Value<'a>,
        named: &Named<'a>,
    ) -> Outcome<T> {
        let what = format!("the configuration of `{}`", named.name);
        match named.configuration {
            Some(found) => self.header.fields(found.get(), &what),
            None => Err(self
                .header
                .wrong(value, format_args!("{what} is not there"))
                .help(DAMAGED)),
        }
    }

    /// The error that something has a name that is not known.
    pub(super) fn unknown<T>(
        &self,
        value: Value<'a>,
        what: &str,
        name: &str,
        help: &str,
    ) -> Outcome<T> {
        let message = format_args!("the {what} `{name}` is not read");
        Err(self.header.wrong(value, message).help(help))
    }

    pub(super) fn sizes(
        &self,
        value: Value<'a>,
        rank: Option<usize>,
        least: usize,
    ) -> Outcome<Vec<usize>> {
        let what = match least {
            0 => "these are no sizes below 2^63",
            _ => "these are no sizes above 0, one for each dimension",
        };
        let sizes: Vec<usize> = self.header.value(value, what, DAMAGED)?;
        let fits = rank.is_none_or(|rank| rank == sizes.len())
            && (sizes.iter()).all(|size| *size >= least && *size <= i64::MAX as usize);
        match fits {
            true => Ok(sizes),
            false => Err(self.header.wrong(value, what).help(DAMAGED)),
        }
    }

    fn version_3(&self) -> Outcome<Option<Metadata>> {
        const KNOWN: [&str; 11] = [
            "zarr_format",
            "node_type",
            "shape",
            "data_type",
            "chunk_grid",
            "chunk_key_encoding",
            "fill_value",
            "codecs",
            "attributes",
            "dimension_names",
            "storage_transformers",
        ];
        let format: u64 = self.value("zarr_format", "number")?;
        if format != 3 {
            let what = format_args!("this is version {format}");
            let wrong = self.header.wrong(self.need("zarr_format")?, what);
            return Err(wrong.help("versions 2 and 3 are read"));
        }
        let node: String = self.value("node_type", "text")?;
        match node.as_str() {
            "group" => return Ok(None),
            "array" => {}
            other => return self.unknown(self.need("node_type")?, "node", other, DAMAGED),
        }
        #[derive(Deserialize)]
        struct Optional {
            must_understand: bool,
        }
        for (key, value) in &self.entries {
            let optional = || {
                serde_json::from_str(value.get())
                    .is_ok_and(|found: Optional| !found.must_understand)
            };
            if !KNOWN.contains(&key.as_str()) && !optional() {
                let help = "it may change what the elements are; write the array again without it";
                return self.unknown(value, "extension", key, help);
            }
        }
        if let Some(value) = self
            .get("storage_transformers")
            .filter(|value| value.get() != "[]")
        {
            return self.unknown(
                value,
                "extension",
                "storage_transformers",
                "write the array again without it",
            );
        }
        let shape = self.sizes(self.need("shape")?, None, 0)?;
        let rank = shape.len();
        let data_type = self.need("data_type")?;
        let name = self.named(data_type, "`data_type`")?.name;
        let Some(element_type) = from_numpy_name(&name) else {
            return self.unknown(
                data_type,
                "type",
                &name,
                "write it again with a type that XLA has, such as `float32`",
            );
        };

        #[derive(Deserialize)]
        struct Grid<'a> {
            #[serde(borrow)]
            chunk_shape: &'a RawValue,
        }
        let value = self.need("chunk_grid")?;
        let named = self.named(value, "`chunk_grid`")?;
        if named.name != "regular" {
            return self.unknown(
                value,
                "grid",
                &named.name,
                "write it again in a regular grid",
            );
        }
        let grid: Grid<'a> = self.configuration(value, &named)?;
        let chunks = self.sizes(grid.chunk_shape, Some(rank), 1)?;

        #[derive(Deserialize, Default)]
        struct Separator {
            separator: Option<String>,
        }
        let value = self.need("chunk_key_encoding")?;
        let named = self.named(value, "`chunk_key_encoding`")?;
        let (prefix, usual) = match named.name.as_str() {
            "default" => ("c", "/"),
            "v2" => ("", "."),
            other => {
                return self.unknown(
                    value,
                    "name of chunks",
                    other,
                    "`default` and `v2` are read",
                );
            }
        };
        let separator = match named.configuration {
            Some(_) => self.configuration::<Separator>(value, &named)?,
            None => Separator::default(),
        };
        let codecs = self.codecs(self.need("codecs")?, element_type, &chunks)?;
        Ok(Some(Metadata {
            keys: Keys {
                prefix,
                separator: self.separator(value, separator.separator, usual)?,
            },
            fill: fill::bytes(&self.header, self.need("fill_value")?, element_type),
            element_type,
            shape,
            chunks,
            codecs,
        }))
    }

    fn separator(&self, value: Value<'a>, found: Option<String>, usual: &str) -> Outcome<String> {
        match found.unwrap_or_else(|| usual.to_owned()) {
            known if ["/", "."].contains(&known.as_str()) => Ok(known),
            other => self.unknown(value, "separator", &other, "`/` and `.` are read"),
        }
    }

    fn version_2(&self) -> Outcome<Metadata> {
        let shape = self.sizes(self.need("shape")?, None, 0)?;
        let rank = shape.len();
        let chunks = self.sizes(self.need("chunks")?, Some(rank), 1)?;
        let value = self.need("dtype")?;
        let name: String = self.header.value(
            value,
            "the elements are records with fields",
            "write each field as an array",
        )?;
        let little = name.replacen('>', "<", 1);
        let found = little.parse().and_then(TypeStr::element_type).ok();
        let Some(element_type) = found.or_else(|| from_numpy_name(&name)) else {
            return self.unknown(
                value,
                "type",
                &name,
                "write it again with a type that XLA has, such as `<f4`",
            );
        };
        let value = self.need("order")?;
        let order: Vec<usize> = match self.value::<String>("order", "text")?.as_str() {
            "C" => (0..rank).collect(),
            "F" => (0..rank).rev().collect(),
            other => return self.unknown(value, "order", other, "it is `C` or `F`"),
        };
        if let Some(value) = self
            .get("filters")
            .filter(|value| !["null", "[]"].contains(&value.get()))
        {
            return Err(self
                .header
                .wrong(value, "filters are not read")
                .help("write it again without filters"));
        }
        #[derive(Deserialize)]
        #[serde(expecting = "an object with an `id`")]
        struct Compressor {
            id: String,
        }
        let value = self.need("compressor")?;
        let compressor: Option<Compressor> =
            self.header
                .value(value, "`compressor` has no `id`", DAMAGED)?;
        let encodings = match compressor.as_ref().map(|compressor| compressor.id.as_str()) {
            None => Vec::new(),
            Some("gzip") => vec![Encoding::Gzip],
            Some("zlib") => vec![Encoding::Zlib],
            Some("zstd") => vec![Encoding::Zstd],
            Some(other) => {
                let help = "write it again with `gzip`, `zlib` or `zstd`, or without: in zarr-python `compressors=numcodecs.Zstd()`";
                return self.unknown(value, "codec", other, help);
            }
        };
        let separator = match self.get("dimension_separator") {
            Some(_) => Some(self.value("dimension_separator", "text")?),
            None => None,
        };
        let width = number_bytes(element_type);
        Ok(Metadata {
            keys: Keys {
                prefix: "",
                separator: self.separator(value, separator, ".")?,
            },
            codecs: Codecs {
                order,
                inner: Inner::Bytes {
                    swap: Some(width).filter(|width| *width > 1 && name.starts_with('>')),
                },
                encodings,
            },
            fill: fill::bytes(&self.header, self.need("fill_value")?, element_type),
            element_type,
            shape,
            chunks,
        })
    }
}
