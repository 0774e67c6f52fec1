//! XLA's `primitive_util`: `primitive_util.h` and `primitive_util.cc`. Names, numbers and widths
//! are methods of [`ElementType`].

use xlayout_shape::ElementType;
use xlayout_shape::element_type::Kind;

/// Whether this is a real floating-point type (XLA: `primitive_util::IsFloatingPointType`).
///
/// ```
/// use xlayout_core::ElementType::{Bf16, C64, Pred};
/// use xlayout_xla::primitive_util::is_floating_point_type;
/// assert!(is_floating_point_type(Bf16));
/// assert!(!is_floating_point_type(C64) && !is_floating_point_type(Pred));
/// ```
#[doc(alias = "IsFloatingPointType")]
#[must_use]
pub const fn is_floating_point_type(element_type: ElementType) -> bool {
    matches!(element_type.kind(), Some(Kind::Float))
}

/// Whether this is `c64` or `c128` (XLA: `primitive_util::IsComplexType`).
///
/// ```
/// use xlayout_core::ElementType::{C64, F32};
/// use xlayout_xla::primitive_util::is_complex_type;
/// assert!(is_complex_type(C64) && !is_complex_type(F32));
/// ```
#[doc(alias = "IsComplexType")]
#[must_use]
pub const fn is_complex_type(element_type: ElementType) -> bool {
    matches!(element_type.kind(), Some(Kind::Complex))
}
