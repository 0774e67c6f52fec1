//! The attributes of a kernel: constants of a call, which are numbers ([`Scalar`]), slices of
//! numbers, texts and words ([`Word`]).
#![allow(unsafe_code)]

use core::ops::{Add, Deref, Div, Mul, Rem, Sub};

use xlayout_core::Element;

use crate::error::Error;
use crate::fault::Wrong;
use crate::frame::Attribute;
use crate::handler::Call;
use crate::kernel::{AttributeSpec, Form, Kernel, Kind};
use crate::number::{self, type_of};
use crate::parameter::{Parameter, sealed::Sealed};

/// A constant number of a call: an attribute, which XLA compiles into the program. A new value
/// compiles the call anew (28 ms, and a call with a known value takes 10 us). A number that changes
/// from call to call is `a: In<layout!(f32[])>` instead, which is read as `a[[]]`; a call passes a
/// number for it, too, and JAX can trace it.
///
/// The call passes an attribute by the parameter's name. A default value is
/// `a: Option<Scalar<f32>>` with `a.map_or(1.0, |a| *a)`.
///
/// It derefs to the number: `f32`, `i64`, `bool`, … ([`Number`]). On the left of `+`, `-`, `*`, `/`
/// and `%` it is the number; on the right it is written `*a`.
///
/// ```
/// use xlayout_kernel::Scalar;
/// fn double(a: Scalar<f32>) -> f32 {
///     2.0 * *a
/// }
/// assert_eq!(double(Scalar(1.5)), 3.0);
/// assert_eq!(Scalar(1.5) * 2.0, 3.0);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Scalar<T>(pub T);

macro_rules! deref {
    ($($name:ident)*) => {$(
        impl<T> Deref for $name<T> {
            type Target = T;
            #[inline(always)]
            fn deref(&self) -> &T {
                &self.0
            }
        }

        // For all types, so that a wrong type gets only one error of the compiler.
        impl<T> Sealed for $name<T> {}
    )*};
}
deref!(Scalar Word);

/// A text attribute that is one of a few words, converted to the value of the word.
///
/// It derefs to the value. Python passes the word, and shows its type as `Literal["max", "mean"]`.
/// Another word is an error that lists these.
///
/// ```
/// use xlayout_kernel::{Word, Words};
///
/// #[derive(Clone, Copy)]
/// enum Pooling {
///     Max,
///     Mean,
/// }
///
/// impl Words for Pooling {
///     const WORDS: &'static [(&'static str, Self)] = &[("max", Self::Max), ("mean", Self::Mean)];
/// }
///
/// fn pool(pooling: Word<Pooling>, x: &[f32]) -> f32 {
///     match *pooling {
///         Pooling::Max => x.iter().copied().fold(f32::MIN, f32::max),
///         Pooling::Mean => x.iter().sum::<f32>() / x.len() as f32,
///     }
/// }
/// assert_eq!(pool(Word(Pooling::Mean), &[1.0, 4.0]), 2.5);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Word<T>(pub T);

/// The values of a [`Word`], each with the word that a call passes for it.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no words that a call can pass",
    label = "no `Words`",
    note = "list them: `impl Words for {Self} {{ const WORDS: &'static [(&'static str, Self)] = \
            &[(\"max\", Self::Max)]; }}`; a number is a `Scalar`, other text is `&str`"
)]
pub trait Words: Copy + 'static {
    /// The words and their values. The documentation of [`Word`] has an example.
    const WORDS: &'static [(&'static str, Self)];
}

macro_rules! operators {
    ($($operator:ident $method:ident)*) => {$(
        impl<T: $operator<Output = T>> $operator<T> for Scalar<T> {
            type Output = T;
            #[inline(always)]
            fn $method(self, other: T) -> T {
                self.0.$method(other)
            }
        }
    )*};
}
operators!(Add add Sub sub Mul mul Div div Rem rem);

/// A number that XLA passes as an attribute: `bool`, `i8` to `i64`, `u8` to `u64`, `f32` and `f64`.
///
/// XLA itself refuses others (half-precision and complex numbers, numbers of 4 bits) before any
/// kernel is called. The trait is sealed, because [`Element`] is.
#[diagnostic::on_unimplemented(
    message = "XLA passes no number of type `{Self}` as an attribute",
    label = "no number that a call can pass",
    note = "it passes `bool`, `i8` to `i64`, `u8` to `u64`, `f32` and `f64`: take one of them, and \
            convert it in the kernel"
)]
pub trait Number: Element {}

