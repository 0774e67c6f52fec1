//! The codecs of version 3: how a chunk becomes bytes.

use serde::Deserialize;
use serde_json::value::RawValue;
use xlayout::{ArrayLayout, PrimitiveType};

use super::in_order;
use super::metadata::{DAMAGED, Named, Text};
use crate::array::{self, Encoding};
use crate::error::Outcome;
use crate::formats::header::Value;

const CODECS: &str = "write it again with codecs that are read: `transpose`, `bytes`, `sharding_indexed`, `gzip`, `zstd`, `crc32c`; \
    in zarr-python `compressors=zarr.codecs.ZstdCodec()`";

/// How a chunk becomes bytes.
pub(super) struct Codecs {
    /// In the bytes the axis `k` is this one of those that the chunk has.
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

/// The encoding that has this name.
pub(super) fn encoding(name: &str) -> Option<Encoding> {
    serde_json::from_value(name.into()).ok()
}

impl<'a> Text<'a> {
    /// The codecs of chunks of these sizes.
    pub(super) fn codecs(
        &self,
        value: Value<'a>,
        element_type: PrimitiveType,
        sizes: &[usize],
    ) -> Outcome<Codecs> {
        #[derive(Deserialize)]
        struct Transpose {
            order: Vec<usize>,
        }
        let header = &self.header;
        let list: Vec<Value<'a>> = header.value(value, "`codecs` is no list", DAMAGED)?;
        let mut order: Vec<usize> = (0..sizes.len()).collect();
        let mut inner = None;
        let mut encodings = Vec::new();
        for codec in list {
            let named = self.named(codec, "a codec")?;
            match (named.name.as_str(), &inner) {
                ("transpose", None) => {
                    let found: Transpose = self.configuration(codec, &named)?;
                    let mut sorted = found.order.clone();
                    sorted.sort_unstable();
                    if !sorted.into_iter().eq(0..sizes.len()) {
                        let what = "`order` does not name each dimension once";
                        return Err(header.wrong(codec, what, DAMAGED));
                    }
                    order = found.order.iter().map(|k| order[*k]).collect();
                }
                ("bytes", None) => inner = Some(self.bytes(codec, &named, element_type)?),
                ("sharding_indexed", None) => {
                    let sizes: Vec<usize> = order.iter().map(|dim| sizes[*dim]).collect();
                    inner = Some(self.shard(codec, &named, element_type, &sizes)?);
                }
                ("gzip" | "zstd" | "crc32c", Some(Inner::Bytes { .. })) => {
                    encodings.extend(encoding(&named.name));
                }
                (
                    known @ ("transpose" | "bytes" | "sharding_indexed" | "gzip" | "zstd"
                    | "crc32c"),
                    _,
                ) => {
                    let what = format_args!("the codec `{known}` is not read at this place");
                    return Err(header.wrong(codec, what, CODECS));
                }
                (other, _) => return self.unknown(codec, ("codec", other), CODECS),
            }
        }
        let missing = || header.wrong(value, "no codec says how elements become bytes", CODECS);
        Ok(Codecs {
            order,
            inner: inner.ok_or_else(missing)?,
            encodings,
        })
    }

    fn bytes(
        &self,
        codec: Value<'a>,
        named: &Named<'a>,
        element_type: PrimitiveType,
    ) -> Outcome<Inner> {
        #[derive(Deserialize)]
        struct Bytes {
            endian: Option<String>,
        }
        let found: Option<Bytes> = self.optional(named)?;
        let width = number_bytes(element_type);
        let swaps = match found.and_then(|found| found.endian) {
            None if width == 1 => false,
            None => {
                let what = "the codec does not say which byte of a number is first";
                let help = "it says `endian`, \"little\" or \"big\"";
                return Err(self.header.wrong(codec, what, help));
            }
            Some(said) => {
                let known = [("little", false), ("big", width > 1)];
                self.one_of(codec, ("sequence of bytes", &said), &known, DAMAGED)?
            }
        };
        Ok(Inner::Bytes {
            swap: swaps.then_some(width),
        })
    }

    fn shard(
        &self,
        codec: Value<'a>,
        named: &Named<'a>,
        element_type: PrimitiveType,
        sizes: &[usize],
    ) -> Outcome<Inner> {
        #[derive(Deserialize)]
        struct Shard<'a> {
            #[serde(borrow)]
            chunk_shape: &'a RawValue,
            #[serde(borrow)]
            codecs: &'a RawValue,
            #[serde(borrow)]
            index_codecs: &'a RawValue,
            index_location: Option<String>,
        }
        let found: Shard<'a> = self.configuration(codec, named)?;
        let chunks = self.sizes(found.chunk_shape, Some(sizes.len()), 1)?;
        let mut both = sizes.iter().zip(&chunks);
        if !both.all(|(size, chunk)| size.is_multiple_of(*chunk)) {
            let what = "the chunks do not divide the shard";
            return Err(self.header.wrong(found.chunk_shape, what, DAMAGED));
        }
        let index = self.codecs(found.index_codecs, PrimitiveType::U64, &[1, 2])?;
        let plain = matches!(index.inner, Inner::Bytes { swap: None })
            && index.order == [0, 1]
            && (index.encodings.iter()).all(|encoding| *encoding == Encoding::Crc32c);
        if !plain {
            let what = "an index with these codecs is not read";
            let help = "zarr writes it with `bytes`, little-endian, and `crc32c`";
            return Err(self.header.wrong(found.index_codecs, what, help));
        }
        let place = found.index_location.as_deref().unwrap_or("end");
        let places = [("end", true), ("start", false)];
        Ok(Inner::Shard {
            codecs: Box::new(self.codecs(found.codecs, element_type, &chunks)?),
            chunks,
            index: index.encodings,
            at_end: self.one_of(codec, ("place of an index", place), &places, DAMAGED)?,
        })
    }
}

/// The bytes of a number in an element.
pub(super) fn number_bytes(element_type: PrimitiveType) -> usize {
    in_order(element_type, &[], &[])
        .map_or(1, |scalar| array::number_bytes(&scalar).min(scalar.bytes()))
}
