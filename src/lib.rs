#![doc = include_str!("front.md")]
#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]

// Layouts.
#[doc(inline)]
pub use xlayout_core::{
    ArrayLayout, BrandedLayout, ConstLayout, ConstTiles, DynLayout, FixedSizes, LayoutError, Rank,
    StridedLayout, branded,
};
// Indices.
#[doc(inline)]
pub use xlayout_core::{Axis, Coordinate, Coordinates, DynCoordinates, Index, LinearIndex};
// Elements, and arrays of them.
#[cfg(feature = "alloc")]
#[doc(inline)]
pub use xlayout_core::Array;
#[doc(inline)]
pub use xlayout_core::{
    ArrayBase, ArrayRef, Element, Packed, Raw, SliceView, SliceViewMut, Tile, View, ViewMut,
    dispatch, dtype,
};
// Bounds that the compiler names in its messages, and that no program needs.
#[doc(hidden)]
pub use xlayout_core::{
    HasDimension, IntoCoordinates, NestedArray, RawBits, Specialize, ViewIndex,
};
// XLA's shapes as values.
#[doc(inline)]
pub use xlayout_core::for_each_element_type;
#[doc(inline)]
pub use xlayout_core::{ArrayShape, ElementType, Layout, ParseError};
// What features add.
#[cfg(feature = "serde")]
#[doc(inline)]
pub use xlayout_core::serialized;
/// The crate of type-level numbers that [`TypeNumbers`](types::TypeNumbers) uses.
#[cfg(feature = "typenum")]
#[doc(no_inline)]
pub use xlayout_typenum::typenum;
#[cfg(feature = "algebra")]
pub mod algebra;
#[cfg(feature = "interop")]
#[doc(inline)]
pub use xlayout_interop as interop;
#[cfg(feature = "sharding")]
#[doc(inline)]
pub use xlayout_sharding as sharding;
#[cfg(feature = "xla")]
#[doc(inline)]
pub use xlayout_xla as xla;

#[doc = include_str!("coming_from.md")]
pub mod coming_from {}

/// What nearly every program needs: `use xlayout::prelude::*;`.
///
/// ```
/// use xlayout::prelude::*;
///
/// fn sum(a: &ArrayRef<f32, impl Rank<2>>) -> f32 {
///     a.iter().sum()
/// }
/// fn main() -> Result<(), LayoutError> {
///     let columns = SliceView::new(layout!(f32[2,2]{0,1}), &[1.0, 2.0, 3.0, 4.0][..])?;
///     assert_eq!(sum(&columns), 10.0);
///     Ok(())
/// }
/// ```
pub mod prelude {
    #[cfg(feature = "alloc")]
    #[doc(no_inline)]
    pub use crate::Array;
    #[doc(no_inline)]
    pub use crate::{
        ArrayLayout, ArrayRef, ConstLayout, DynLayout, LayoutError, Rank, SliceView, SliceViewMut,
        index, layout, specialize, types::nat,
    };
}

/// The iterators that methods of layouts and arrays return, over indices, elements and parts.
pub mod iter {
    #[doc(inline)]
    pub use xlayout_core::{
        Chunks, ChunksMut, Elements, ElementsMut, Indices, IndicesInMemory, Lines, LinesMut,
        PaddingRanges, TileViews, TileViewsMut,
    };
}

/// What an array has for memory: the first parameter of [`ArrayBase`].
pub mod storage {
    #[cfg(feature = "alloc")]
    #[doc(inline)]
    pub use xlayout_core::Owned;
    #[doc(inline)]
    pub use xlayout_core::{
        Borrowed, PartItems, PartItemsMut, SliceStorage, SliceStorageMut, Storage, StorageMut,
    };
}

/// The layouts of parts and of tiles of arrays.
pub mod part {
    #[doc(inline)]
    pub use xlayout_core::{
        BlockLayout, BroadcastLayout, RegionLayout, TileBy, TileView, TileViewMut,
    };
}

#[doc(inline)]
pub use xlayout_core::bitcast;

/// XLA's shapes and layouts as values: what an [`ArrayShape`] and a [`Layout`] consist of, their
/// text and its errors, and the table of modes that a layout is lowered to. What the variants of an
/// [`ErrorKind`](shape::ErrorKind) hold is in the crate `xlayout-shape`.
pub mod shape {
    #[doc(inline)]
    pub use xlayout_core::error::{Attribute, Explain};
    #[doc(inline)]
    pub use xlayout_core::{
        ArrayShape, Dim, Dims, ElementType, ErrorKind, INLINE_RANK, Layout, List, MajorToMinor,
        MinorToMajor, Mode, NotLowered, PaddingValue, ParseError, SplitConfig, SplitConfigs, Term,
        TileDim, Tiles,
    };
    #[cfg(all(feature = "alloc", any(feature = "xla", feature = "sharding")))]
    #[cfg_attr(docsrs, doc(cfg(any(feature = "xla", feature = "sharding"))))]
    #[doc(inline)]
    pub use xlayout_core::{Shape, ShapeIndex};

