//! The texts that say what an array is: `zarr.json` of version 3, `.zarray` of version 2.

use std::path::Path;

use serde::Deserialize;
use serde_json::value::RawValue;
use xlayout::PrimitiveType;
use xlayout::interop::{TypeStr, from_numpy_name};

use super::codecs::{Codecs, Inner, encoding, number_bytes};
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
    separator: &'static str,
}

impl Keys {
    pub(super) fn name(&self, index: &[usize]) -> String {
        let numbers = index.iter().map(ToString::to_string);
        let prefix = Some(self.prefix.to_owned()).filter(|prefix| !prefix.is_empty());
        match &prefix.into_iter().chain(numbers).collect::<Vec<_>>()[..] {
            [] => "0".to_owned(),
            parts => parts.join(self.separator),
        }
    }
}

/// Reads a text; `None` if it is that of a group.
///
/// # Errors
/// With carets in the text.
pub(crate) fn read(path: &Path, bytes: &[u8], version_2: bool) -> Outcome<Option<Metadata>> {
    let text = String::from_utf8_lossy(bytes);
    let header = Header::new(path, &text, DAMAGED);
    if bytes.len() as u64 > LONGEST {
        let what = format_args!("the text has more than {}", exact_bytes(LONGEST));
        return Err(header.marked(0..1, what, "is the file damaged?"));
    }
    let entries = header.entries(&text, "this is no valid JSON")?;
    let text = Text { header, entries };
    match version_2 {
        true => text.version_2().map(Some),
        false => text.version_3(),
    }
}

pub(super) struct Text<'a> {
    pub(super) header: Header<'a>,
    entries: Vec<(String, Value<'a>)>,
}

/// A name, and what belongs to it.
#[derive(Deserialize)]
#[serde(expecting = "an object with a `name`")]
pub(super) struct Named<'a> {
    pub(super) name: String,
    #[serde(borrow)]
    configuration: Option<&'a RawValue>,
}

