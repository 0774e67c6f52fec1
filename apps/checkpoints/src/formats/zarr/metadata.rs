//! The texts with the metadata of an array: `zarr.json` of version 3, `.zarray` of version 2.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::path::Path;

use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use xlayout::ElementType;
use xlayout::interop::{TypeStr, from_numpy_name};

use super::codecs::{Codec, Codecs, InBlosc, Inner};
use super::fill;
use super::named::{Name, Named};
use crate::array::{Encoding, number_bytes};
use crate::error::{Error, Outcome};
use crate::formats::header::Header;
use xlayout_words::{exact_bytes, joined};

/// The longest text, in bytes: attributes may be long.
pub(super) const LONGEST: u64 = 100_000_000;

const DAMAGED: &str = "write it again as zarr-python does, with codecs that are read: \
                       `compressors=zarr.codecs.ZstdCodec()`, in version 2 \
                       `compressors=numcodecs.Zstd()`; or is the file damaged?";

/// The metadata of an array.
pub(crate) struct Metadata {
    pub(super) element_type: ElementType,
    pub(crate) shape: Vec<usize>,
    /// The sizes of a chunk, none of them 0.
    pub(super) chunks: Vec<usize>,
    pub(super) keys: KeyEncoding,
    pub(super) codecs: Codecs,
    /// The bytes of an element that is not stored, or the error why they are not known.
    pub(crate) fill: Outcome<Vec<u8>>,
}

#[derive(Clone, Copy, Deserialize)]
pub(super) enum Separator {
    #[serde(rename = "/")]
    Slash = b'/' as isize,
    #[serde(rename = ".")]
    Dot = b'.' as isize,
}

#[derive(Deserialize)]
struct Node {
    zarr_format: u64,
    node_type: NodeType,
}

#[derive(Deserialize, PartialEq)]
#[serde(rename_all = "lowercase")]
enum NodeType {
    Group,
    Array,
}

#[derive(Deserialize)]
struct Version3 {
    shape: Vec<usize>,
    data_type: Name,
    chunk_grid: Named<Grid>,
    chunk_key_encoding: Named<KeyEncoding>,
    fill_value: Value,
    codecs: Vec<Named<Codec>>,
    #[serde(flatten)]
    others: BTreeMap<String, Value>,
}

/// The other known keys. They do not change the elements.
const KNOWN: [&str; 4] = ["zarr_format", "node_type", "attributes", "dimension_names"];

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum Grid {
    Regular { chunk_shape: Vec<usize> },
}

/// The names of the files of chunks.
#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum KeyEncoding {
    Default { separator: Option<Separator> },
    V2 { separator: Option<Separator> },
}

impl KeyEncoding {
    pub(super) fn name(&self, index: &[usize]) -> String {
        let (is_default, separator) = match self {
            Self::Default { separator } => (true, separator.unwrap_or(Separator::Slash)),
            Self::V2 { separator } => (false, separator.unwrap_or(Separator::Dot)),
        };
        let separator = char::from(separator as u8).to_string();
        match (is_default, joined(index, &separator)) {
            (true, numbers) if numbers.is_empty() => "c".to_owned(),
            (true, numbers) => format!("c{separator}{numbers}"),
            (false, numbers) if numbers.is_empty() => "0".to_owned(),
            (false, numbers) => numbers,
        }
    }
}