    /// XLA's text of an array, read by given rules.
    ///
    /// `parse` reads one array by the usual rules: `"f32[2,3]{0,1}".parse::<ArrayShape>()`.
    pub mod text {
        #[cfg(all(feature = "alloc", any(feature = "xla", feature = "sharding")))]
        #[cfg_attr(docsrs, doc(cfg(any(feature = "xla", feature = "sharding"))))]
        pub use xlayout_core::text::{MAX_DEPTH, read_shape_prefix};
        pub use xlayout_core::text::{Notation, Rules, read_array};
    }
}

/// Layouts known at compile time, in whole or in part, as types: what [`layout!`] writes.
///
/// A [`StaticLayout`](enum@types::StaticLayout) or [`MixedLayout`](struct@types::MixedLayout) has
/// four parameters: the element type, the dimensions, the minor_to_major list and the attributes.
/// The compiler's messages show them. `layout!(bf16[16,256]{1,0:T(8,128)})` is
/// `StaticLayout<bf16, (Nat<16>, Nat<256>), MinorToMajor<(Nat<1>, Nat<0>)>, (Tile<(Nat<8>,
/// Nat<128>)>,)>`.
///
/// | in a message | in `layout!` |
/// |---|---|
/// | `Nat<8>` | `8`, or a constant or parameter with this value |
/// | `Num<Typenum<U8>>` | `type U8`, a number of typenum |
/// | `AtMost<8>` | `<=8` |
/// | `RunTime`, `Named<'M'>` | `?`, `?M` |
/// | `Tile<(Nat<8>, Star)>` | `T(8,*)` |
/// | `TailAlign<64>`, `ElementWidth<4>`, `MemSpace<1>`, `MetadataBytes<8>` | `L(64)`, `E(4)`, `S(1)`, `M(8)` |
/// | `SplitDim<0, (At<30>, At<60>)>` | `SC(0:30,60)` |
/// | `Padded<(Nat<3>, Nat<5>)>` | `padded_dimensions = [3, 5]` |
/// | `Fill<Zero>`, and `One`, `Lowest`, `Highest`, `Unknown` | `padding_value = zero`, … |
pub mod types {
    // What only `layout!` writes, and the bounds of it: the table above says what it means.
    #[doc(inline)]
    pub use xlayout_core::types::nat;
    #[doc(hidden)]
    pub use xlayout_core::types::*;
    pub use xlayout_core::types::{
        MinorToMajor, MixedLayout, Nat, NotSlice, Permuted, Rearrange, SliceDimension, SliceLayout,
        Sliced, StaticLayout, WithUnit, WithoutUnit,
    };
    #[cfg(feature = "sharding")]
    pub use xlayout_sharding::types::*;
    #[cfg(feature = "typenum")]
    #[doc(hidden)]
    pub use xlayout_typenum::Typenum;
    #[cfg(feature = "typenum")]
    #[doc(inline)]
    pub use xlayout_typenum::{TypeNumbers, TypeStrides};
}

