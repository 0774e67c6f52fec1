//! The pieces that the type of a layout is written with. `layout!` writes them; error messages of
//! the compiler print them, so they go by the words and letters of XLA's text.

use core::marker::PhantomData;

use xlayout_shape::error::Attribute as Known;

use super::sealed::Sealed;
use crate::const_text::stop;
use crate::coordinates::Coordinates as _;
use crate::dims::Dim;
use crate::layout::PaddingValue;
use crate::tile::TileDim;

/// The number `N`: a static dimension, a dimension number, an entry of a tile.
///
/// ```
/// use xlayout_core::ConstLayout;
/// use xlayout_core::types::{At, AtMost, ElementWidth, Fill, MetadataBytes, MinorToMajor};
/// use xlayout_core::types::{MixedLayout, Nat, Padded, RunTime, StaticLayout, TailAlign};
/// use xlayout_core::types::{MemSpace, SplitDim, Star, Tile, Zero};
/// use xlayout_core::dtype::s4;
///
/// // f32[<=16,256]{1,0:T(8,128)L(4096)S(1)SC(0:8)M(8)}
/// type Tiled = StaticLayout<
///     f32,
///     (AtMost<16>, Nat<256>),
///     MinorToMajor<(Nat<1>, Nat<0>)>,
///     (
///         Tile<(Nat<8>, Nat<128>)>,
///         TailAlign<4096>,
///         MemSpace<1>,
///         SplitDim<0, (At<8>,)>,
///         MetadataBytes<8>,
///     ),
/// >;
/// assert_eq!(Tiled::NEW.to_string(), "f32[<=16,256]{1,0:T(8,128)L(4096)S(1)SC(0:8)M(8)}");
/// // f32[?,3]{1,0}
/// type Rows = MixedLayout<f32, (RunTime, Nat<3>), MinorToMajor<(Nat<1>, Nat<0>)>, ()>;
/// assert_eq!(Rows::with_sizes([4, 3]).unwrap().to_string(), "f32[4,3]{1,0}");
/// // s4[2,4]{1,0:T(*,8)E(4)}, and f32[2]{0}, padded_dimensions = [3], padding_value = zero
/// type Attributes = (Tile<(Star, Nat<8>)>, ElementWidth<4>);
/// type Merged = StaticLayout<s4, (Nat<2>, Nat<4>), MinorToMajor<(Nat<1>, Nat<0>)>, Attributes>;
/// type Padding = (Padded<(Nat<3>,)>, Fill<Zero>);
/// type Pads = StaticLayout<f32, (Nat<2>,), MinorToMajor<(Nat<0>,)>, Padding>;
/// assert_eq!((Merged::BYTES, Pads::BYTES), (4, 12));
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Nat<const N: usize>;

/// Numbers that the compiler knows: `nat![8, 128]` is a value, and the type of that value.
///
/// A number is a literal, a constant or a parameter; another expression stands in braces.
///
/// ```
/// use xlayout_core::types::{Nat, nat};
/// let sizes: (Nat<8>, Nat<128>) = nat![8, 128];
/// let same: nat![8, 128] = nat![8, { 64 * 2 }];
/// # let _ = (sizes, same);
/// ```
#[macro_export]
macro_rules! nat {
    ($($number:tt),* $(,)?) => {
        ($($crate::types::Nat::<$number>,)*)
    };
}
#[doc(inline)]
pub use crate::nat;

/// `<=N`: a dimension whose size is known at run time only, and never above `N`.
pub struct AtMost<const N: usize>;

/// `?`: a dimension whose size is known at run time only.
pub struct RunTime;

/// A dimension given as a type that is a number: `Num<Typenum<U>>` for `layout!(f32[type U, 3])`.
pub struct Num<S>(PhantomData<fn() -> S>);

/// A type that is a number, of another crate. Open, because all that this crate reads of it is one
/// constant.
pub trait SizeType {
    /// The number.
    const SIZE: u128;
}

/// `*` in a tile: merge with the next more minor dimension.
pub struct Star;

