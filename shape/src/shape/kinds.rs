//! What a shape and its elements are.

use super::{ArrayShape, Shape};
use crate::primitive::PrimitiveType;

impl Shape {
    /// Whether this is an array, also one in a buffer (XLA: `Shape::IsArray`).
    ///
    /// ```
    /// use xlayout_shape::Shape;
    /// let buffer: Shape = "b(f32[2])".parse().unwrap();
    /// assert!(buffer.is_array() && buffer.is_buffer() && !buffer.is_array_excluding_buffer());
    /// assert!(Shape::nil().is_tuple() && Shape::Token.is_token() && Shape::Opaque.is_opaque());
    /// ```
    #[doc(alias = "IsArray")]
    #[must_use]
    pub fn is_array(&self) -> bool {
        matches!(self, Self::Array(_) | Self::Buffer(_))
    }

    /// Whether this is an array and no buffer (XLA: `Shape::IsArrayExcludingBuffer`).
    ///
    /// ```
    /// use xlayout_shape::Shape;
    /// assert!("f32[2]".parse::<Shape>().unwrap().is_array_excluding_buffer());
    /// assert!(!"b(f32[2])".parse::<Shape>().unwrap().is_array_excluding_buffer());
    /// ```
    #[doc(alias = "IsArrayExcludingBuffer")]
    #[must_use]
    pub fn is_array_excluding_buffer(&self) -> bool {
        matches!(self, Self::Array(_))
    }

    /// Whether this is a tuple (XLA: `Shape::IsTuple`).
    ///
    /// ```
    /// use xlayout_shape::Shape;
    /// assert!(Shape::nil().is_tuple() && !Shape::Token.is_tuple());
    /// ```
    #[doc(alias = "IsTuple")]
    #[must_use]
    pub fn is_tuple(&self) -> bool {
        matches!(self, Self::Tuple(_))
    }

    /// Whether this is a buffer (XLA: `Shape::IsBuffer`).
    ///
    /// ```
    /// use xlayout_shape::Shape;
    /// assert!("b(f32[2])".parse::<Shape>().unwrap().is_buffer());
    /// ```
    #[doc(alias = "IsBuffer")]
    #[must_use]
    pub fn is_buffer(&self) -> bool {
        matches!(self, Self::Buffer(_))
    }

    /// Whether this is a token (XLA: `Shape::IsToken`).
    ///
    /// ```
    /// use xlayout_shape::Shape;
    /// assert!(Shape::Token.is_token() && !Shape::Opaque.is_token());
    /// ```
    #[doc(alias = "IsToken")]
    #[must_use]
    pub fn is_token(&self) -> bool {
        matches!(self, Self::Token)
    }

    /// Whether this is an opaque value (XLA: `Shape::IsOpaque`).
    ///
    /// ```
    /// use xlayout_shape::Shape;
    /// assert!(Shape::Opaque.is_opaque() && !Shape::Token.is_opaque());
    /// ```
    #[doc(alias = "IsOpaque")]
    #[must_use]
    pub fn is_opaque(&self) -> bool {
        matches!(self, Self::Opaque)
    }

    /// Whether this is an array with a dimension of size 0
    /// (XLA: `ShapeUtil::IsZeroElementArray`). A tuple is none, whatever is inside.
    ///
    /// ```
    /// use xlayout_shape::Shape;
    /// assert!("s32[0,3]".parse::<Shape>().unwrap().is_zero_element_array());
    /// assert!(!"(s32[0,3])".parse::<Shape>().unwrap().is_zero_element_array());
    /// ```
    #[doc(alias = "IsZeroElementArray")]
    #[must_use]
    pub fn is_zero_element_array(&self) -> bool {
        self.as_array_or_buffer()
            .is_some_and(ArrayShape::is_zero_element_array)
    }

    /// Whether this is an array without dimensions (XLA: `ShapeUtil::IsScalar`).
    ///
    /// ```
    /// use xlayout_shape::Shape;
    /// assert!("s32[]".parse::<Shape>().unwrap().is_scalar());
    /// assert!("s32[1]".parse::<Shape>().unwrap().is_effective_scalar());
    /// assert!(!Shape::Token.is_scalar());
    /// ```
    #[doc(alias = "IsScalar")]
    #[must_use]
    pub fn is_scalar(&self) -> bool {
        self.as_array_or_buffer().is_some_and(ArrayShape::is_scalar)
    }

    /// Whether this is an array whose dimensions all have size 1
    /// (XLA: `ShapeUtil::IsEffectiveScalar`).
    ///
    /// ```
    /// use xlayout_shape::Shape;
    /// assert!("s32[1,1]".parse::<Shape>().unwrap().is_effective_scalar());
    /// assert!(!"(s32[])".parse::<Shape>().unwrap().is_effective_scalar());
    /// ```
    #[doc(alias = "IsEffectiveScalar")]
    #[must_use]
    pub fn is_effective_scalar(&self) -> bool {
        self.as_array_or_buffer()
            .is_some_and(ArrayShape::is_effective_scalar)
    }

