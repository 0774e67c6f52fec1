//! Element types as Rust types: the names of XLA, and what carries their values.

mod values;

use core::fmt;
use core::hash::Hash;

use crate::ElementType;

/// A type that represents one of XLA's element types in the type of a layout.
///
/// The types in [`dtype`] are the only ones, and have XLA's names.
///
/// ```
/// use xlayout_core::{dtype::{self, DType}, ElementType};
/// assert_eq!(<dtype::bf16 as DType>::TYPE, ElementType::Bf16);
/// let element: <dtype::s8 as DType>::RustType = -3_i8;
/// # let _ = element;
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not one of XLA's element types",
    note = "the types in `xlayout::dtype` are: `f32`, `bf16`, `s8`, `pred`, …"
)]
pub trait DType: sealed::Sealed + Copy + Send + Sync + 'static {
    /// The element type that this represents.
    const TYPE: ElementType;
    /// The Rust type that holds it: Rust's own type of that kind, else [`Raw`](crate::Raw).
    /// Features do not change it.
    type RustType: Element<Type = Self>;
}

/// A Rust type that holds one element of an array: `f32`, `i8`, `bool`, …
///
/// With the features of the same names also `half::f16` and `half::bf16`, `float8::F8E4M3`
/// (f8e4m3fn) and `float8::F8E5M2`, `num_complex::Complex<f32>` and `Complex<f64>`. Types narrower
/// than a byte are carried by [`Packed`](crate::Packed).
///
/// ```
/// use xlayout_core::{dtype::{self, DType}, Element, ElementType};
/// fn largest<T: Element + PartialOrd>(values: &[T]) -> T {
///     values.iter().fold(T::LOWEST, |a, &b| if b > a { b } else { a })
/// }
/// assert_eq!(largest(&[-3_i8, -7]), -3);
/// assert_eq!(<i8 as Element>::Type::TYPE, ElementType::S8);
/// assert_eq!(dtype::bf16::TYPE, ElementType::Bf16);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` carries none of XLA's element types",
    label = "no element type of XLA, or one whose feature is off",
    note = "rows become an array by `Array::from_nested(layout, rows)?`; they are read in place by \
            `SliceView::new(layout, rows.as_flattened())?`",
    note = "for `half::bf16` and `half::f16` write `features = [\"half\"]` at xlayout in \
            Cargo.toml, for 8-bit floats `float8`, for complex numbers `num-complex`; the versions \
            of these crates must be the same as xlayout's",
    note = "`f32`, `f64`, `bool` (pred), `i8` … `i64` (s8 … s64) and `u8` … `u64` need no feature",
    note = "an array of packed elements is made by `Array::<Packed, _>::zeros(layout)?` or \
            `Array::packed_from_fn(layout, |at| …)?`"
)]
pub trait Element: sealed::Sealed + Copy + Send + Sync + 'static {
    /// The element type that this carries.
    type Type: DType + StoredAs<Self>;
    /// The value 0 (`padding_value = zero`).
    const ZERO: Self;
    /// The value 1 (`padding_value = one`).
    const ONE: Self;
    /// The lowest value: the most negative one, negative infinity where there is one.
    const LOWEST: Self;
    /// The highest value, infinity where there is one.
    const HIGHEST: Self;
    /// Whether every bit pattern is a value, so that bytes may be viewed as elements.
    const ANY_BITS: bool = true;

    /// The element with its bytes in reversed sequence; of a complex number, with each of the two
    /// numbers reversed.
    #[must_use]
    fn swap_bytes(self) -> Self;

    /// The element whose big-endian bytes were read in the byte order of this machine.
    ///
    /// `SliceView::from_bytes` reads elements as they lie in memory: in the byte order of this
    /// machine, on nearly all little-endian. This function corrects the elements of a big-endian
    /// buffer. It also makes big-endian elements of an array to be written. Elements packed into
    /// bytes have no byte order.
    ///
    /// ```
    /// use xlayout_core::{DynLayout, Element, SliceView};
    ///
    /// #[repr(align(4))]
    /// struct File([u8; 8]);
    /// let file = File([0x3f, 0x80, 0, 0, 0xc0, 0, 0, 0]); // 1.0 and -2.0, big-endian
    /// let layout: DynLayout = "f32[2]".parse()?;
    /// let array = SliceView::<f32, _>::from_bytes(&layout, &file.0)?.map(|&x| f32::from_be(x))?;
    /// assert_eq!(array.memory(), [1.0, -2.0]);
    /// # Ok::<(), xlayout_core::LayoutError>(())
    /// ```
    #[must_use]
    fn from_be(read: Self) -> Self {
        if cfg!(target_endian = "big") {
            read
        } else {
            read.swap_bytes()
        }
    }
}