/// A tile: `Tile<(Nat<8>, Nat<128>)>` is `T(8,128)`.
pub struct Tile<Entries>(PhantomData<fn() -> Entries>);
/// A split: `SC(dimension:indices)`.
pub struct SplitDim<const DIMENSION: i64, Indices>(PhantomData<fn() -> Indices>);
/// An index at which a split begins a new part.
pub struct At<const N: i64>;
/// The allocated width of each dimension: `padded_dimensions = […]`.
pub struct Padded<Widths>(PhantomData<fn() -> Widths>);
/// What lies in the padding: `padding_value = …`.
pub struct Fill<Value>(PhantomData<fn() -> Value>);
/// `padding_value = zero`
pub struct Zero;
/// `padding_value = one`
pub struct One;
/// `padding_value = lowest`
pub struct Lowest;
/// `padding_value = highest`
pub struct Highest;
/// `padding_value = unknown`
pub struct Unknown;

// Unchecked access relies on the tables that are made of these traits (the invariant `INSIDE` of
// `modes/inside.rs`). So each of them is sealed: their constants are consistent, and their
// functions answer the same every time.

/// One dimension of a layout's type. Sealed, because unchecked access relies on it.
pub trait Dimension: Sealed {
    /// The dimension.
    const DIM: Dim;
    /// Its size or its bound; 0 where only the run time knows.
    const SIZE: usize;
    /// The name of a size that only the run time knows: `M` for `?M`, `_` for `?_`, none for `?`.
    const NAME: Option<&'static str> = None;
    /// The same dimension without a name.
    type Unnamed: Dimension<Value = Self::Value>;
    /// What a value of the layout's type holds for it: nothing, or its size.
    type Value: Copy + Send + Sync + 'static;
    /// The size.
    fn size(value: Self::Value) -> usize;
    /// The value for a size, which is the type's where the type says one.
    fn hold(size: usize) -> Self::Value;
}

/// A dimension whose size the type knows.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no size that the compiler knows",
    label = "needs a size that is a type with a number: `Nat<8>`",
    note = "in a call write the sizes as numbers: `tiles(nat![8, 128])`, with \
            `use xlayout::types::nat`",
    note = "a number of typenum is written `Num<Typenum<U8>>`; `RunTime` and `Named<'M'>` are the \
            sizes `?` and `?M` of a layout, which only the run time knows"
)]
pub trait StaticDimension: Dimension<Value = ()> {
    /// The dimension as a value.
    const NEW: Self;
}

#[inline]
const fn signed(n: usize) -> i64 {
    if n as u64 > i64::MAX as u64 {
        stop("a dimension is above 2^63 - 1");
    }
    n as i64
}

#[inline]
const fn unsigned(n: i64) -> usize {
    if n < 0 || n as u64 > usize::MAX as u64 {
        stop("a number of a layout's type is negative, or above the largest `usize`");
    }
    n as usize
}

macro_rules! static_dimension {
    ([$($generics:tt)*] $name:ty, $new:expr, $dim:expr, $size:expr) => {
        impl<$($generics)*> Sealed for $name {}
        impl<$($generics)*> Dimension for $name {
            const DIM: Dim = $dim;
            const SIZE: usize = $size;
            type Unnamed = Self;
            type Value = ();
            #[inline(always)]
            fn size((): ()) -> usize {
                Self::SIZE
            }
            #[inline(always)]
            fn hold(_size: usize) {}
        }
        impl<$($generics)*> StaticDimension for $name {
            const NEW: Self = $new;
        }
    };
}

static_dimension!([const N: usize] Nat<N>, Self, Dim::Static(signed(N)), N);
static_dimension!([const N: usize] AtMost<N>, Self, Dim::Bounded(signed(N)), N);
static_dimension!([S: SizeType] Num<S>, Self(PhantomData), Dim::Static(signed(size_of_type::<S>())), size_of_type::<S>());

/// The size that a type says.
#[inline]
const fn size_of_type<S: SizeType>() -> usize {
    if S::SIZE > usize::MAX as u128 {
        stop("a number that is a type is above the largest `usize`");
    }
    S::SIZE as usize
}

/// A dimension whose size a value of the layout's type holds.
macro_rules! run_time_dimension {
    ([$($generics:tt)*] $dimension:ty, $name:expr) => {
        impl<$($generics)*> Sealed for $dimension {}
        impl<$($generics)*> Dimension for $dimension {
            const DIM: Dim = Dim::Unbounded;
            const SIZE: usize = 0;
            const NAME: Option<&'static str> = $name;
            type Unnamed = RunTime;
            type Value = usize;
            #[inline(always)]
            fn size(value: usize) -> usize {
                value
            }
            #[inline(always)]
            fn hold(size: usize) -> usize {
                size
            }
        }
    };
}
pub(super) use run_time_dimension;