impl<'a> Text<'a> {
    fn get(&self, key: &str) -> Option<Value<'a>> {
        let found = self.entries.iter().find(|(name, _)| name == key)?;
        Some(found.1)
    }

    fn need(&self, key: &str) -> Outcome<Value<'a>> {
        self.get(key).ok_or_else(|| {
            let end = self.header.json.trim_end().len();
            let what = format_args!("the text says no `{key}`");
            self.header
                .marked(end.saturating_sub(1)..end, what, DAMAGED)
        })
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

    /// What belongs to a name, if it is there.
    pub(super) fn optional<T: Deserialize<'a>>(&self, named: &Named<'a>) -> Outcome<Option<T>> {
        let what = format!("the configuration of `{}`", named.name);
        let read = |found: Value<'a>| self.header.fields(found.get(), &what);
        named.configuration.map(read).transpose()
    }

    pub(super) fn configuration<T: Deserialize<'a>>(
        &self,
        value: Value<'a>,
        named: &Named<'a>,
    ) -> Outcome<T> {
        let what = format_args!("the configuration of `{}` is not there", named.name);
        let missing = || self.header.wrong(value, what, DAMAGED);
        self.optional(named)?.ok_or_else(missing)
    }

    /// The error that something has a name that is not known.
    pub(super) fn unknown<T>(
        &self,
        value: Value<'a>,
        (what, name): (&str, &str),
        help: &str,
    ) -> Outcome<T> {
        let message = format_args!("the {what} `{name}` is not read");
        Err(self.header.wrong(value, message, help))
    }

    /// What a name means.
    pub(super) fn one_of<T: Clone>(
        &self,
        value: Value<'a>,
        (what, name): (&str, &str),
        known: &[(&str, T)],
        help: &str,
    ) -> Outcome<T> {
        match known.iter().find(|(known, _)| *known == name) {
            Some((_, found)) => Ok(found.clone()),
            None => self.unknown(value, (what, name), help),
        }
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
            false => Err(self.header.wrong(value, what, DAMAGED)),
        }
    }

    fn version_3(&self) -> Outcome<Option<Metadata>> {
        const KNOWN: &str = "zarr_format node_type shape data_type chunk_grid chunk_key_encoding \
            fill_value codecs attributes dimension_names storage_transformers";
        #[derive(Deserialize)]
        struct Optional {
            must_understand: bool,
        }
        #[derive(Deserialize)]
        struct Grid<'a> {
            #[serde(borrow)]
            chunk_shape: &'a RawValue,
        }
        #[derive(Deserialize)]
        struct Separator {
            separator: Option<String>,
        }
        let format: u64 = self.value("zarr_format", "number")?;
        if format != 3 {
            let (value, what) = (
                self.need("zarr_format")?,
                format_args!("this is version {format}"),
            );
            return Err(self.header.wrong(value, what, "versions 2 and 3 are read"));
        }
        let (value, node): (_, String) =
            (self.need("node_type")?, self.value("node_type", "text")?);
        let nodes = [("group", false), ("array", true)];
        if !self.one_of(value, ("node", &node), &nodes, DAMAGED)? {
            return Ok(None);
        }
        for (key, value) in &self.entries {
            let read = || serde_json::from_str(value.get());
            let help = match key.as_str() {
                "storage_transformers" if value.get() != "[]" => "write the array again without it",
                key if KNOWN.split(' ').any(|known| known == key) => continue,
                _ if read().is_ok_and(|found: Optional| !found.must_understand) => continue,
                _ => "it may change what the elements are; write the array again without it",
            };
            return self.unknown(value, ("extension", key), help);
        }
        let shape = self.sizes(self.need("shape")?, None, 0)?;
        let value = self.need("data_type")?;
        let name = self.named(value, "`data_type`")?.name;
        let Some(element_type) = from_numpy_name(&name) else {
            let help = "write it again with a type that XLA has, such as `float32`";
            return self.unknown(value, ("type", &name), help);
        };

        let value = self.need("chunk_grid")?;
        let named = self.named(value, "`chunk_grid`")?;
        let (what, help) = (("grid", &*named.name), "write it again in a regular grid");
        self.one_of(value, what, &[("regular", ())], help)?;
        let grid: Grid<'a> = self.configuration(value, &named)?;
        let chunks = self.sizes(grid.chunk_shape, Some(shape.len()), 1)?;

        let value = self.need("chunk_key_encoding")?;
        let named = self.named(value, "`chunk_key_encoding`")?;
        let what = ("name of chunks", &*named.name);
        let known = [("default", ("c", "/")), ("v2", ("", "."))];
        let (prefix, usual) = self.one_of(value, what, &known, "`default` and `v2` are read")?;
        let said = self.optional(&named)?;
        let said = said.and_then(|found: Separator| found.separator);
        Ok(Some(Metadata {
            codecs: self.codecs(self.need("codecs")?, element_type, &chunks)?,
            keys: Keys {
                prefix,
                separator: self.separator(value, said, usual)?,
            },
            fill: fill::bytes(&self.header, self.need("fill_value")?, element_type),
            element_type,
            shape,
            chunks,
        }))
    }

    fn separator(
        &self,
        value: Value<'a>,
        said: Option<String>,
        usual: &'static str,
    ) -> Outcome<&'static str> {
        let what = ("separator", said.as_deref().unwrap_or(usual));
        let known = [("/", "/"), (".", ".")];
        self.one_of(value, what, &known, "`/` and `.` are read")
    }

    fn version_2(&self) -> Outcome<Metadata> {
        #[derive(Deserialize)]
        #[serde(expecting = "an object with an `id`")]
        struct Compressor {
            id: String,
        }
        let header = &self.header;
        let shape = self.sizes(self.need("shape")?, None, 0)?;
        let chunks = self.sizes(self.need("chunks")?, Some(shape.len()), 1)?;
        let value = self.need("dtype")?;
        let (what, help) = (
            "the elements are records with fields",
            "write each field as an array",
        );
        let name: String = header.value(value, what, help)?;
        let little = name.replacen('>', "<", 1);
        let found = little.parse().and_then(TypeStr::element_type).ok();
        let Some(element_type) = found.or_else(|| from_numpy_name(&name)) else {
            let help = "write it again with a type that XLA has, such as `<f4`";
            return self.unknown(value, ("type", &name), help);
        };
        let (value, name_of_order): (_, String) =
            (self.need("order")?, self.value("order", "text")?);
        let orders = [("C", false), ("F", true)];
        let mut order: Vec<usize> = (0..shape.len()).collect();
        if self.one_of(
            value,
            ("order", &name_of_order),
            &orders,
            "it is `C` or `F`",
        )? {
            order.reverse();
        }
        let filters = self.get("filters");
        if let Some(value) = filters.filter(|value| !["null", "[]"].contains(&value.get())) {
            let help = "write it again without filters";
            return Err(header.wrong(value, "filters are not read", help));
        }
        let value = self.need("compressor")?;
        let compressor: Option<Compressor> =
            header.value(value, "`compressor` has no `id`", DAMAGED)?;
        let mut encodings = Vec::new();
        if let Some(Compressor { id }) = compressor {
            let Some(found) = encoding(&id).filter(|found| *found != Encoding::Crc32c) else {
                let help = "write it again with `gzip`, `zlib` or `zstd`, or without: in zarr-python `compressors=numcodecs.Zstd()`";
                return self.unknown(value, ("codec", &id), help);
            };
            encodings.push(found);
        }
        let separator = match self.get("dimension_separator") {
            Some(_) => Some(self.value("dimension_separator", "text")?),
            None => None,
        };
        let width = number_bytes(element_type);
        let swap = Some(width).filter(|width| *width > 1 && name.starts_with('>'));
        Ok(Metadata {
            keys: Keys {
                prefix: "",
                separator: self.separator(value, separator, ".")?,
            },
            codecs: Codecs {
                order,
                inner: Inner::Bytes { swap },
                encodings,
            },
            fill: fill::bytes(header, self.need("fill_value")?, element_type),
            element_type,
            shape,
            chunks,
        })
    }
}
