//! Methods that give the same layout with another part: `with_tiles` and the like.

use crate::error::{ErrorKind, ParseError};
use crate::layout::Layout;
use crate::order::MinorToMajor;
use crate::split::SplitConfigs;
use crate::tile::Tiles;

/// The layout of a scalar (XLA: `Layout()`).
impl Default for Layout {
    #[inline]
    fn default() -> Self {
        Self::new(MinorToMajor::default())
    }
}

/// Writes methods that give the same layout with another field: `with_tiles: tiles: Tiles;`.
macro_rules! setters {
    ($($(#[doc = $doc:literal])* $method:ident: $field:ident: $type:ty;)*) => {
        impl Layout {$(
            $(#[doc = $doc])*
            #[must_use]
            #[inline]
            pub fn $method(self, $field: $type) -> Self {
                Self { $field, ..self }
            }
        )*}
    };
}

setters! {
    /// The same layout with these tiles (XLA: `Layout(minor_to_major, tiles, …)`).
    ///
    /// ```
    /// use xlayout_shape::{Layout, Tiles};
    /// use xlayout_shape::TileDim::Size;
    /// let tiles = Tiles::from_tiles(&[&[Size(8), Size(128)]]).unwrap();
    /// let layout = Layout::row_major(2).unwrap().with_tiles(tiles).with_element_size_in_bits(4);
    /// assert_eq!(layout.to_string(), "{1,0:T(8,128)E(4)}");
    /// ```
    with_tiles: tiles: Tiles;

    /// The same layout with this element size, in bits. 0 stands for whole bytes, as wide as the
    /// type.
    ///
    /// ```
    /// use xlayout_shape::Layout;
    /// let layout = Layout::row_major(1).unwrap().with_element_size_in_bits(4);
    /// assert_eq!(layout.to_string(), "{0:E(4)}");
    /// ```
    with_element_size_in_bits: element_size_in_bits: i64;

    /// The same layout in this memory space.
    ///
    /// ```
    /// use xlayout_shape::Layout;
    /// let layout = Layout::row_major(1).unwrap().with_memory_space(5);
    /// assert_eq!(layout.to_string(), "{0:S(5)}");
    /// ```
    with_memory_space: memory_space: i8;

    /// The same layout with these splits.
    ///
    /// ```
    /// use xlayout_shape::{Layout, SplitConfigs};
    /// let mut splits = SplitConfigs::new();
    /// splits.push(0, &[30]).unwrap();
    /// let layout = Layout::row_major(2).unwrap().with_split_configs(splits);
    /// assert_eq!(layout.to_string(), "{1,0:SC(0:30)}");
    /// ```
    with_split_configs: split_configs: SplitConfigs;

    /// The same layout with a header of this many bytes for the dynamic sizes. 0 is no header.
    ///
    /// ```
    /// use xlayout_shape::Layout;
    /// let layout = Layout::row_major(1).unwrap().with_dynamic_shape_metadata_prefix_bytes(8);
    /// assert_eq!(layout.to_string(), "{0:M(8)}");
    /// ```
    with_dynamic_shape_metadata_prefix_bytes: dynamic_shape_metadata_prefix_bytes: i64;
}

impl Layout {
    /// The same layout with this alignment of the end, in elements. 1 stands for none.
    ///
    /// ```
    /// use xlayout_shape::Layout;
    /// let layout = Layout::row_major(1).unwrap();
    /// let aligned = layout.clone().with_tail_padding_alignment_in_elements(100).unwrap();
    /// assert_eq!(aligned.to_string(), "{0:L(100)}");
    /// assert_eq!(
    ///     layout.with_tail_padding_alignment_in_elements(0).unwrap_err().to_string(),
    ///     "the tail padding alignment is 0; write 1 or more elements, or leave `L(…)` out for \
    ///      none",
    /// );
    /// ```
    ///
    /// # Errors
    /// When it is below 1, where XLA aborts.
    #[doc(alias = "set_tail_padding_alignment_in_elements")]
    #[inline]
    pub fn with_tail_padding_alignment_in_elements(
        mut self,
        alignment: i64,
    ) -> Result<Self, ParseError> {
        if alignment < 1 {
            return Err(ParseError::new(
                ErrorKind::TailAlignment { alignment },
                None,
            ));
        }
        self.tail_padding_alignment_in_elements = alignment;
        Ok(self)
    }
}
