//! What a shape and its elements are.

use crate::primitive_util::{is_complex_type, is_floating_point_type};
use xlayout_shape::primitive::Kind;
use xlayout_shape::shape::Step;
use xlayout_shape::{PrimitiveType, Shape};

/// Whether this is an array with a dimension of size 0
/// (XLA: `ShapeUtil::IsZeroElementArray`). A tuple is none, whatever is inside.
///
/// ```
/// use xlayout_shape::Shape;
/// use xlayout_xla::shape_util;
/// assert!(shape_util::any::is_zero_element_array(&"s32[0,3]".parse::<Shape>().unwrap()));
/// assert!(!shape_util::any::is_zero_element_array(&"(s32[0,3])".parse::<Shape>().unwrap()));
/// ```
#[doc(alias = "IsZeroElementArray")]
#[must_use]
pub fn is_zero_element_array(shape: &Shape) -> bool {
    shape
        .as_array_or_buffer()
        .is_some_and(super::is_zero_element_array)
}

/// Whether this is an array without dimensions (XLA: `ShapeUtil::IsScalar`).
///
/// ```
/// use xlayout_shape::Shape;
/// use xlayout_xla::shape_util;
/// assert!(shape_util::any::is_scalar(&"s32[]".parse::<Shape>().unwrap()));
/// assert!(shape_util::any::is_effective_scalar(&"s32[1]".parse::<Shape>().unwrap()));
/// assert!(!shape_util::any::is_scalar(&Shape::Token));
/// ```
#[doc(alias = "IsScalar")]
#[must_use]
pub fn is_scalar(shape: &Shape) -> bool {
    shape.as_array_or_buffer().is_some_and(super::is_scalar)
}

/// Whether this is an array whose dimensions all have size 1
/// (XLA: `ShapeUtil::IsEffectiveScalar`).
///
/// ```
/// use xlayout_shape::Shape;
/// use xlayout_xla::shape_util;
/// assert!(shape_util::any::is_effective_scalar(&"s32[1,1]".parse::<Shape>().unwrap()));
/// assert!(!shape_util::any::is_effective_scalar(&"(s32[])".parse::<Shape>().unwrap()));
/// ```
#[doc(alias = "IsEffectiveScalar")]
#[must_use]
pub fn is_effective_scalar(shape: &Shape) -> bool {
    shape
        .as_array_or_buffer()
        .is_some_and(super::is_effective_scalar)
}

/// Whether every leaf is an array of integers; `pred` is none, nor are tokens and opaque values
/// (XLA: `Shape::AreAllLeavesIntegers`).
///
/// ```
/// use xlayout_shape::Shape;
/// use xlayout_xla::shape_util;
/// assert!(shape_util::are_all_leaves_integers(&"(s32[], (u8[2]))".parse::<Shape>().unwrap()));
/// assert!(!shape_util::are_all_leaves_integers(&"(s32[], pred[])".parse::<Shape>().unwrap()));
/// ```
#[doc(alias = "AreAllLeavesIntegers")]
#[doc(alias = "IsInteger")]
#[must_use]
pub fn are_all_leaves_integers(shape: &Shape) -> bool {
    shape.leaves().all(element_is_integral)
}

/// Whether this shape or one inside is of this kind or has elements of this type
/// (XLA: `ShapeUtil::HasPrimitiveType`).
///
/// ```
/// use xlayout_shape::{PrimitiveType, Shape};
/// use xlayout_xla::shape_util;
/// let shape: Shape = "(s32[], (s16[]))".parse().unwrap();
/// assert!(shape_util::has_primitive_type(&shape, PrimitiveType::S16));
/// assert!(shape_util::has_primitive_type(&shape, PrimitiveType::Tuple));
/// assert!(!shape_util::has_primitive_type(&shape, PrimitiveType::F32));
/// ```
#[doc(alias = "HasPrimitiveType")]
#[must_use]
pub fn has_primitive_type(shape: &Shape, primitive_type: PrimitiveType) -> bool {
    shape.walk().any(|step| match step {
        Step::Open(shape, _) | Step::Leaf(shape, _) => shape.element_type() == primitive_type,
        Step::Close(_) => false,
    })
}

