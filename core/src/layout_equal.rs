//! Equality of layouts that leaves some parts out.

use crate::layout::Layout;

/// How XLA compares layouts (XLA: `Layout::Equal`): all parts but those that are ignored.
///
/// The metadata prefix `M` is never compared, as in XLA; `==` compares it, too. Our own padding,
/// which XLA does not have, counts unless it is ignored.
///
/// ```
/// use xlayout_core::{Layout, LayoutEqual};
/// let tiled: Layout = "{1,0:T(8,128)S(1)}".parse().unwrap();
/// let dense: Layout = "{1,0}".parse().unwrap();
/// assert!(!LayoutEqual::new().ignore_tiles().between(&tiled, &dense));
/// assert!(LayoutEqual::new().ignore_tiles().ignore_memory_space().between(&tiled, &dense));
/// assert!(LayoutEqual::new().minor_to_major_only().between(&tiled, &dense));
/// ```
#[doc(alias = "Equal")]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LayoutEqual {
    tiles: bool,
    tail_padding_alignment: bool,
    index_primitive_type: bool,
    pointer_primitive_type: bool,
    element_size: bool,
    memory_space: bool,
    split_configs: bool,
    padding: bool,
}

macro_rules! ignoring {
    ($($name:ident, $field:ident, $xla:literal, $what:literal;)*) => {$(
        #[doc = $what]
        #[doc(alias = $xla)]
        #[must_use]
        pub const fn $name(mut self) -> Self {
            self.$field = true;
            self
        }
    )*};
}

impl LayoutEqual {
    /// Nothing is ignored.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            tiles: false,
            tail_padding_alignment: false,
            index_primitive_type: false,
            pointer_primitive_type: false,
            element_size: false,
            memory_space: false,
            split_configs: false,
            padding: false,
        }
    }

    ignoring! {
        ignore_tiles, tiles, "IgnoreTiles",
            "Ignores the tiles.";
        ignore_tail_padding_alignment_in_elements, tail_padding_alignment,
            "IgnoreTailPaddingAlignmentInElements", "Ignores the tail padding alignment `L`.";
        ignore_index_primitive_type, index_primitive_type, "IgnoreIndexPrimitiveType",
            "Ignores the index type `#`, a leftover of sparse layouts.";
        ignore_pointer_primitive_type, pointer_primitive_type, "IgnorePointerPrimitiveType",
            "Ignores the pointer type `*`, a leftover of sparse layouts.";
        ignore_element_size, element_size, "IgnoreElementSize",
            "Ignores the element size `E`.";
        ignore_memory_space, memory_space, "IgnoreMemorySpace",
            "Ignores the memory space `S`.";
        ignore_split_configs, split_configs, "IgnoreSplitConfigs",
            "Ignores the splits `SC`.";
        ignore_padding, padding, "padded_dimensions",
            "Ignores `padded_dimensions` and `padding_value`, which XLA no longer has.";
    }

    /// Compares minor_to_major and, since XLA does here, the splits.
    #[doc(alias = "MinorToMajorOnly")]
    #[must_use]
    pub const fn minor_to_major_only(self) -> Self {
        self.ignore_tiles()
            .ignore_tail_padding_alignment_in_elements()
            .ignore_index_primitive_type()
            .ignore_pointer_primitive_type()
            .ignore_element_size()
            .ignore_memory_space()
            .ignore_padding()
    }

    /// Whether the two layouts are equal in all that is not ignored.
    #[must_use]
    pub fn between(&self, lhs: &Layout, rhs: &Layout) -> bool {
        let padding = |layout: &Layout| (layout.padded_dimensions.clone(), layout.padding_value);
        lhs.minor_to_major == rhs.minor_to_major
            && (self.tiles || lhs.tiles == rhs.tiles)
            && (self.tail_padding_alignment
                || lhs.tail_padding_alignment_in_elements == rhs.tail_padding_alignment_in_elements)
            && (self.index_primitive_type || lhs.index_primitive_type == rhs.index_primitive_type)
            && (self.pointer_primitive_type
                || lhs.pointer_primitive_type == rhs.pointer_primitive_type)
            && (self.element_size || lhs.element_size_in_bits == rhs.element_size_in_bits)
            && (self.memory_space || lhs.memory_space == rhs.memory_space)
            && (self.split_configs || lhs.split_configs == rhs.split_configs)
            && (self.padding || padding(lhs) == padding(rhs))
    }
}