#[derive(Deserialize)]
struct Version2 {
    shape: Vec<usize>,
    chunks: Vec<usize>,
    dtype: Dtype,
    order: Order,
    fill_value: Value,
    filters: Option<Vec<IgnoredAny>>,
    compressor: Option<Compressor>,
    dimension_separator: Option<Separator>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Dtype {
    Name(String),
    Records(IgnoredAny),
}

#[derive(Deserialize, PartialEq)]
enum Order {
    C,
    F,
}

#[derive(Deserialize, Serialize)]
#[serde(tag = "id", rename_all = "lowercase")]
enum Compressor {
    Blosc {
        #[serde(rename = "cname")]
        _inner: InBlosc,
    },
    Gzip,
    Lz4,
    Zlib,
    Zstd,
}

/// Reads a text; `None` if it is that of a group.
///
/// # Errors
/// With carets in the text.
pub(crate) fn read(path: &Path, bytes: &[u8], version_2: bool) -> Outcome<Option<Metadata>> {
    let text = String::from_utf8_lossy(bytes);
    let header = Header::new(path, &text, DAMAGED);
    if bytes.len() as u64 > LONGEST {
        let limit = exact_bytes(LONGEST);
        let what = format_args!("the text has more than {limit}");
        return Err(header.marked(0..1, what, "is the file damaged?"));
    }
    if version_2 {
        let read = header.fields(&text, "this is no array of zarr's version 2")?;
        return self::version_2(&header, read).map(Some);
    }
    let node: Node = header.fields(&text, "this is no text of zarr's version 3")?;
    if node.zarr_format != 3 {
        let what = format_args!("this is version {}", node.zarr_format);
        return Err(header.about("zarr_format", what, "versions 2 and 3 are read"));
    }
    match node.node_type {
        NodeType::Group => Ok(None),
        NodeType::Array => {
            let read = header.fields(&text, "this is no array of zarr's version 3")?;
            version_3(&header, read).map(Some)
        }
    }
}

fn version_3(header: &Header<'_>, read: Version3) -> Outcome<Metadata> {
    let not_read = |(key, value): &(&String, &Value)| match key.as_str() {
        "storage_transformers" => **value != Value::Array(Vec::new()),
        key => !KNOWN.contains(&key) && value.get("must_understand") != Some(&false.into()),
    };
    if let Some((key, _)) = read.others.iter().find(not_read) {
        let help = "it may change what the elements are; write the array again without it";
        return Err(header.about(key, format_args!("the extension `{key}` is not read"), help));
    }
    let (Name::Alone(name) | Name::Object { name, .. }) = read.data_type;
    let element_type = from_numpy_name(&name);
    let element_type = element_type.ok_or_else(|| no_type(header, "data_type", &name))?;
    let Grid::Regular { chunk_shape } = read.chunk_grid.is;
    check_chunks(header, "chunk_shape", &read.shape, &chunk_shape)?;
    let codecs = Codecs::new(read.codecs, element_type, &chunk_shape);
    Ok(Metadata {
        codecs: codecs.map_err(|(what, help)| header.about("codecs", what, help))?,
        keys: read.chunk_key_encoding.is,
        fill: fill(header, &read.fill_value, element_type),
        element_type,
        shape: read.shape,
        chunks: chunk_shape,
    })
}

fn version_2(header: &Header<'_>, read: Version2) -> Outcome<Metadata> {
    let Dtype::Name(name) = read.dtype else {
        let help = "write each field as an array";
        return Err(header.about("dtype", "the elements are records with fields", help));
    };
    let little = name.replacen('>', "<", 1).parse();
    let element_type = little.and_then(TypeStr::element_type).ok();
    let element_type = element_type.or_else(|| from_numpy_name(&name));
    let element_type = element_type.ok_or_else(|| no_type(header, "dtype", &name))?;
    if read.filters.is_some_and(|filters| !filters.is_empty()) {
        let help = "write it again without filters";
        return Err(header.about("filters", "filters are not read", help));
    }
    check_chunks(header, "chunks", &read.shape, &read.chunks)?;
    let mut order: Vec<usize> = (0..read.shape.len()).collect();
    if read.order == Order::F {
        order.reverse();
    }
    let encoding = |compressor| match compressor {
        Compressor::Blosc { .. } => Encoding::Blosc,
        Compressor::Gzip => Encoding::Gzip,
        Compressor::Lz4 => Encoding::Lz4,
        Compressor::Zlib => Encoding::Zlib,
        Compressor::Zstd => Encoding::Zstd,
    };
    let separator = read.dimension_separator;
    let swap = number_bytes(element_type).filter(|_| name.starts_with('>'));
    Ok(Metadata {
        keys: KeyEncoding::V2 { separator },
        codecs: Codecs {
            order,
            inner: Inner::Bytes { swap },
            encodings: read.compressor.map(encoding).into_iter().collect(),
        },
        fill: fill(header, &read.fill_value, element_type),
        element_type,
        shape: read.shape,
        chunks: read.chunks,
    })
}

fn no_type(header: &Header<'_>, key: &str, name: &dyn Display) -> Error {
    let help = "write it again with a type that XLA has, such as `float32`";
    header.about(key, format_args!("the type `{name}` is not read"), help)
}

fn check_chunks(header: &Header<'_>, key: &str, shape: &[usize], chunks: &[usize]) -> Outcome {
    if chunks.len() == shape.len() && !chunks.contains(&0) {
        return Ok(());
    }
    let what = "these are no sizes above 0, one for each dimension";
    Err(header.about(key, what, DAMAGED))
}

fn fill(header: &Header<'_>, value: &Value, element_type: ElementType) -> Outcome<Vec<u8>> {
    fill::bytes(value, element_type).ok_or_else(|| {
        let what = format_args!("this fill value of type {element_type} is not read");
        let help = "write it again with another fill value, such as 0, or with all chunks";
        header.about("fill_value", what, help)
    })
}