/// A number of which XLA passes arrays as an attribute: a [`Number`], but no `bool`.
#[diagnostic::on_unimplemented(
    message = "XLA passes no array of `{Self}` as an attribute",
    label = "no array that a call can pass",
    note = "it passes arrays of `i8` to `i64`, `u8` to `u64`, `f32` and `f64`: take one of them; \
            an array of the call itself is an `In<layout!(…)>`"
)]
pub trait ArrayNumber: Number {}

macro_rules! numbers {
    ($($number:ident)*) => {$(
        impl Number for $number {}
        impl ArrayNumber for $number {}
    )*};
}
numbers!(i8 i16 i32 i64 u8 u16 u32 u64 f32 f64);
impl Number for bool {}

/// A type that an attribute may have.
#[diagnostic::on_unimplemented(
    message = "an attribute of a call cannot have the type `{Self}`",
    label = "no attribute",
    note = "a number is a `Scalar<f32>`, numbers are `&[i64]`, text is `&str`, one of a few words \
            is a `Word<…>`; an array (`In`, `Out`, `InOut`) is a parameter without `Option`, since \
            every call has it"
)]
pub trait AttributeType<'call>: Sealed + Sized {
    #[doc(hidden)]
    const FORM: Form;
    #[doc(hidden)]
    fn read(attribute: Attribute<'call>) -> Result<Self, Wrong>;
}

impl<T> Sealed for &[T] {}
impl Sealed for &str {}
impl<T: Sealed> Sealed for Option<T> {}

impl<'call, T: Number> AttributeType<'call> for Scalar<T> {
    const FORM: Form = Form::Scalar(type_of::<T>());

    #[inline(always)]
    fn read(attribute: Attribute<'call>) -> Result<Self, Wrong> {
        number::read(attribute).map(Self)
    }
}

impl<'call, T: ArrayNumber> AttributeType<'call> for &'call [T] {
    const FORM: Form = Form::Array(type_of::<T>());

    #[inline(always)]
    fn read(attribute: Attribute<'call>) -> Result<Self, Wrong> {
        number::read_array(attribute)
    }
}

impl<'call> AttributeType<'call> for &'call str {
    // Any text: there is no list of words.
    const FORM: Form = Form::String(Vec::new);

    #[inline(always)]
    fn read(attribute: Attribute<'call>) -> Result<Self, Wrong> {
        let string = attribute.string().ok_or(Wrong::Kind)?;
        let bytes = string.ok_or(Wrong::NoValue)?;
        core::str::from_utf8(bytes).map_err(|error| Wrong::NotUtf8 {
            at: error.valid_up_to(),
        })
    }
}

/// The compiler shows where this is called, not the standard library's macro.
#[track_caller]
const fn no_words() -> ! {
    panic!("`WORDS` has no words: write `(\"max\", Self::Max)` for each value")
}

impl<'call, T: Words> AttributeType<'call> for Word<T> {
    const FORM: Form = {
        if T::WORDS.is_empty() {
            no_words();
        }
        Form::String(|| T::WORDS.iter().map(|(word, _)| *word).collect())
    };

    #[inline(always)]
    fn read(attribute: Attribute<'call>) -> Result<Self, Wrong> {
        let found = <&str>::read(attribute)?;
        let entry = T::WORDS.iter().find(|(word, _)| *word == found);
        entry.map(|&(_, value)| Self(value)).ok_or(Wrong::NoWord)
    }
}

const fn attribute_kind(form: Form, optional: bool) -> Kind {
    Kind::Attribute(AttributeSpec { form, optional })
}

macro_rules! parameters {
    ($([$($generics:tt)*] $name:ty;)*) => {$(
        impl<'call, $($generics)*> Parameter<'call> for $name {
            const KIND: Kind = attribute_kind(<Self as AttributeType<'call>>::FORM, false);

            #[inline(always)]
            unsafe fn take(call: &Call<'call>, kernel: &'static Kernel, parameter: usize) -> Result<Self, Error> {
                match call.attribute(kernel, parameter)? {
                    Some(attribute) => Self::read(attribute),
                    None => Err(Wrong::Missing),
                }
                .map_err(|wrong| call.refuse(parameter, wrong))
            }
        }
    )*};
}
parameters! {
    [T: Number] Scalar<T>;
    [T: ArrayNumber] &'call [T];
    [] &'call str;
    [T: Words] Word<T>;
}

impl<'call, T: AttributeType<'call>> Parameter<'call> for Option<T> {
    const KIND: Kind = attribute_kind(T::FORM, true);

    #[inline(always)]
    unsafe fn take(
        call: &Call<'call>,
        kernel: &'static Kernel,
        parameter: usize,
    ) -> Result<Self, Error> {
        call.attribute(kernel, parameter)?
            .map(T::read)
            .transpose()
            .map_err(|wrong| call.refuse(parameter, wrong))
    }
}