run_time_dimension!([] RunTime, None);

/// A number in a list of a layout's type. Sealed, because unchecked access relies on it.
#[diagnostic::on_unimplemented(
    message = "the compiler does not know a number from `{Self}`",
    label = "expected a type with a number: `Nat<1>`",
    note = "in a call write the numbers as `permute(nat![1, 0])`, with `use xlayout::types::nat`"
)]
pub trait Number: Sealed {
    /// Its value.
    const N: i64;
}

impl<const N: usize> Number for Nat<N> {
    const N: i64 = signed(N);
}

impl<const N: usize> Number for AtMost<N> {
    const N: i64 = signed(N);
}

impl<S: SizeType> Number for Num<S> {
    const N: i64 = signed(size_of_type::<S>());
}

impl<const N: i64> Sealed for At<N> {}
impl<const N: i64> Number for At<N> {
    const N: i64 = N;
}

/// An entry of a tile. Sealed, because unchecked access relies on it.
pub trait TileEntry: Sealed {
    /// The entry.
    const ENTRY: TileDim;
}

impl<const N: usize> TileEntry for Nat<N> {
    const ENTRY: TileDim = TileDim::Size(signed(N));
}

impl Sealed for Star {}
impl TileEntry for Star {
    const ENTRY: TileDim = TileDim::Combine;
}

/// What may be behind the minor-to-major list.
#[derive(Clone, Copy)]
pub enum AttributeValue {
    /// `T(…)`
    TileSizes(&'static [TileDim]),
    /// `L(n)`, `E(n)`, `S(n)`, `M(n)`: an attribute with a number.
    Number(Known, i64),
    /// `SC(d:i,j)`
    Split(i64, &'static [i64]),
    /// `padded_dimensions = […]`
    Padded(&'static [i64]),
    /// `padding_value = …`
    Fill(PaddingValue),
}

/// An attribute of a layout's type. Sealed, because unchecked access relies on it.
pub trait Attribute: Sealed {
    /// The attribute.
    const VALUE: AttributeValue;
}

impl<Entries> Sealed for Tile<Entries> {}
impl<Entries: TileEntries> Attribute for Tile<Entries> {
    const VALUE: AttributeValue = AttributeValue::TileSizes(Entries::ENTRIES);
}
impl<const DIMENSION: i64, Indices> Sealed for SplitDim<DIMENSION, Indices> {}
impl<const DIMENSION: i64, Indices: NumberList> Attribute for SplitDim<DIMENSION, Indices> {
    const VALUE: AttributeValue = AttributeValue::Split(DIMENSION, Indices::LIST);
}
impl<Widths> Sealed for Padded<Widths> {}
impl<Widths: NumberList> Attribute for Padded<Widths> {
    const VALUE: AttributeValue = AttributeValue::Padded(Widths::LIST);
}

impl<Value> Sealed for Fill<Value> {}

macro_rules! fill {
    ($($value:ident)*) => {$(
        impl Attribute for Fill<$value> {
            const VALUE: AttributeValue = AttributeValue::Fill(PaddingValue::$value);
        }
    )*};
}
fill!(Zero One Lowest Highest Unknown);

/// The dimensions of a layout's type: a tuple. Sealed, because unchecked access relies on it.
pub trait Dimensions: Sealed {
    /// `[usize; N]`
    type Coordinates: crate::Coordinates + Copy + Send + Sync + 'static;
    /// What a value of the layout's type holds: the sizes that the type does not know.
    type Values: Copy + Send + Sync + 'static;
    /// The dimensions.
    const DIMS: &'static [Dim];
    /// Their sizes or bounds; 0 where only the run time knows.
    const SIZES: &'static [usize];
    /// The names of sizes that only the run time knows: see [`Dimension::NAME`].
    const NAMES: &'static [Option<&'static str>];
    /// The same dimensions without names.
    type Unnamed: Dimensions<Coordinates = Self::Coordinates, Values = Self::Values>;
    /// The same as coordinates.
    const SIZE_COORDINATES: Self::Coordinates;
    /// The sizes.
    fn sizes(values: Self::Values) -> Self::Coordinates;
    /// The values for these sizes, or the first dimension whose type says another size.
    ///
    /// # Errors
    /// The number of that dimension.
    #[inline]
    fn values(sizes: &Self::Coordinates) -> Result<Self::Values, usize> {
        for (dimension, (dim, size)) in Self::DIMS.iter().zip(Self::SIZES).enumerate() {
            if !matches!(dim, Dim::Unbounded) && sizes.coordinate(dimension) != *size {
                return Err(dimension);
            }
        }
        Ok(Self::hold(sizes))
    }
    /// The values for sizes, which are the type's where the type says them.
    fn hold(sizes: &Self::Coordinates) -> Self::Values;
}

/// Dimensions whose sizes the type knows, all of them.
#[diagnostic::on_unimplemented(
    message = "the compiler does not know sizes from `{Self}`",
    label = "expected sizes that are known at compile time",
    note = "write `nat![8, 128]` for them, with `use xlayout::types::nat`",
    note = "parts of sizes that only the run time knows: `array.chunks::<0>(rows)`, or one of them \
            `array.region([0, 0], [rows, columns])?`"
)]
pub trait StaticDimensions: Dimensions {
    /// The dimensions as a value.
    const NEW: Self;
}