/// The element type of a layout that is known at run time only. A view compares it with the type of
/// its elements when it is made.
///
/// ```
/// use xlayout_core::{DynLayout, SliceView};
/// let layout: DynLayout = "f32[2]".parse()?; // an `ArrayLayout<Type = AnyType>`
/// assert!(SliceView::new(&layout, &[1.0_f32, 2.0][..]).is_ok());
/// assert!(SliceView::new(&layout, &[1_i32, 2][..]).is_err());
/// # Ok::<(), xlayout_core::LayoutError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AnyType {}

/// The element types of layouts whose elements can be stored as the Rust type `T`. [`AnyType`] is
/// one: for such a layout the type is checked at run time. The trait is sealed.
#[diagnostic::on_unimplemented(
    message = "the array's elements are `{Self}`, which a slice of `{T}` does not hold",
    label = "expected a slice of another element type",
    note = "where the layout is a type parameter `L`, the function says which elements it has: \
            `where L::Type: StoredAs<f32>`",
    note = "bf16 and f16 are held by `half::bf16` and `half::f16` with the feature `half` of \
            xlayout, 8-bit floats with `float8`, complex numbers with `num-complex`; without a \
            feature, by `Raw`",
    note = "elements that are packed into bytes, as with `E(4)`, are read by \
            `SliceView::packed(layout, bytes)` and written by `SliceViewMut::packed(layout, bytes)`"
)]
pub trait StoredAs<T>: sealed::CanStore<T> {}

#[diagnostic::do_not_recommend]
impl<T: Element> StoredAs<T> for AnyType {}
// An element type that is Rust's own is stored as itself, another one as `Raw`, and with features
// as the type of another crate. Where one of these fits only, the compiler infers it from the
// layout, as in `Array::zeros(layout)`.
#[diagnostic::do_not_recommend]
impl<T: Element<Type = T> + DType> StoredAs<T> for T {}
#[diagnostic::do_not_recommend]
impl<D: RawBits> StoredAs<Raw<D>> for D {}

pub(crate) mod sealed {
    pub trait Sealed {}
    /// What seals `StoredAs`. It has the parameter, too: a crate may implement a trait of another
    /// for a type that is not its own when the parameter is.
    #[diagnostic::on_unimplemented(
        message = "`{T}` cannot carry the elements of a layout",
        label = "only xlayout implements this trait",
        note = "the types that carry elements implement `Element`; `Raw` carries the \
                bits of the others"
    )]
    pub trait CanStore<T> {}
    #[diagnostic::do_not_recommend]
    impl<T: super::Element> CanStore<T> for super::AnyType {}
    #[diagnostic::do_not_recommend]
    impl<T: super::Element<Type = T> + super::DType> CanStore<T> for T {}
    #[diagnostic::do_not_recommend]
    impl<D: super::RawBits> CanStore<super::Raw<D>> for D {}

    /// An element type of 1, 2 or 4 bits. `pred` is not one, so that
    /// `Array::zeros(layout!(pred[3]))` is an array of `bool`; packed ones are made of bytes and by
    /// functions.
    pub trait Narrow: super::DType {}

    macro_rules! narrow {
        ($($name:ident)*) => { $(impl Narrow for super::dtype::$name {})* };
    }
    narrow!(s1 s2 s4 u1 u2 u4 f4e2m1fn);
}

