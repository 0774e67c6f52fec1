//! A bitcast taken apart into transposes and reshapes, each of them a bitcast.
//!
//! Source: `shape_util.cc` (`IsDecomposableBitcast`, `DecomposeBitcast`, `DecomposeBitcastToTrt`).

use super::with_descending_layout_and_same_physical_layout;
use xlayout_core::bitcast::deduce_transpose_dimensions_for_bitcast;

use super::bitcast::reshape_is_bitcast;
use super::permutation::{compose, descending, layout_of};
use crate::layout_util::order::inverse;
use xlayout_core::{ElementTypes, LayoutError};
use xlayout_shape::{ArrayShape, INLINE_RANK, List};

/// What a bitcast does to the logical indices (XLA: `ShapeUtil::BitcastDecomposition`).
///
/// ```
/// use xlayout_core::ArrayShape;
/// use xlayout_xla::shape_util::BitcastDecomposition;
/// use xlayout_xla::shape_util::decompose_bitcast;
/// let a: ArrayShape = "f32[2,3]{1,0}".parse().unwrap();
/// let what = |b: &str| match decompose_bitcast(&a, &b.parse().unwrap()).unwrap() {
///     None => "none",
///     Some(BitcastDecomposition::Reshape) => "a reshape",
///     Some(BitcastDecomposition::Transpose { .. }) => "a transpose",
///     Some(BitcastDecomposition::Trt(_)) => "both",
/// };
/// assert_eq!(what("f32[6]"), "a reshape");
/// assert_eq!(what("f32[3,2]{0,1}"), "a transpose");
/// assert_eq!(what("f32[2,3]{0,1}"), "both");
/// assert_eq!(what("f32[6]{0:L(8)}"), "none");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[doc(alias("BitcastDecompositionReshape", "BitcastDecompositionTranspose"))]
#[expect(
    clippy::large_enum_variant,
    reason = "made once and looked at; a box would need a heap"
)]
pub enum BitcastDecomposition {
    /// A reshape: the row-major index stays.
    Reshape,
    /// A transpose: the output's dimension `i` is the input's dimension `transpose_dims[i]`.
    Transpose {
        /// The permutation.
        transpose_dims: List<i64, INLINE_RANK>,
    },
    /// A transpose, a reshape and another transpose.
    Trt(BitcastDecompositionTrt),
}

/// A bitcast as a transpose, a reshape and another transpose, each of them a bitcast
/// (XLA: `ShapeUtil::BitcastDecompositionTrt`). Both shapes in between are row-major.
///
/// ```
/// use xlayout_core::ArrayShape;
/// use xlayout_xla::shape_util::decompose_bitcast_to_trt;
/// let a: ArrayShape = "f32[16,17,3]{2,1,0}".parse().unwrap();
/// let b: ArrayShape = "f32[51,16]{0,1}".parse().unwrap();
/// let trt = decompose_bitcast_to_trt(&a, &b)?.unwrap();
/// assert_eq!(trt.transpose1_dims[..], [0, 1, 2]);
/// assert_eq!(trt.transpose1_shape.to_string(), "f32[16,17,3]{2,1,0}");
/// assert_eq!(trt.reshape_shape.to_string(), "f32[16,51]{1,0}");
/// assert_eq!(trt.transpose2_dims[..], [1, 0]);
/// # Ok::<(), xlayout_core::LayoutError>(())
/// ```
#[doc(alias("IsTranspose1Identity", "IsTranspose2Identity"))]
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct BitcastDecompositionTrt {
    /// The first transpose: its output's dimension `i` is the input's `transpose1_dims[i]`.
    pub transpose1_dims: List<i64, INLINE_RANK>,
    /// What the first transpose gives.
    pub transpose1_shape: ArrayShape,
    /// What the reshape gives.
    pub reshape_shape: ArrayShape,
    /// The second transpose: the output's dimension `i` is `reshape_shape`'s `transpose2_dims[i]`.
    pub transpose2_dims: List<i64, INLINE_RANK>,
}

