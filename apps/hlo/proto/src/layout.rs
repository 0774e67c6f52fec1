//! `LayoutProto` and `Layout`, with tiles and splits.

use alloc::vec::Vec;

use xlayout_core::{
    ElementType, Layout, List, MinorToMajor, PaddingValue, ParseError, SplitConfig, SplitConfigs,
    TileDim, Tiles,
};

use crate::error::{ProtoError, ProtoErrorKind as Kind};
use crate::{LayoutProto, Proto, SplitConfigProto, TileProto};

/// XLA's numbers of the retired `Format`.
const DENSE: i32 = 1;
const SPARSE: i32 = 2;

/// XLA's numbers of `DimLevelType`: 0 is dense, those up to this are sparse.
const DIM_LOOSE_COMPRESSED: i32 = 3;

/// In both directions as XLA's `Layout::ToProto` and `Layout::FromProto`.
///
/// Reading takes what a [`Layout`] can hold, as XLA does; whether it fits a shape is a question for
/// [`Layout::validate_for`].
///
/// ```
/// use xlayout_core::Layout;
/// use xlayout_proto::Proto;
///
/// let layout: Layout = "{1,0:T(8,128)}".parse()?;
/// let bytes = layout.to_proto_bytes();
/// assert_eq!(bytes, b"\x0a\x02\x01\x00\x32\x05\x0a\x03\x08\x80\x01\x80\x01\x01");
/// assert_eq!(Layout::from_proto_bytes(&bytes)?, layout);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
impl Proto for Layout {
    type Message = LayoutProto;

    fn to_proto(&self) -> LayoutProto {
        let splits = self.split_configs.iter();
        LayoutProto {
            minor_to_major: self.minor_to_major.to_vec(),
            padded_dimensions: self.padded_dimensions.to_vec(),
            padding_value: self.padding_value.map_or(0, |value| value as i32),
            tiles: self.tiles.iter().map(TileProto::from).collect(),
            element_size_in_bits: self.element_size_in_bits,
            memory_space: self.memory_space.into(),
            index_primitive_type: number(self.index_primitive_type),
            pointer_primitive_type: number(self.pointer_primitive_type),
            dynamic_shape_metadata_prefix_bytes: self.dynamic_shape_metadata_prefix_bytes,
            tail_padding_alignment_in_elements: self.tail_padding_alignment_in_elements,
            split_configs: splits.map(SplitConfigProto::from).collect(),
            // What only sparse arrays have.
            ..LayoutProto::default()
        }
    }

    fn from_proto(message: &LayoutProto) -> Result<Self, ProtoError> {
        dense(message)?;
        let order = MinorToMajor::new(&message.minor_to_major).map_err(full("minor_to_major"))?;
        let mut layout = Self::new(order);
        layout.padded_dimensions = List::try_from_iter(message.padded_dimensions.iter().copied())
            .map_err(full("padded_dimensions"))?;
        layout.padding_value = padding_value(message.padding_value)?;
        layout.tiles = tiles(&message.tiles)?;
        layout.element_size_in_bits = message.element_size_in_bits;
        layout.memory_space = i8::try_from(message.memory_space).map_err(|_| {
            let space = message.memory_space;
            Kind::MemorySpace { space }.at("memory_space")
        })?;
        layout.index_primitive_type =
            primitive_type("index_primitive_type", message.index_primitive_type)?;
        layout.pointer_primitive_type =
            primitive_type("pointer_primitive_type", message.pointer_primitive_type)?;
        layout.dynamic_shape_metadata_prefix_bytes = message.dynamic_shape_metadata_prefix_bytes;
        layout.tail_padding_alignment_in_elements = match message.tail_padding_alignment_in_elements
        {
            0 => 1,
            alignment @ 1.. => alignment,
            alignment => {
                let kind = Kind::TailAlignment { alignment };
                return Err(kind.at("tail_padding_alignment_in_elements"));
            }
        };
        layout.split_configs = splits(&message.split_configs)?;
        Ok(layout)
    }
}

/// Words for what cannot happen with a heap.
pub(crate) fn full(field: &'static str) -> impl Fn(ParseError) -> ProtoError {
    move |full| Kind::Full(full).at(field)
}

/// A type's number; XLA writes nothing (0) where there is no type.
fn number(primitive_type: Option<ElementType>) -> i32 {
    primitive_type.map_or(0, |primitive_type| primitive_type.number().into())
}

/// The type with this number; 0 is none.
pub(crate) fn primitive_type(field: &str, number: i32) -> Result<Option<ElementType>, ProtoError> {
    let found = ElementType::from_number(number.into());
    or_zero(found, ("ElementType", field), number)
}

