//! A layout: how the elements of an array lie in memory.
//!
//! Sources of the methods: XLA's `layout.h`, `layout.cc`, `layout_util.h`, `layout_util.cc`.

mod parts;

use crate::constant::INLINE_RANK;
use crate::element_type::ElementType;
use crate::error::{Attribute, ParseError};
use crate::list::List;
use crate::order::MinorToMajor;
use crate::split::SplitConfigs;
use crate::tile::Tiles;

/// What lies in padding (XLA's old `PaddingValue`).
///
/// The numbers of the old proto are from memory, not from a source:
/// zero 1, one 2, lowest 3, highest 4, unknown 5.
///
/// ```
/// use xlayout_shape::{Layout, PaddingValue};
/// let text = "{1,0}, padded_dimensions = [3, 5], padding_value = lowest";
/// let layout: Layout = text.parse().unwrap();
/// assert_eq!(layout.padding_value, Some(PaddingValue::Lowest));
/// assert_eq!(PaddingValue::Lowest.name(), "lowest");
/// assert_eq!(PaddingValue::NAMES.len(), 5);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum PaddingValue {
    /// The zero of the element type.
    Zero = 1,
    /// The one of the element type.
    One = 2,
    /// The lowest value: the most negative one, negative infinity where there is one.
    Lowest = 3,
    /// The highest value, infinity where there is one.
    Highest = 4,
    /// Unspecified: it must not be read.
    Unknown = 5,
}

impl PaddingValue {
    /// All of them, with the names that `padding_value = …` takes.
    pub const NAMES: [(&'static str, Self); 5] = [
        ("zero", Self::Zero),
        ("one", Self::One),
        ("lowest", Self::Lowest),
        ("highest", Self::Highest),
        ("unknown", Self::Unknown),
    ];

    /// The name that `padding_value = …` takes.
    ///
    /// ```
    /// use xlayout_shape::PaddingValue;
    /// assert_eq!(PaddingValue::Zero.name(), "zero");
    /// ```
    #[must_use]
    #[inline]
    pub const fn name(self) -> &'static str {
        Self::NAMES[self as usize - 1].0
    }

    /// The value with this name.
    pub(crate) fn from_name(name: &str) -> Option<Self> {
        Self::NAMES
            .iter()
            .find(|row| row.0 == name)
            .map(|row| row.1)
    }
}

/// How the elements of an array lie in memory (XLA: `Layout`).
///
/// The fields hold what a text or a proto said;
/// [`ArrayShape::validate`](crate::ArrayShape::validate) checks them against the shape that
/// they are for.
///
/// ```
/// use xlayout_shape::{Layout, MinorToMajor, Tiles};
/// use xlayout_shape::TileDim::Size;
/// let read: Layout = "{1,0:T(8,128)S(5)}".parse().unwrap();
/// assert_eq!(read.minor_to_major[..], [1, 0]);
/// assert_eq!(read.memory_space, 5);
///
/// let tiles = Tiles::from_tiles(&[&[Size(8), Size(128)]]).unwrap();
/// let built = Layout::new(MinorToMajor::row_major(2).unwrap()).with_tiles(tiles);
/// assert_eq!(built.with_memory_space(5), read);
/// ```
#[doc(alias(
    "ToString",
    "Print",
    "PrintHumanString",
    "HumanString",
    "AbslHashValue",
    "Swap"
))]
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Layout {
    /// Dimension numbers, the one that varies fastest first.
    #[doc(alias("minor_to_major_size", "set_minor_to_major", "mutable_minor_to_major"))]
    pub minor_to_major: MinorToMajor,
    /// The tiles, the first applied first.
    #[doc(alias = "tiles_size")]
    pub tiles: Tiles,
    /// A leftover of sparse layouts, invalid for every array. Text: `#(type)`.
    pub index_primitive_type: Option<ElementType>,
    /// A leftover of sparse layouts, invalid for every array. Text: `*(type)`.
    pub pointer_primitive_type: Option<ElementType>,
    /// Where the array is cut into parts for several memories. Text: `SC(d:i,j)`.
    #[doc(alias = "split_configs_size")]
    pub split_configs: SplitConfigs,
    /// The allocated width of each dimension, dimension 0 first; empty is "no padding".
    /// From the older proto (field 2); the text is our own: `padded_dimensions = [3, 5]`.
    pub padded_dimensions: List<i64, INLINE_RANK>,
    /// What lies in the padding. From the older proto (field 3); the text is our own:
    /// `padding_value = zero`.
    pub padding_value: Option<PaddingValue>,
    /// Elements are appended behind the (tiled) array until their number is a multiple of this. In
    /// elements; 1 is "nothing". Text: `L(n)`.
    pub tail_padding_alignment_in_elements: i64,
    /// The bits that one element takes; 0 is "whole bytes, as wide as the type". Text: `E(n)`.
    #[doc(alias = "set_element_size_in_bits")]
    pub element_size_in_bits: i64,
    /// Which memory of the device; 0 is the default one. XLA keeps it in an `int8`. Text: `S(n)`.
    #[doc(alias = "set_memory_space")]
    pub memory_space: i8,
    /// The bytes of the header with the dynamic sizes that comes before the data; 0 or less is
    /// "none". Text: `M(n)`.
    #[doc(alias = "set_dynamic_shape_metadata_prefix_bytes")]
    pub dynamic_shape_metadata_prefix_bytes: i64,
}

