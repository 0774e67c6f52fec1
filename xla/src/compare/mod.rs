//! Equality and compatibility: one builder for all the variants that XLA has.
//!
//! | XLA | here |
//! |---|---|
//! | `operator==`, `ShapeUtil::Equal`, `LayoutUtil::Equal` | `Compare::new().equal(&a, &b)` |
//! | `Shape::Equal().IgnoreLayout()(a, b)` | `Compare::new().ignore_layout().equal(&a, &b)` |
//! | `Layout::Equal().IgnoreTiles()(a, b)` | `Compare::new().ignore_tiles().equal(&a, &b)` |
//! | `ShapeUtil::Compatible` | `Compare::compatible().equal(&a, &b)` |
//! | `ShapeUtil::CompatibleKind` | `Compare::compatible_kind().equal(&a, &b)` |
//! | `LayoutUtil::LayoutsInShapesEqual` | `Compare::new().layouts_in_shapes(&a, &b)` |
//!
//! Sources: `layout.h` and `layout.cc` (`Layout::Equal`), `shape.h` and `shape.cc`
//! (`Shape::Equal`), `shape_util.h` and `shape_util.cc` (`Compatible…`, `Equal…`),
//! `layout_util.cc` (`LayoutsInShapesEqual`).

mod arrays;
#[cfg(feature = "alloc")]
mod shapes;

use crate::any_shape::sealed;
use crate::difference::Difference;
use crate::error::ShapeError;
pub use arrays::{
    same_dimensions, same_element_type, same_element_type_ignoring_fp_precision, same_rank,
};
#[cfg(feature = "alloc")]
pub(crate) use shapes::different;
#[cfg(feature = "alloc")]
pub use shapes::equal_structure;
use xlayout_shape::{Layout, error::Attribute};