/// Whether the elements of an array are signed or unsigned integers; `pred` is none
/// (XLA: `ShapeUtil::ElementIsIntegral`).
///
/// ```
/// use xlayout_shape::Shape;
/// use xlayout_xla::shape_util;
/// let shape: Shape = "s4[2]".parse().unwrap();
/// assert!(shape_util::element_is_integral(&shape) && shape_util::element_is_signed(&shape));
/// assert!(
///     shape_util::element_has_bit_width(&shape, 4)
///         && shape_util::element_is_integral_with_bits(&shape, 4)
/// );
/// assert!(
///     !shape_util::element_is_floating(&shape) && !shape_util::element_is_complex(&shape)
/// );
/// assert!(!shape_util::element_is_integral(&Shape::Token));
/// ```
#[doc(alias = "ElementIsIntegral")]
#[must_use]
pub fn element_is_integral(shape: &Shape) -> bool {
    shape.element_type().is_integral()
}

/// Whether the elements of an array are integers of so many bits
/// (XLA: `ShapeUtil::ElementIsIntegralWithBits`).
///
/// ```
/// use xlayout_shape::Shape;
/// use xlayout_xla::shape_util;
/// let shape: Shape = "s4[2]".parse().unwrap();
/// assert!(
///     shape_util::element_is_integral_with_bits(&shape, 4)
///         && !shape_util::element_is_integral_with_bits(&shape, 8)
/// );
/// ```
#[doc(alias = "ElementIsIntegralWithBits")]
#[must_use]
pub fn element_is_integral_with_bits(shape: &Shape, bits: u32) -> bool {
    element_is_integral(shape) && element_has_bit_width(shape, bits)
}

/// Whether the type of the elements of an array has so many bits, 1 for `pred`, packed or not
/// (XLA: `ShapeUtil::ElementHasBitWidth`).
///
/// ```
/// use xlayout_shape::Shape;
/// use xlayout_xla::shape_util;
/// assert!(shape_util::element_has_bit_width(&"pred[2]".parse::<Shape>().unwrap(), 1));
/// assert!(shape_util::element_has_bit_width(&"bf16[2]".parse::<Shape>().unwrap(), 16));
/// ```
#[doc(alias = "ElementHasBitWidth")]
#[must_use]
pub fn element_has_bit_width(shape: &Shape, bits: u32) -> bool {
    shape.element_type().bits() == Some(bits)
}

/// Whether the elements of an array are real floating-point numbers
/// (XLA: `ShapeUtil::ElementIsFloating`).
///
/// ```
/// use xlayout_shape::Shape;
/// use xlayout_xla::shape_util;
/// assert!(shape_util::element_is_floating(&"bf16[2]".parse::<Shape>().unwrap()));
/// assert!(!shape_util::element_is_floating(&"c64[2]".parse::<Shape>().unwrap()));
/// ```
#[doc(alias = "ElementIsFloating")]
#[must_use]
pub fn element_is_floating(shape: &Shape) -> bool {
    is_floating_point_type(shape.element_type())
}

/// Whether the elements of an array are complex numbers (XLA: `ShapeUtil::ElementIsComplex`).
///
/// ```
/// use xlayout_shape::Shape;
/// use xlayout_xla::shape_util;
/// assert!(shape_util::element_is_complex(&"c64[2]".parse::<Shape>().unwrap()));
/// ```
#[doc(alias = "ElementIsComplex")]
#[must_use]
pub fn element_is_complex(shape: &Shape) -> bool {
    is_complex_type(shape.element_type())
}

/// Whether the elements of an array are signed integers or floating-point numbers
/// (XLA: `ShapeUtil::ElementIsSigned`).
///
/// ```
/// use xlayout_shape::Shape;
/// use xlayout_xla::shape_util;
/// assert!(shape_util::element_is_signed(&"f32[2]".parse::<Shape>().unwrap()));
/// assert!(!shape_util::element_is_signed(&"u8[2]".parse::<Shape>().unwrap()));
/// ```
#[doc(alias = "ElementIsSigned")]
#[must_use]
pub fn element_is_signed(shape: &Shape) -> bool {
    let kind = shape.element_type().kind();
    matches!(kind, Some(Kind::Float | Kind::Signed))
}