impl Layout {
    /// A dense layout: these dimensions, most minor first, and nothing else
    /// (XLA: `Layout(minor_to_major)`, `LayoutUtil::MakeLayout`). The methods `with_…` add
    /// the rest.
    ///
    /// ```
    /// use xlayout_shape::{Layout, MinorToMajor};
    /// let layout = Layout::new(MinorToMajor::column_major(2).unwrap());
    /// assert_eq!(layout.to_string(), "{0,1}");
    /// ```
    #[doc(alias = "MakeLayout")]
    #[must_use]
    pub const fn new(minor_to_major: MinorToMajor) -> Self {
        use crate::tile::TileDim;
        Self {
            minor_to_major,
            tiles: Tiles::from_lists(
                List::from_slice(&[], TileDim::Combine),
                List::from_slice(&[], 0),
            ),
            index_primitive_type: None,
            pointer_primitive_type: None,
            split_configs: SplitConfigs::from_lists(
                List::from_slice(&[], 0),
                List::from_slice(&[], (0, 0)),
            ),
            padded_dimensions: List::from_slice(&[], 0),
            padding_value: None,
            tail_padding_alignment_in_elements: 1,
            element_size_in_bits: 0,
            memory_space: 0,
            dynamic_shape_metadata_prefix_bytes: 0,
        }
    }

    /// The number of an attribute; `None` if it has none or has its default.
    #[doc(hidden)]
    #[must_use]
    #[inline]
    pub fn number(&self, attribute: Attribute) -> Option<i64> {
        let (number, default) = match attribute {
            Attribute::TailAlignment => (self.tail_padding_alignment_in_elements, 1),
            Attribute::ElementSize => (self.element_size_in_bits, 0),
            Attribute::MemorySpace => (self.memory_space.into(), 0),
            Attribute::Metadata => (self.dynamic_shape_metadata_prefix_bytes.max(0), 0),
            _ => return None,
        };
        (number != default).then_some(number)
    }

    /// Sets the number of an attribute that has one. The caller has checked that the field
    /// has room.
    pub(crate) fn set_number(&mut self, attribute: Attribute, number: i64) {
        match attribute {
            Attribute::TailAlignment => self.tail_padding_alignment_in_elements = number,
            Attribute::ElementSize => self.element_size_in_bits = number,
            Attribute::MemorySpace => self.memory_space = number as i8,
            Attribute::Metadata => self.dynamic_shape_metadata_prefix_bytes = number.max(0),
            _ => unreachable!("the attribute has no number"),
        }
    }
}

impl Layout {
    /// The default layout: row-major and dense (XLA: `GetDefaultLayoutForRank`,
    /// `MakeDescendingLayout`).
    ///
    /// ```
    /// use xlayout_shape::Layout;
    /// assert_eq!(Layout::row_major(3).unwrap().to_string(), "{2,1,0}");
    /// assert_eq!(Layout::column_major(3).unwrap().to_string(), "{0,1,2}");
    /// ```
    ///
    /// # Errors
    /// [`TooMany`](crate::ErrorKind::TooMany) for a rank above 16 without the feature `alloc`.
    #[doc(alias(
        "GetDefaultLayoutForRank",
        "GetDefaultLayoutForR2",
        "GetDefaultLayoutForR3",
        "GetDefaultLayoutForR4",
        "MakeDescendingLayout"
    ))]
    pub fn row_major(rank: usize) -> Result<Self, ParseError> {
        MinorToMajor::row_major(rank).map(Self::new)
    }

    /// Column-major and dense: dimension 0 varies fastest (XLA: `MakeAscendingLayout`).
    ///
    /// ```
    /// use xlayout_shape::Layout;
    /// assert_eq!(Layout::column_major(3).unwrap().to_string(), "{0,1,2}");
    /// ```
    ///
    /// # Errors
    /// [`TooMany`](crate::ErrorKind::TooMany) for a rank above 16 without the feature `alloc`.
    #[doc(alias = "MakeAscendingLayout")]
    #[inline]
    pub fn column_major(rank: usize) -> Result<Self, ParseError> {
        MinorToMajor::column_major(rank).map(Self::new)
    }
}