macro_rules! elements {
    (
        elements { $($(#[$doc:meta])* $variant:ident = $number:literal, $name:ident, $($text:tt),*; $memory:tt $libraries:tt)* }
        others $others:tt
    ) => {
        $(element! { $variant $name $memory })*

        /// XLA's element types by XLA's names, for the types of layouts: `dtype::bf16`,
        /// `dtype::s32`.
        ///
        /// Where Rust has the type, this is Rust's own (`s32` is `i32`, `pred` is `bool`).
        ///
        /// Code that is generic over them uses [`DType`](dtype::DType), the trait of these types,
        /// [`StoredAs`](dtype::StoredAs), which says what Rust type holds them, and
        /// [`AnyType`](dtype::AnyType), which stands for them where only the run time knows the
        /// type.
        pub mod dtype {
            pub use super::{AnyType, DType, StoredAs};
            $(marker! { $variant $name $memory })*
        }
    };
}

macro_rules! marker {
    ($variant:ident $name:ident { own $rust:ident $($rest:tt)* }) => {
        pub use core::primitive::$rust as $name;
    };
    ($variant:ident $name:ident { raw $($rest:tt)* }) => {
        #[doc = concat!("The element type `", stringify!($name), "`.")]
        #[derive(Clone, Copy, Debug, PartialEq)]
        pub enum $name {}
        impl super::sealed::Sealed for $name {}
        impl super::DType for $name {
            const TYPE: crate::ElementType = crate::ElementType::$variant;
            type RustType = super::Raw<Self>;
        }
    };
}

macro_rules! element {
    (
        $variant:ident $name:ident
        { own $rust:ident, $bits:ident, [$zero:expr, $one:expr, $low:expr, $high:expr], $any_bits:literal }
    ) => {
        impl sealed::Sealed for $rust {}
        impl DType for $rust {
            const TYPE: ElementType = ElementType::$variant;
            type RustType = Self;
        }
        impl Element for $rust {
            type Type = $rust;
            const ZERO: Self = $zero;
            const ONE: Self = $one;
            const LOWEST: Self = $low;
            const HIGHEST: Self = $high;
            const ANY_BITS: bool = $any_bits;
            #[inline]
            fn swap_bytes(self) -> Self {
                swapped!($rust self)
            }
        }
    };
    (
        $variant:ident $name:ident
        {
            raw $raw:ty, $bits:ident, [$zero:expr, $one:expr, $low:expr, $high:expr]
            $(or $feature:literal {$foreign:ty} {$from_bits:expr} {$to_bits:expr})?
        }
    ) => {
        impl RawBits for dtype::$name {
            type Bits = $raw;
            const ZERO: $raw = $zero;
            const ONE: $raw = $one;
            const LOWEST: $raw = $low;
            const HIGHEST: $raw = $high;
        }
        // The type of another crate, which the feature of that crate's name turns on.
        $(
            #[cfg(feature = $feature)]
            impl sealed::Sealed for $foreign {}
            #[cfg(feature = $feature)]
            impl Element for $foreign {
                type Type = dtype::$name;
                const ZERO: Self = $from_bits($zero);
                const ONE: Self = $from_bits($one);
                const LOWEST: Self = $from_bits($low);
                const HIGHEST: Self = $from_bits($high);
                #[inline]
                fn swap_bytes(self) -> Self {
                    let raw = Raw::<Self::Type>::from_bits(($to_bits)(self));
                    $from_bits(raw.swap_bytes().to_bits())
                }
            }
            #[cfg(feature = $feature)]
            impl sealed::CanStore<$foreign> for dtype::$name {}
            #[cfg(feature = $feature)]
            #[diagnostic::do_not_recommend]
            impl StoredAs<$foreign> for dtype::$name {}
        )?
    };
}

macro_rules! swapped {
    (bool $value:ident) => {
        $value
    };
    ($rust:ident $value:ident) => {
        $rust::from_be_bytes($value.to_le_bytes())
    };
}

xlayout_shape::for_each_element_type! { elements }

#[cfg(feature = "num-complex")]
const fn complex_f32([re, im]: [u32; 2]) -> num_complex::Complex<f32> {
    num_complex::Complex::new(f32::from_bits(re), f32::from_bits(im))
}

#[cfg(feature = "num-complex")]
const fn bits_of_complex_f32(number: num_complex::Complex<f32>) -> [u32; 2] {
    [number.re.to_bits(), number.im.to_bits()]
}

#[cfg(feature = "num-complex")]
const fn bits_of_complex_f64(number: num_complex::Complex<f64>) -> [u64; 2] {
    [number.re.to_bits(), number.im.to_bits()]
}

#[cfg(feature = "num-complex")]
const fn complex_f64([re, im]: [u64; 2]) -> num_complex::Complex<f64> {
    num_complex::Complex::new(f64::from_bits(re), f64::from_bits(im))
}

/// One element as its bits: it carries any of XLA's element types that is not a type of Rust's own,
/// and needs no other crate.
///
/// A bf16 or an f16 is computed with as an `f32`: `+`, `-`, `*` and `/` give one, as
/// [`to_f32`](Self::to_f32) does, and [`from_f32`](Self::from_f32) rounds it. `i8::from` gives the
/// value of an s4, s2 or s1, `u8::from` that of a u4, u2 or u1. With the feature `half`, arrays
/// have elements `half::bf16` and `half::f16`.
///
/// Two are equal when their bits are. Types narrower than a byte lie in the low bits of one; a
/// layout that packs them (`E(4)`) is accessed through [`Packed`](crate::Packed) instead.
///
/// ```
/// use xlayout_core::{Array, DynLayout, Element, Raw, dtype};
///
/// type Bf16 = Raw<dtype::bf16>;
/// assert_eq!((Bf16::ONE.to_bits(), Bf16::ONE.to_f32()), (0x3f80, 1.0));
/// let layout: DynLayout = "bf16[2,3]{0,1}".parse().unwrap();
/// let mut array = Array::from_fn(layout, |at| Bf16::from_f32(at[1] as f32)).unwrap();
/// array.for_each_in_memory_mut(|_, x| *x = Bf16::from_f32(*x * 0.5));
/// assert_eq!(f32::from(array[[1, 2]]), 1.0);
/// ```
#[repr(transparent)]
pub struct Raw<D: RawBits>(D::Bits);

/// An element type that [`Raw`] carries: all but those that Rust has a type for.
#[diagnostic::on_unimplemented(
    message = "`Raw` does not carry `{Self}`",
    note = "an element type that is a type of Rust's is carried by it: `f32`, `i8` (s8), \
            `bool` (pred), …"
)]
pub trait RawBits: DType {
    /// An unsigned integer as wide as an element, or the two parts of a complex number.
    type Bits: Bits + Copy + Eq + Hash + fmt::Debug + Send + Sync + 'static;
    #[doc(hidden)]
    const ZERO: Self::Bits;
    #[doc(hidden)]
    const ONE: Self::Bits;
    #[doc(hidden)]
    const LOWEST: Self::Bits;
    #[doc(hidden)]
    const HIGHEST: Self::Bits;
}

impl<D: RawBits> Raw<D> {
    /// The element with these bits.
    #[inline(always)]
    pub const fn from_bits(bits: D::Bits) -> Self {
        Self(bits)
    }

    /// The bits of the element.
    #[inline(always)]
    pub const fn to_bits(self) -> D::Bits {
        self.0
    }
}

impl<D: RawBits> sealed::Sealed for Raw<D> {}

impl<D: RawBits> Element for Raw<D> {
    type Type = D;
    const ZERO: Self = Self(D::ZERO);
    const ONE: Self = Self(D::ONE);
    const LOWEST: Self = Self(D::LOWEST);
    const HIGHEST: Self = Self(D::HIGHEST);
    #[inline]
    fn swap_bytes(self) -> Self {
        Self(self.0.swap_bytes())
    }
}

/// The bits of an element, as one integer or two. Nothing outside can name it.
pub trait Bits {
    /// With the bytes of each integer in reversed sequence.
    fn swap_bytes(self) -> Self;
}

macro_rules! bits {
    ($($integer:ident)*) => {$(
        impl Bits for $integer {
            #[inline]
            fn swap_bytes(self) -> Self {
                $integer::swap_bytes(self)
            }
        }
    )*};
}
bits!(u8 u16 u32 u64);

impl<B: Bits> Bits for [B; 2] {
    #[inline]
    fn swap_bytes(self) -> Self {
        self.map(B::swap_bytes)
    }
}

crate::by_value! { [D: RawBits] Raw<D>: Copy Hash = |it| it.0 }

impl<D: RawBits> fmt::Debug for Raw<D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{:x?}", D::TYPE, self.0)
    }
}