/// A layout, as a type and as a value.
///
/// It takes XLA's text of an array, and some notations of this crate. All of these are one type:
///
/// ```
/// use xlayout::layout;
///
/// let mut a: layout!(f32[2,3]{0,1}) = layout!(f32[2,3]{0,1});
/// a = layout!(f32[2,3] <0,1>); // the numbers go from minor to major in both
/// a = layout!(f32[2,3] <0,1>, padded_dimensions = [2, 3]); // padding to the size itself is none
/// # let _ = a;
/// ```
///
/// | written | means |
/// |---|---|
/// | `f32[2,3]` | row-major, as `{1,0}` |
/// | `f32[2,3]{0,1}` or `f32[2,3] <0,1>` | dimension 0 varies fastest |
/// | `f32[2,3]{1,0:T(8,128)(2,1)L(64)E(32)S(1)SC(0:1)M(8)}` | tiles, tail padding alignment, element size, memory space, splits, metadata: what XLA prints |
/// | `f32[2,3] <0,1>, padded_dimensions = [3, 5], padding_value = zero` | padding, which XLA's text does not have |
/// | `f32[M, crate::K]`, `f32[{ N * 2 }, 3]` | constants, parameters `const M: usize`, expressions |
/// | `f32[U2, type N]` | numbers of typenum: by their names, or any `N: Unsigned` (feature `typenum`, on by default) |
/// | `f32[<=8, 3]` | the size of dimension 0 changes, and is at most 8; 8 are allocated |
/// | `f32[?, 3]` | a value of the type holds the size of dimension 0 |
/// | `f32[?M, ?_]` | the same, with names of up to 32 letters, which belong to the type: sizes of one name are equal, and `?_` is any size; [`renamed`](SliceView::renamed) gives other names |
/// | `f32[?H, 2*?H]`, `f32[?H - ?K + 1]` | sums of named sizes and numbers, of up to 32 letters without `?`: a call of a kernel (crate `xlayout-kernel`) computes and compares them; elsewhere a sum is a name |
/// | `f32[8,4], sharding = {devices=[2,1]<=[2]}` | a sharded array, see [below](#sharded-arrays) |
///
/// # In types, expressions and patterns
/// The expansion is one path. With a `?` the value is a function from the sizes:
///
/// ```
/// use xlayout::{ArrayLayout, layout};
///
/// fn bytes<const M: usize>(layout: layout!(f32[M,3]{1,0})) -> usize {
///     layout.bytes()
/// }
/// assert_eq!(bytes(layout!(f32[4,3])), 48);
///
/// let rows: layout!(f32[?,3]) = layout!(f32[?,3])([4, 3])?;
/// assert_eq!(rows.bytes(), 48);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # As an item
/// An alias of a type is not a value, so declarations give each type a constant of the same name
/// (without one where there is a `?` or a parameter). Editors and rustdoc show of a name, below the
/// documentation that is written, the text of the layout, its sizes, and where its elements are:
///
/// ```
/// use xlayout::{ArrayLayout, layout};
///
/// layout! {
///     /// What the device returns.
///     pub type Result = f32[8,128]{1,0:T(8,128)};
///     type Rows<const N: usize> = f32[N,128];
/// }
/// assert_eq!(Result.bytes(), 4096);
/// assert_eq!(<Result>::BUFFER_LEN, Rows::<8>::BUFFER_LEN);
/// ```
///
/// # Sharded arrays
/// The option `sharding` takes XLA's text of a sharding. It is checked against the layout: one
/// number for each dimension (and subgroup), each device once. The type is a `types::Sharded`. Its
/// associated types are the layout of the whole array and that of the buffer on each device, and it
/// computes which part of the array a device holds. If the number of parts does not divide a
/// dimension, XLA pads: the size of the buffer is the quotient rounded up, and the last parts have
/// fewer elements.
///
#[cfg_attr(feature = "sharding", doc = "```")]
#[cfg_attr(not(feature = "sharding"), doc = "```ignore")]
/// use xlayout::types::ShardedLayout;
/// use xlayout::{ConstLayout, layout};
///
/// type Weights = layout!(f32[1000,512]{1,0}, sharding = {devices=[3,2]<=[6]});
/// type OnDevice = <Weights as ShardedLayout>::PerDevice; // layout!(f32[334,256]{1,0})
/// assert_eq!(OnDevice::SIZES, [334, 256]);
/// assert_eq!(Weights::NUM_DEVICES, Some(6));
/// assert_eq!(const { Weights::index_range(5) }, Some([668..1000, 256..512]));
/// ```
///
/// The size of a divided dimension is a number. Other sizes may be constants, parameters or `?`.
/// This needs the feature `sharding`.
///
/// # Errors
/// All errors are reported, each at its tokens. The messages are those of the run-time reader. The
/// [book](https://github.com/xlayout/xlayout/blob/main/book/src/errors.md) lists them.
#[macro_export]
macro_rules! layout {
    ($($tokens:tt)*) => {
        $crate::__private::layout_impl! { [$crate] $($tokens)* }
    };
}

