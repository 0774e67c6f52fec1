//! The codecs of version 3, which encode chunks as bytes.

use serde::{Deserialize, Serialize};
use xlayout::ElementType;

use super::named::Named;
use crate::array::{Encoding, number_bytes};

const CODECS: &str = "write it again with `transpose`, then `bytes` or `sharding_indexed`, then \
    `blosc`, `gzip`, `zstd`, `crc32c`; in zarr-python `compressors=zarr.codecs.ZstdCodec()`";

/// A codec in the metadata.
#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Codec {
    Transpose {
        order: Vec<usize>,
    },
    Bytes {
        endian: Option<Endian>,
    },
    ShardingIndexed(Shard),
    #[serde(alias = "numcodecs.blosc")]
    Blosc {
        #[serde(rename = "cname")]
        _inner: InBlosc,
    },
    #[serde(alias = "numcodecs.gzip")]
    Gzip {},
    #[serde(alias = "numcodecs.zstd")]
    Zstd {},
    Crc32c {},
    #[serde(rename = "numcodecs.lz4")]
    Lz4 {},
    #[serde(rename = "numcodecs.zlib")]
    Zlib {},
}

/// The compressors in blosc that are read. The chunks say themselves which one they have.
#[derive(Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum InBlosc {
    BloscLz,
    Lz4,
    Lz4hc,
    Zlib,
    Zstd,
}

impl Codec {
    /// The encoding of bytes as bytes; `None` if it is no such codec.
    fn encoding(self) -> Option<Encoding> {
        Some(match self {
            Self::Transpose { .. } | Self::Bytes { .. } | Self::ShardingIndexed(_) => return None,
            Self::Blosc { .. } => Encoding::Blosc,
            Self::Gzip {} => Encoding::Gzip,
            Self::Zstd {} => Encoding::Zstd,
            Self::Crc32c {} => Encoding::Crc32c,
            Self::Lz4 {} => Encoding::Lz4,
            Self::Zlib {} => Encoding::Zlib,
        })
    }
}

#[derive(Deserialize)]
pub(super) struct Shard {
    chunk_shape: Vec<usize>,
    codecs: Vec<Named<Codec>>,
    index_codecs: Vec<Named<Codec>>,
    #[serde(default)]
    index_location: Place,
}

#[derive(Deserialize, PartialEq)]
#[serde(rename_all = "lowercase")]
pub(super) enum Endian {
    Little,
    Big,
}

#[derive(Default, Deserialize, PartialEq)]
#[serde(rename_all = "lowercase")]
enum Place {
    Start,
    #[default]
    End,
}

/// The encoding of a chunk.
pub(super) struct Codecs {
    /// Axis `k` of the bytes is axis `order[k]` of the chunk.
    pub(super) order: Vec<usize>,
    pub(super) inner: Inner,
    pub(super) encodings: Vec<Encoding>,
}

pub(super) enum Inner {
    Bytes {
        /// The bytes of a number that is stored most significant byte first.
        swap: Option<usize>,
    },
    Shard {
        /// The sizes of a chunk in it, of axes as they are in the bytes.
        chunks: Vec<usize>,
        codecs: Box<Codecs>,
        index: Vec<Encoding>,
        at_end: bool,
    },
}

impl Codecs {
    /// The codecs of chunks of these sizes.
    ///
    /// # Errors
    /// If the codecs are wrong or not supported.
    pub(super) fn new(
        list: Vec<Named<Codec>>,
        element_type: ElementType,
        sizes: &[usize],
    ) -> Result<Self, (String, &'static str)> {
        let mut order: Vec<usize> = (0..sizes.len()).collect();
        let mut inner = None;
        let mut encodings = Vec::new();
        for Named { name, is } in list {
            let wrong = |what: &str| Err((format!("the codec `{name}` {what}"), CODECS));
            match (is, &inner) {
                (Codec::Transpose { order: found }, None) => {
                    let mut sorted = found.clone();
                    sorted.sort_unstable();
                    if !sorted.into_iter().eq(0..sizes.len()) {
                        return wrong("does not name each dimension once");
                    }
                    order = found.iter().map(|k| order[*k]).collect();
                }
                (Codec::Bytes { endian }, None) => {
                    let bytes = number_bytes(element_type);
                    if bytes.is_some() && endian.is_none() {
                        return wrong("does not say which byte of a number is first: its `endian`");
                    }
                    let swap = bytes.filter(|_| endian == Some(Endian::Big));
                    inner = Some(Inner::Bytes { swap });
                }
                (Codec::ShardingIndexed(shard), None) => {
                    let chunks = shard.chunk_shape;
                    let divides = |(dim, chunk): (&usize, &usize)| {
                        *chunk > 0 && sizes[*dim].is_multiple_of(*chunk)
                    };
                    if chunks.len() != sizes.len() || !order.iter().zip(&chunks).all(divides) {
                        return wrong("has chunks that do not divide the shard");
                    }
                    let index = Self::new(shard.index_codecs, ElementType::U64, &[1, 2])?;
                    let plain = matches!(index.inner, Inner::Bytes { swap: None })
                        && index.order == [0, 1]
                        && index
                            .encodings
                            .iter()
                            .all(|encoding| *encoding == Encoding::Crc32c);
                    if !plain {
                        let index = "is not written with `bytes`, little-endian, and `crc32c`";
                        return wrong(&format!("has an index that {index}"));
                    }
                    inner = Some(Inner::Shard {
                        codecs: Box::new(Self::new(shard.codecs, element_type, &chunks)?),
                        chunks,
                        index: index.encodings,
                        at_end: shard.index_location == Place::End,
                    });
                }
                (codec, Some(Inner::Bytes { .. })) => match codec.encoding() {
                    Some(encoding) => encodings.push(encoding),
                    None => return wrong("is not read at this place"),
                },
                _ => return wrong("is not read at this place"),
            }
        }
        let missing = || ("no codec says how elements become bytes".to_owned(), CODECS);
        Ok(Self {
            order,
            inner: inner.ok_or_else(missing)?,
            encodings,
        })
    }
}