/// What reading the memory of this array as `output` does to the logical indices: a reshape if it
/// can be, else a transpose, else both. `None` where it is none of these, which takes tiles,
/// padding or elements of another width (XLA: `ShapeUtil::DecomposeBitcast`, which ignores them).
///
/// ```
/// use xlayout_core::ArrayShape;
/// use xlayout_xla::shape_util::BitcastDecomposition;
/// use xlayout_xla::shape_util::decompose_bitcast;
/// let a: ArrayShape = "f32[8,3]{1,0:T(8,128)}".parse().unwrap();
/// let b: ArrayShape = "f32[3,8]{0,1:T(8,128)}".parse().unwrap();
/// let Some(BitcastDecomposition::Transpose { transpose_dims }) = decompose_bitcast(&a, &b)?
/// else {
///     panic!()
/// };
/// assert_eq!(transpose_dims[..], [1, 0]);
/// let dense: ArrayShape = "f32[3,8]{0,1}".parse().unwrap();
/// assert_eq!(decompose_bitcast(&a, &dense)?, None);
/// # Ok::<(), xlayout_core::LayoutError>(())
/// ```
///
/// # Errors
/// When a shape has no memory map: it is not valid, or has a `?`.
#[doc(alias("DecomposeBitcast", "IsDecomposableBitcast"))]
pub fn decompose_bitcast(
    shape: &ArrayShape,
    output: &ArrayShape,
) -> Result<Option<BitcastDecomposition>, LayoutError> {
    if reshape_is_bitcast(shape, output, ElementTypes::Ignored)? {
        return Ok(Some(BitcastDecomposition::Reshape));
    }
    if let Some(transpose_dims) = deduce_transpose_dimensions_for_bitcast(shape, output)? {
        return Ok(Some(BitcastDecomposition::Transpose { transpose_dims }));
    }
    Ok(decompose_bitcast_to_trt(shape, output)?.map(BitcastDecomposition::Trt))
}

/// Reading the memory of this array as `output`, as a transpose, a reshape and another transpose,
/// each of them a bitcast. The shapes in between have the physical dimensions of the input and
/// of the output, in row-major sequence and with their tiles and padding.
///
/// `None` if the reshape between them is not a bitcast; XLA's
/// `ShapeUtil::DecomposeBitcastToTrt` gives a result there, too.
///
/// ```
/// use xlayout_core::ArrayShape;
/// use xlayout_xla::shape_util::decompose_bitcast_to_trt;
/// let a: ArrayShape = "f32[8,128,4]{1,0,2:T(8,128)}".parse().unwrap();
/// let b: ArrayShape = "f32[128,32]{0,1:T(8,128)}".parse().unwrap();
/// let trt = decompose_bitcast_to_trt(&a, &b)?.unwrap();
/// assert_eq!(trt.transpose1_shape.to_string(), "f32[4,8,128]{2,1,0:T(8,128)}");
/// assert_eq!(trt.reshape_shape.to_string(), "f32[32,128]{1,0:T(8,128)}");
/// # Ok::<(), xlayout_core::LayoutError>(())
/// ```
///
/// # Errors
/// When a shape has no memory map: it is not valid, or has a `?`.
#[doc(alias = "DecomposeBitcastToTrt")]
pub fn decompose_bitcast_to_trt(
    shape: &ArrayShape,
    output: &ArrayShape,
) -> Result<Option<BitcastDecompositionTrt>, LayoutError> {
    let Some(trt) = trt(&with_layout(shape), &with_layout(output)) else {
        // Validation says what is wrong.
        return reshape_is_bitcast(shape, output, ElementTypes::Ignored).map(|_| None);
    };
    let is_bitcast = reshape_is_bitcast(
        &trt.transpose1_shape,
        &trt.reshape_shape,
        ElementTypes::Ignored,
    )?;
    Ok(is_bitcast.then_some(trt))
}

/// The shape, with the default layout if it has none.
fn with_layout(shape: &ArrayShape) -> ArrayShape {
    let mut shape = shape.clone();
    if shape.layout.is_none() {
        shape.layout = Some(crate::layout_util::of_array::default_layout(&shape));
    }
    shape
}

/// The three parts. The reshape between two row-major shapes need not be a bitcast yet. `None`
/// where the sizes of a shape overflow in physical sequence, although a 0 hides it in logical
/// sequence.
fn trt(input: &ArrayShape, output: &ArrayShape) -> Option<BitcastDecompositionTrt> {
    let of_input = layout_of(input)?;
    let of_output = layout_of(output)?;
    let row_major =
        |shape: &ArrayShape| with_descending_layout_and_same_physical_layout(shape).ok();
    Some(BitcastDecompositionTrt {
        transpose1_dims: compose(&of_input.minor_to_major, &descending(input.rank())),
        transpose1_shape: row_major(input)?,
        reshape_shape: row_major(output)?,
        transpose2_dims: compose(
            &descending(output.rank()),
            &inverse(&of_output.minor_to_major, output.rank()).ok()?,
        ),
    })
}