/// A list of numbers: a tuple. Sealed, because unchecked access relies on it.
#[diagnostic::on_unimplemented(
    message = "the compiler does not know numbers from `{Self}`",
    label = "expected numbers that are known at compile time",
    note = "write `nat![1, 0]` for them, with `use xlayout::types::nat`"
)]
pub trait NumberList: Sealed {
    /// The numbers.
    const LIST: &'static [i64];
    /// The same as sizes.
    const SIZES: &'static [usize];
}

/// The entries of a tile: a tuple. Sealed, because unchecked access relies on it.
pub trait TileEntries: Sealed {
    /// The entries, major to minor.
    const ENTRIES: &'static [TileDim];
}

/// The attributes of a layout's type: a tuple. Sealed, because unchecked access relies on it.
pub trait Attributes: Sealed {
    /// The attributes.
    const LIST: &'static [AttributeValue];
}

// After the other implementations: the compiler lists types in this sequence, and its messages name
// a few.
mod tuples;

#[cfg(test)]
mod tests {
    use std::panic::catch_unwind;

    use super::{signed, unsigned};

    #[test]
    fn numbers_of_types_fit_or_stop_the_compiler() {
        for (n, fits) in [
            (0, true),
            (7, true),
            (usize::MAX / 2, true),
            (usize::MAX / 2 + 1, usize::BITS < 64),
        ] {
            assert_eq!(
                catch_unwind(|| signed(n)).ok(),
                fits.then_some(n as i64),
                "{n}"
            );
        }
        for (n, fits) in [
            (0, true),
            (7, true),
            (-1, false),
            (i64::MIN, false),
            (i64::MAX, usize::BITS > 63),
        ] {
            assert_eq!(
                catch_unwind(|| unsigned(n)).ok(),
                fits.then_some(n as usize),
                "{n}"
            );
        }
    }

    #[test]
    fn numbers_that_are_types_fit_or_stop_the_compiler() {
        use super::{SizeType, size_of_type};

        struct Power<const EXPONENT: u32>;
        impl<const EXPONENT: u32> SizeType for Power<EXPONENT> {
            const SIZE: u128 = 1 << EXPONENT;
        }
        assert_eq!(size_of_type::<Power<3>>(), 8);
        assert!(catch_unwind(size_of_type::<Power<100>>).is_err());
    }
}

macro_rules! numbers {
    ($($marker:ident<$generic:ty>, $variant:ident of $field:literal = $value:expr;)*) => {$(
        #[doc = concat!("The attribute `", $field, "`.")]
        pub struct $marker<const N: $generic>;
        impl<const N: $generic> Sealed for $marker<N> {}
        impl<const N: $generic> Attribute for $marker<N> {
            const VALUE: AttributeValue = AttributeValue::Number(Known::$variant, $value);
        }
    )*};
}

numbers! {
    TailAlign<usize>, TailAlignment of "tail_padding_alignment_in_elements" = signed(N);
    ElementWidth<usize>, ElementSize of "element_size_in_bits" = signed(N);
    MemSpace<i8>, MemorySpace of "memory_space" = N as i64;
    MetadataBytes<i64>, Metadata of "dynamic_shape_metadata_prefix_bytes" = N;
}