    /// Whether every leaf is an array of integers; `pred` is none, nor are tokens and opaque values
    /// (XLA: `Shape::AreAllLeavesIntegers`).
    ///
    /// ```
    /// use xlayout_shape::Shape;
    /// assert!("(s32[], (u8[2]))".parse::<Shape>().unwrap().are_all_leaves_integers());
    /// assert!(!"(s32[], pred[])".parse::<Shape>().unwrap().are_all_leaves_integers());
    /// ```
    #[doc(alias = "AreAllLeavesIntegers")]
    #[doc(alias = "IsInteger")]
    #[must_use]
    pub fn are_all_leaves_integers(&self) -> bool {
        match self {
            Self::Tuple(members) => members.iter().all(Self::are_all_leaves_integers),
            _ => self.element_is_integral(),
        }
    }

    /// Whether this shape or one inside is of this kind or has elements of this type
    /// (XLA: `ShapeUtil::HasPrimitiveType`).
    ///
    /// ```
    /// use xlayout_shape::{PrimitiveType, Shape};
    /// let shape: Shape = "(s32[], (s16[]))".parse().unwrap();
    /// assert!(shape.has_primitive_type(PrimitiveType::S16));
    /// assert!(shape.has_primitive_type(PrimitiveType::Tuple));
    /// assert!(!shape.has_primitive_type(PrimitiveType::F32));
    /// ```
    #[doc(alias = "HasPrimitiveType")]
    #[must_use]
    pub fn has_primitive_type(&self, primitive_type: PrimitiveType) -> bool {
        let members = self.tuple_shapes().unwrap_or(&[]);
        self.element_type() == primitive_type
            || members
                .iter()
                .any(|member| member.has_primitive_type(primitive_type))
    }

    /// Whether the elements of an array are signed or unsigned integers; `pred` is none
    /// (XLA: `ShapeUtil::ElementIsIntegral`).
    ///
    /// ```
    /// use xlayout_shape::Shape;
    /// let shape: Shape = "s4[2]".parse().unwrap();
    /// assert!(shape.element_is_integral() && shape.element_is_signed());
    /// assert!(shape.element_has_bit_width(4) && shape.element_is_integral_with_bits(4));
    /// assert!(!shape.element_is_floating() && !shape.element_is_complex());
    /// assert!(!Shape::Token.element_is_integral());
    /// ```
    #[doc(alias = "ElementIsIntegral")]
    #[must_use]
    pub fn element_is_integral(&self) -> bool {
        self.element_type().is_integral()
    }

    /// Whether the elements of an array are integers of so many bits
    /// (XLA: `ShapeUtil::ElementIsIntegralWithBits`).
    ///
    /// ```
    /// use xlayout_shape::Shape;
    /// let shape: Shape = "s4[2]".parse().unwrap();
    /// assert!(shape.element_is_integral_with_bits(4) && !shape.element_is_integral_with_bits(8));
    /// ```
    #[doc(alias = "ElementIsIntegralWithBits")]
    #[must_use]
    pub fn element_is_integral_with_bits(&self, bits: u32) -> bool {
        self.element_is_integral() && self.element_has_bit_width(bits)
    }

    /// Whether the type of the elements of an array has so many bits, 1 for `pred`, packed or not
    /// (XLA: `ShapeUtil::ElementHasBitWidth`).
    ///
    /// ```
    /// use xlayout_shape::Shape;
    /// assert!("pred[2]".parse::<Shape>().unwrap().element_has_bit_width(1));
    /// assert!("bf16[2]".parse::<Shape>().unwrap().element_has_bit_width(16));
    /// ```
    #[doc(alias = "ElementHasBitWidth")]
    #[must_use]
    pub fn element_has_bit_width(&self, bits: u32) -> bool {
        self.element_type().bits() == Some(bits)
    }

    /// Whether the elements of an array are real floating-point numbers
    /// (XLA: `ShapeUtil::ElementIsFloating`).
    ///
    /// ```
    /// use xlayout_shape::Shape;
    /// assert!("bf16[2]".parse::<Shape>().unwrap().element_is_floating());
    /// assert!(!"c64[2]".parse::<Shape>().unwrap().element_is_floating());
    /// ```
    #[doc(alias = "ElementIsFloating")]
    #[must_use]
    pub fn element_is_floating(&self) -> bool {
        self.element_type().is_floating_point()
    }

    /// Whether the elements of an array are complex numbers (XLA: `ShapeUtil::ElementIsComplex`).
    ///
    /// ```
    /// use xlayout_shape::Shape;
    /// assert!("c64[2]".parse::<Shape>().unwrap().element_is_complex());
    /// ```
    #[doc(alias = "ElementIsComplex")]
    #[must_use]
    pub fn element_is_complex(&self) -> bool {
        self.element_type().is_complex()
    }

    /// Whether the elements of an array are signed integers or floating-point numbers
    /// (XLA: `ShapeUtil::ElementIsSigned`).
    ///
    /// ```
    /// use xlayout_shape::Shape;
    /// assert!("f32[2]".parse::<Shape>().unwrap().element_is_signed());
    /// assert!(!"u8[2]".parse::<Shape>().unwrap().element_is_signed());
    /// ```
    #[doc(alias = "ElementIsSigned")]
    #[must_use]
    pub fn element_is_signed(&self) -> bool {
        self.element_type().is_signed()
    }
}