/// What is compared. A row has a method that ignores a part, the part's name, what it is in a
/// layout, XLA's names for the method, and its documentation.
macro_rules! compare {
    (
        $(#[$of_struct:meta])*
        pub struct $type:ident;
        $($(#[doc = $doc:literal])* $name:ident, $part:ident $(of $field:ident: $attribute:ident)?, $($xla:literal),+;)*
    ) => {
        $(#[$of_struct])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
        pub struct $type {
            // Whether it is ignored.
            $($part: bool,)*
        }

        impl $type {
            const ALL: Self = Self { $($part: false,)* };

            /// The first attribute that is compared and differs.
            fn attribute(self, left: &Layout, right: &Layout) -> Option<Attribute> {
                $($(if !self.$part && left.$field != right.$field {
                    return Some(Attribute::$attribute);
                })?)*
                None
            }

            $(
                $(#[doc = $doc])*
                $(#[doc(alias = $xla)])+
                #[must_use]
                pub const fn $name(mut self) -> Self {
                    self.$part = true;
                    self
                }
            )*
        }
    };
}

compare! {
    /// How two layouts, two arrays or two shapes are compared: all parts but those that are
    /// ignored.
    ///
    /// With nothing ignored it is what XLA calls equal. The metadata prefix `M` is never compared,
    /// as in XLA; Rust's `==` on our nouns compares it, too. Our own padding, which XLA no longer
    /// has, counts as part of the layout.
    ///
    /// Laws: every comparison is reflexive and symmetric, and what is equal stays equal when more
    /// is ignored. With [`ignore_dynamic_dimensions`](Self::ignore_dynamic_dimensions) it is not
    /// transitive, in XLA neither: `?` then equals every size.
    ///
    /// ```
    /// use xlayout_shape::{ArrayShape, Layout};
    /// use xlayout_xla::Compare;
    ///
    /// let tiled: Layout = "{1,0:T(8,128)S(1)}".parse().unwrap();
    /// let dense: Layout = "{1,0}".parse().unwrap();
    /// assert!(!Compare::new().ignore_tiles().equal(&tiled, &dense));
    /// assert!(Compare::new().ignore_tiles().ignore_memory_space().equal(&tiled, &dense));
    ///
    /// let host: ArrayShape = "f32[2,3]{1,0}".parse().unwrap();
    /// let device: ArrayShape = "f32[<=2,3]{0,1:T(8,128)}".parse().unwrap();
    /// assert!(!Compare::new().equal(&host, &device));
    /// assert!(Compare::compatible().equal(&host, &device));
    /// ```
    #[doc(alias = "Equal")]
    pub struct Compare;

    // First the parts of a layout, in XLA's sequence, then those of a shape.
    /// Ignores the tiles `T`.
    ignore_tiles, tiles of tiles: Tiles, "IgnoreTiles", "IgnoreTilesInLayout";
    /// Ignores the tail padding alignment `L`.
    ignore_tail_padding_alignment_in_elements, tail_padding_alignment of tail_padding_alignment_in_elements: TailAlignment,
        "IgnoreTailPaddingAlignmentInElements";
    /// Ignores the index type `#`, a leftover of sparse layouts.
    ignore_index_primitive_type, index_primitive_type of index_primitive_type: IndexType, "IgnoreIndexPrimitiveType";
    /// Ignores the pointer type `*`, a leftover of sparse layouts.
    ignore_pointer_primitive_type, pointer_primitive_type of pointer_primitive_type: PointerType, "IgnorePointerPrimitiveType";
    /// Ignores the element size `E`.
    ignore_element_size, element_size of element_size_in_bits: ElementSize, "IgnoreElementSize", "IgnoreElementSizeInLayout";
    /// Ignores the memory space `S`.
    ignore_memory_space, memory_space of memory_space: MemorySpace, "IgnoreMemorySpace", "IgnoreMemorySpaceInLayout";
    /// Ignores the splits `SC`.
    ignore_split_configs, split_configs of split_configs: Splits, "IgnoreSplitConfigs", "IgnoreSplitConfigInLayout";
    /// Ignores `padded_dimensions` and `padding_value`, which XLA no longer has.
    ignore_padding, padding, "padded_dimensions";

    /// Ignores whether there is a layout, and which.
    ignore_layout, layout, "IgnoreLayout";
    /// Ignores the types of the elements. A token is no array for that.
    ignore_element_type, element_type, "IgnoreElementType", "EqualIgnoringElementType";
    /// Takes all real floating-point types as one.
    ignore_fp_precision, fp_precision, "IgnoreFpPrecision", "EqualIgnoringFpPrecision";
    /// Ignores the sizes. The number of dimensions and which of them are dynamic still count.
    ignore_dimensions, dimensions, "IgnoreDimensions";
    /// Ignores which dimensions are dynamic: `<=4` equals `4`, and `?` equals every size.
    /// Bounds are still compared.
    ignore_dynamic_dimensions, dynamic_dimensions, "IgnoreDynamicDimension";
    /// Takes a buffer as the array that it holds.
    ignore_buffer, buffer, "IgnoreBuffer";
}

impl Compare {
    /// Ignores nothing (XLA: `operator==`, `Layout::Equal()`, `Shape::Equal()`,
    /// `ShapeUtil::Equal`, `LayoutUtil::Equal`).
    ///
    /// ```
    /// use xlayout_shape::Layout;
    /// use xlayout_xla::Compare;
    /// let a: Layout = "{1,0:M(8)}".parse().unwrap();
    /// let b: Layout = "{1,0}".parse().unwrap();
    /// assert!(Compare::new().equal(&a, &b)); // the metadata prefix is no part of it
    /// assert!(a != b);
    /// ```
    #[must_use]
    pub const fn new() -> Self {
        Self::ALL
    }

    /// Ignores the layout and which dimensions are dynamic (XLA: `ShapeUtil::Compatible`).
    ///
    /// ```
    /// use xlayout_shape::ArrayShape;
    /// use xlayout_xla::Compare;
    /// let a: ArrayShape = "f32[4,3]{1,0}".parse().unwrap();
    /// assert!(Compare::compatible().equal(&a, &"f32[?,3]{0,1}".parse().unwrap()));
    /// assert!(!Compare::compatible().equal(&a, &"f16[4,3]".parse().unwrap()));
    ///
    /// // CompatibleIgnoringFpPrecision, CompatibleIgnoringElementType:
    /// let any_float = Compare::compatible().ignore_fp_precision();
    /// assert!(any_float.equal(&a, &"f16[4,3]".parse().unwrap()));
    /// let any_type = Compare::compatible().ignore_element_type();
    /// assert!(any_type.equal(&a, &"s8[4,3]".parse().unwrap()));
    /// ```
    #[doc(alias("Compatible", "CompatibleIgnoringElementType"))]
    #[doc(alias = "CompatibleIgnoringFpPrecision")]
    #[must_use]
    pub const fn compatible() -> Self {
        Self::new().ignore_layout().ignore_dynamic_dimensions()
    }

    /// Ignores the layout, the element type, and the sizes, but not how many there are
    /// (XLA: `ShapeUtil::CompatibleKind`).
    ///
    /// ```
    /// use xlayout_shape::ArrayShape;
    /// use xlayout_xla::Compare;
    /// let a: ArrayShape = "f32[4,3]".parse().unwrap();
    /// assert!(Compare::compatible_kind().equal(&a, &"s8[1,2]".parse().unwrap()));
    /// assert!(!Compare::compatible_kind().equal(&a, &"f32[12]".parse().unwrap()));
    /// ```
    #[doc(alias = "CompatibleKind")]
    #[must_use]
    pub const fn compatible_kind() -> Self {
        Self::compatible().ignore_element_type().ignore_dimensions()
    }

    /// Of a layout only minor_to_major and the splits (XLA: `Layout::Equal::MinorToMajorOnly`).
    ///
    /// That the splits count is XLA's way. Its method of the same purpose for shapes differs: see
    /// [`minor_to_major_only_in_layout`](Self::minor_to_major_only_in_layout).
    ///
    /// ```
    /// use xlayout_shape::Layout;
    /// use xlayout_xla::Compare;
    /// let a: Layout = "{1,0:T(8,128)E(4)S(1)}".parse().unwrap();
    /// assert!(Compare::new().minor_to_major_only().equal(&a, &"{1,0}".parse().unwrap()));
    /// let splits: Layout = "{1,0:SC(0:4)}".parse().unwrap();
    /// assert!(!Compare::new().minor_to_major_only().equal(&a, &splits));
    /// ```
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

    /// Of a layout only minor_to_major and the leftovers of sparse layouts
    /// (XLA: `Shape::Equal::MinorToMajorOnlyInLayout`), which no valid layout has.
    ///
    /// ```
    /// use xlayout_shape::ArrayShape;
    /// use xlayout_xla::Compare;
    /// let a: ArrayShape = "f32[2,3]{1,0:T(8,128)SC(0:1)}".parse().unwrap();
    /// let minor_to_major = Compare::new().minor_to_major_only_in_layout();
    /// assert!(minor_to_major.equal(&a, &"f32[2,3]{1,0}".parse().unwrap()));
    /// assert!(!minor_to_major.equal(&a, &"f32[2,3]{0,1}".parse().unwrap()));
    /// ```
    #[doc(alias = "MinorToMajorOnlyInLayout")]
    #[must_use]
    pub const fn minor_to_major_only_in_layout(self) -> Self {
        self.ignore_tiles()
            .ignore_tail_padding_alignment_in_elements()
            .ignore_element_size()
            .ignore_memory_space()
            .ignore_split_configs()
            .ignore_padding()
    }

    /// Whether the two are equal in all that is not ignored.
    ///
    /// A layout can be compared with a layout, an array with an array, a shape with a shape.
    ///
    /// ```
    /// use xlayout_shape::ArrayShape;
    /// use xlayout_xla::Compare;
    /// let a: ArrayShape = "f32[2,3]{1,0}".parse().unwrap();
    /// let b: ArrayShape = "f32[2,3]{0,1}".parse().unwrap();
    /// assert!(!Compare::new().equal(&a, &b));
    /// assert!(Compare::new().ignore_layout().equal(&a, &b));
    /// ```
    #[must_use]
    pub fn equal<T: Comparable>(self, left: &T, right: &T) -> bool {
        self.difference(left, right).is_none()
    }

    /// The first thing in which the two differ, and where.
    ///
    /// ```
    /// use xlayout_shape::ArrayShape;
    /// use xlayout_xla::Compare;
    /// let a: ArrayShape = "f32[2,3]{1,0}".parse().unwrap();
    /// let b: ArrayShape = "f32[2,4]{1,0}".parse().unwrap();
    /// assert_eq!(
    ///     Compare::new().difference(&a, &b).unwrap().to_string(),
    ///     "dimension 1 is 3 in the first and 4 in the second; give equal ones, or leave out of \
    ///      the comparison what may differ",
    /// );
    /// ```
    #[must_use]
    pub fn difference<T: Comparable>(self, left: &T, right: &T) -> Option<Difference> {
        left.difference_to(right, self)
    }

    /// Like [`equal`](Self::equal), with the difference as an error.
    ///
    /// ```
    /// use xlayout_shape::Layout;
    /// use xlayout_xla::Compare;
    /// let a: Layout = "{1,0:T(8,128)}".parse().unwrap();
    /// let error = Compare::new().check(&a, &"{1,0}".parse().unwrap()).unwrap_err();
    /// assert_eq!(
    ///     error.to_string(),
    ///     "the tiles (`T`) differ; give equal ones, or leave out of the comparison what may \
    ///      differ",
    /// );
    /// ```
    ///
    /// # Errors
    /// The first difference.
    pub fn check<T: Comparable>(self, left: &T, right: &T) -> Result<(), ShapeError> {
        let difference = self.difference(left, right);
        difference.map_or(Ok(()), |difference| Err(difference.into()))
    }
}

/// What [`Compare`] compares: a [`Layout`], an [`ArrayShape`](xlayout_shape::ArrayShape), a
/// `Shape`.
///
/// ```
/// use xlayout_shape::Layout;
/// use xlayout_xla::{Comparable, Compare};
/// fn all_equal<T: Comparable>(items: &[T]) -> bool {
///     items.windows(2).all(|two| Compare::new().equal(&two[0], &two[1]))
/// }
/// assert!(all_equal::<Layout>(&["{1,0}".parse().unwrap(), "{1,0:M(4)}".parse().unwrap()]));
/// ```
pub trait Comparable: sealed::Sealed {
    #[doc(hidden)]
    fn difference_to(&self, other: &Self, compare: Compare) -> Option<Difference>;
}