/// What a number stands for. 0 stands for nothing.
fn or_zero<T>(
    found: Option<T>,
    (of, field): (&'static str, &str),
    number: i32,
) -> Result<Option<T>, ProtoError> {
    match found {
        None if number != 0 => Err(Kind::UnknownNumber { of, number }.at(field)),
        found => Ok(found),
    }
}

/// The retired padding value; 0 is none, as in every field that is not set.
fn padding_value(number: i32) -> Result<Option<PaddingValue>, ProtoError> {
    let mut known = PaddingValue::NAMES.iter().map(|row| row.1);
    let found = known.find(|&value| value as i32 == number);
    or_zero(found, ("PaddingValue", "padding_value"), number)
}

/// The fields of sparse arrays may say "dense", and nothing else.
fn dense(message: &LayoutProto) -> Result<(), ProtoError> {
    match message.format {
        None | Some(DENSE) => {}
        Some(SPARSE) => return Err(Kind::Sparse.at("format")),
        // 0, INVALID_FORMAT, too: it says that there is no layout.
        Some(number) => {
            return Err(Kind::unknown("Format", number).at("format"));
        }
    }
    if message.max_sparse_elements != 0 {
        return Err(Kind::Sparse.at("max_sparse_elements"));
    }
    let mut levels = message.dim_level_types.iter().enumerate();
    if let Some((k, &number)) = levels.find(|(_, level)| **level != 0) {
        let kind = match number {
            1..=DIM_LOOSE_COMPRESSED => Kind::Sparse,
            _ => Kind::unknown("DimLevelType", number),
        };
        return Err(kind.at_item("dim_level_types", k));
    }
    let flags = [
        ("dim_unique", &message.dim_unique),
        ("dim_ordered", &message.dim_ordered),
    ];
    for (field, flags) in flags {
        if let Some(k) = flags.iter().position(|flag| !flag) {
            return Err(Kind::Sparse.at_item(field, k));
        }
    }
    match message.physical_shape {
        Some(_) => Err(Kind::Sparse.at("physical_shape")),
        None => Ok(()),
    }
}

fn tiles(messages: &[TileProto]) -> Result<Tiles, ProtoError> {
    let mut tiles = Tiles::new();
    for (k, message) in messages.iter().enumerate() {
        let tile = Vec::try_from(message).map_err(|error| error.within_item("tiles", k))?;
        tiles.push(&tile).map_err(full("tiles"))?;
    }
    Ok(tiles)
}

fn splits(messages: &[SplitConfigProto]) -> Result<SplitConfigs, ProtoError> {
    let mut splits = SplitConfigs::new();
    for message in messages {
        splits
            .push(message.dimension, &message.split_indices)
            .map_err(full("split_configs"))?;
    }
    Ok(splits)
}

/// XLA: `Tile::ToProto`.
impl From<&[TileDim]> for TileProto {
    fn from(tile: &[TileDim]) -> Self {
        Self {
            dimensions: tile.iter().map(|entry| entry.to_xla()).collect(),
        }
    }
}

/// XLA: `Tile::FromProto`. XLA refuses `*` here since 2025, although it still writes it; older
/// versions read it, and so do we.
///
/// ```
/// use xlayout_core::TileDim::{self, *};
/// use xlayout_proto::TileProto;
///
/// let message = TileProto { dimensions: vec![i64::MIN, 8] };
/// assert_eq!(Vec::<TileDim>::try_from(&message)?, [Combine, Size(8)]);
/// # Ok::<(), xlayout_proto::ProtoError>(())
/// ```
impl TryFrom<&TileProto> for Vec<TileDim> {
    type Error = ProtoError;

    fn try_from(message: &TileProto) -> Result<Self, ProtoError> {
        let entry = |(k, &size): (usize, &i64)| {
            TileDim::from_xla(size).ok_or_else(|| Kind::TileSize { size }.at_item("dimensions", k))
        };
        message.dimensions.iter().enumerate().map(entry).collect()
    }
}

/// XLA: `SplitConfig::ToProto`.
impl From<SplitConfig<'_>> for SplitConfigProto {
    fn from(split: SplitConfig<'_>) -> Self {
        Self {
            dimension: split.dimension,
            split_indices: split.split_indices.to_vec(),
        }
    }
}

/// XLA: `SplitConfig::CreateFromProto`, which checks nothing.
impl<'a> From<&'a SplitConfigProto> for SplitConfig<'a> {
    fn from(message: &'a SplitConfigProto) -> Self {
        Self {
            dimension: message.dimension,
            split_indices: &message.split_indices,
        }
    }
}
