//! XLA's element types: their numbers, names and widths.

/// What elements are: what functions ask about types in general.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Truth values.
    Truth,
    /// Signed integers.
    Signed,
    /// Unsigned integers.
    Unsigned,
    /// Floating-point numbers.
    Float,
    /// Complex numbers.
    Complex,
}

macro_rules! define {
    (
        elements { $(
            $(#[$doc:meta])*
            $variant:ident = $number:literal, $name:ident, $bits:literal, $kind:ident, [$($alias:literal),*];
            $memory:tt $libraries:tt
        )* }
        others { $($(#[$other_doc:meta])* $other:ident = $other_number:literal, $other_name:ident;)* }
    ) => {
        /// The type of an element, or the kind of a shape that has none (XLA: `PrimitiveType`).
        #[doc(alias = "PrimitiveType")]
        ///
        /// The discriminant is XLA's number.
        ///
        /// ```
        /// use xlayout_shape::ElementType;
        /// let bf16 = "bf16".parse::<ElementType>().unwrap();
        /// assert_eq!(bf16.number(), 16);
        /// assert_eq!(bf16.bits(), Some(16));
        /// assert!(bf16.is_array() && !bf16.is_integral());
        /// ```
        #[doc(alias = "primitive_util")]
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[repr(u8)]
        #[non_exhaustive]
        pub enum ElementType {
            $($(#[$doc])* $variant = $number,)*
            $($(#[$other_doc])* $other = $other_number,)*
        }

        /// Every type with its text name, in the sequence of the table.
        pub(crate) const NAMES: &[(ElementType, &str)] = &[
            $((ElementType::$variant, stringify!($name)),)*
            $((ElementType::$other, stringify!($other_name)),)*
        ];

        /// Names of other languages and libraries, in lower case and without underscores.
        pub(crate) const ALIASES: &[(&[&str], ElementType)] = &[$((&[$($alias),*], ElementType::$variant),)*];

        /// The row of a type: name, bits and kind.
        const fn row(element_type: ElementType) -> (&'static str, Option<(u32, Kind)>) {
            match element_type {
                $(ElementType::$variant => (stringify!($name), Some(($bits, Kind::$kind))),)*
                $(ElementType::$other => (stringify!($other_name), None),)*
            }
        }

        const fn from_number(number: i64) -> Option<ElementType> {
            match number {
                $($number => Some(ElementType::$variant),)*
                $($other_number => Some(ElementType::$other),)*
                _ => None,
            }
        }
    };
}
crate::for_each_element_type! { define }

impl ElementType {
    /// Every type, in the sequence of XLA's numbers.
    ///
    /// ```
    /// use xlayout_shape::ElementType;
    /// // Number, name and width of each, and back.
    /// for known in ElementType::all() {
    ///     assert_eq!(ElementType::from_number(known.number().into()), Some(known));
    ///     assert_eq!(known.bytes(), known.bits().map(|bits| bits.div_ceil(8)));
    /// }
    /// assert_eq!(ElementType::F8e4m3fn.name(), "f8e4m3fn");
    /// assert!("F32".parse::<ElementType>().is_err());
    /// assert_eq!(ElementType::from_number(0), None);
    /// ```
    pub fn all() -> impl Iterator<Item = Self> {
        (0..=u8::MAX).filter_map(|number| Self::from_number(number.into()))
    }

    /// XLA's number of the type, as in its protos and in XLA's FFI.
    #[must_use]
    #[inline]
    pub const fn number(self) -> u8 {
        self as u8
    }

    /// The type with this number; `None` for 0 (invalid) and for numbers that XLA does not use.
    #[must_use]
    #[inline]
    pub const fn from_number(number: i64) -> Option<Self> {
        from_number(number)
    }

    /// The name in XLA's text: `f32`, `s4`, `bf16`, `pred`, …
    ///
    /// Tuples and buffers are not written by name in a shape; theirs are XLA's words for them.
    #[doc(alias = "LowercasePrimitiveTypeName")]
    #[must_use]
    pub const fn name(self) -> &'static str {
        row(self).0
    }

    /// The type that XLA's text calls by this name. Names are lowercase; `tuple` and `buffer`
    /// are none, since a shape spells those with parentheses.
    pub(crate) fn from_name(name: &str) -> Option<Self> {
        let found = NAMES.iter().find(|row| row.1 == name)?.0;
        (!matches!(found, Self::Tuple | Self::Buffer)).then_some(found)
    }

    /// The width of one element in bits (XLA: `primitive_util::BitWidth`); `None` for what has
    /// no elements. `pred` has 1 bit, although it takes a byte unless it is packed.
    #[doc(alias = "BitWidth")]
    #[must_use]
    pub const fn bits(self) -> Option<u32> {
        match row(self).1 {
            Some((bits, _)) => Some(bits),
            None => None,
        }
    }

    /// What the elements are; `None` for what has no elements.
    #[doc(hidden)]
    #[must_use]
    #[inline]
    pub const fn kind(self) -> Option<Kind> {
        match row(self).1 {
            Some((_, kind)) => Some(kind),
            None => None,
        }
    }

    /// The bytes that one element takes when it is not packed
    /// (XLA: `primitive_util::ByteWidth`, `ShapeUtil::ByteSizeOfPrimitiveType`).
    #[doc(alias("ByteWidth", "ByteSizeOfPrimitiveType"))]
    #[must_use]
    pub const fn bytes(self) -> Option<u32> {
        match self.bits() {
            Some(bits) => Some(bits.div_ceil(8)),
            None => None,
        }
    }

    /// Whether arrays of this type exist (XLA: `primitive_util::IsArrayType`).
    ///
    /// ```
    /// use xlayout_shape::ElementType::{Pred, S4, Token, U8};
    /// // The questions about kinds:
    /// assert!(Pred.is_array() && !Token.is_array());
    /// assert!(S4.is_integral() && U8.is_integral());
    /// assert!(!Pred.is_integral());
    /// ```
    #[doc(alias = "IsArrayType")]
    #[must_use]
    pub const fn is_array(self) -> bool {
        self.bits().is_some()
    }

    /// Signed or unsigned integer, but not `pred` (XLA: `primitive_util::IsIntegralType`).
    #[doc(alias = "IsIntegralType")]
    #[must_use]
    #[inline]
    pub const fn is_integral(self) -> bool {
        matches!(self.kind(), Some(Kind::Signed | Kind::Unsigned))
    }
}

impl core::fmt::Display for ElementType {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.pad(self.name())
    }
}