/// Matches a run-time layout against layouts known at compile time. It runs the body of the first
/// arm that has the same memory map, or of the last arm, `_`. In the body the type of the layout is
/// known.
///
/// The value is a variable, or gets a name: `specialize!(x = expression, { … })`. It is a layout or
/// a view. In each arm the name is the same layout or view, with the type of the arm; of an array
/// to write `specialize!(mut x = x.as_view_mut(), { … })` gives views to write. An arm is the text
/// that [`layout!`] takes, several of them separated by `|`, or the name of a declared layout. An
/// arm that an earlier one covers is an error: one with the same memory map, or with a `?` for its
/// sizes. The macro does not know what a declared layout is, so it compares only its name.
///
/// ```
/// use xlayout::{DynLayout, ArrayLayout, layout, specialize};
///
/// fn bytes(layout: &DynLayout) -> usize {
///     specialize!(layout, {
///         f32[2,3]{1,0} | f32[2,3]{0,1} => const { <layout!(f32[2,3])>::BYTES },
///         f32[?,3]{1,0} => layout.bytes(),
///         _ => layout.bytes(),
///     })
/// }
/// assert_eq!(bytes(&"f32[2,3]{0,1}".parse()?), 24);
/// assert_eq!(bytes(&"f32[7,3]".parse()?), 84);
/// assert_eq!(bytes(&"u8[7]".parse()?), 7);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// What an arm saves: over tiles, an access by index takes a 20th of the time that it takes where
/// only the run time knows them. [`DynLayout`](struct@DynLayout#speed-over-tiles) has the figures,
/// also of iteration.
#[macro_export]
macro_rules! specialize {
    ($($tokens:tt)*) => {
        $crate::__private::specialize_impl! { [$crate] $($tokens)* }
    };
}

/// An [`Index`] of constant coordinates, which compiles if they are in bounds. In a function that
/// is generic over the layout the sizes are compared when code is generated: by `cargo build`, not
/// by `cargo check`.
///
/// ```
/// use xlayout::{index, layout};
///
/// type A = layout!(f32[2,3]{0,1});
/// assert_eq!(index!(A[1, 2]).linear().get(), 5);
/// ```
///
/// ```compile_fail
/// # use xlayout::{index, layout};
/// # type A = layout!(f32[2,3]{0,1});
/// let beyond = index!(A[2, 2]);
/// ```
///
/// The type is a name that begins with a capital letter, or any other type:
/// `index!(a::B<3>[1, 2])`.
///
/// `cargo build` and `cargo test` check the bounds, when they generate code; `cargo check` does
/// not. In a constant, `cargo check` checks them, too:
///
/// ```
/// # use xlayout::{Index, index, layout};
/// # type A = layout!(f32[2,3]{0,1});
/// const LAST: Index<A> = index!(A[1, 2]);
/// assert_eq!(LAST.linear().get(), 5);
/// ```
#[macro_export]
macro_rules! index {
    ([$($coordinate:tt)*] $($rest:tt)*) => {
        ::core::compile_error! {
            "an index belongs to a layout, and none is given\n\
             help: write its type before the coordinates: `index!(A[1, 2])`"
        }
    };
    ($first:literal $($rest:tt)*) => {
        $crate::index! { [$first $($rest)*] }
    };
    ($layout:ident [$($first:tt)*] [$($second:tt)*]) => {
        $crate::index! { $layout () }
    };
    ($layout:ident ($($coordinate:tt)*)) => {
        ::core::compile_error! {
            "write the coordinates of an index in one pair of square brackets\n\
             help: write `index!(A[1, 2])`, with the type of the layout before them"
        }
    };
    ($element_type:ident [$($size:tt)*] $($rest:tt)+) => {
        ::core::compile_error! {
            "`index!` takes the name of a layout's type, not the text of a layout\n\
             help: declare `type A = layout!(f32[2,3]);` and write `index!(A[1, 2])`"
        }
    };
    ($layout:ident [$($coordinate:expr),* $(,)?]) => {
        $crate::__private::index_impl! { [$crate] $layout [$($coordinate),*] }
    };
    ($layout:ty [$($coordinate:expr),* $(,)?]) => {
        const { $crate::Index::<$layout>::at([$($coordinate),*]) }
    };
    ($layout:ty $(, $($rest:tt)*)?) => {
        ::core::compile_error! {
            "there are no coordinates in brackets\n\
             help: write them after the type of the layout: `index!(A[1, 2])`"
        }
    };
}

/// The macros expand to these names. Not public: they may change in any version.
#[doc(hidden)]
pub mod __private {
    pub use xlayout_core::__private::{SpecializeInto, WithSizes};
    #[cfg(feature = "typenum")]
    pub use xlayout_typenum::typenum;
    // Flat: each use of a macro names some of these, and the compiler resolves each part of a path.
    pub use crate::types::*;
    pub use xlayout_core::__private::{dtype::*, short_names::*};
    pub use xlayout_macros::{index_impl, layout_impl, specialize_impl};

    mod poison {
        /// What a layout with mistakes in it becomes, once as a type and once as a value. Its
        /// argument is a block that reports them, so it never has a value and the type is
        /// erroneous, of which the compiler says nothing more.
        #[derive(Debug)]
        pub enum Poison<const REPORTED: usize> {
            /// The value.
            Poison,
        }
    }
    pub use poison::Poison::{self, *};
}

/// The code in README runs.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
