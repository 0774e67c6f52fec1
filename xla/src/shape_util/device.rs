//! Other elements, and what only a device's layout says.

use crate::any_shape::{AnyShape, change, changed};
use crate::error::ShapeError;
use xlayout_shape::{ElementType, List, Tiles};

/// The same shape with elements of another type in every array (XLA:
/// `ShapeUtil::ChangeElementType`). Tokens and opaque values stay; XLA makes scalars of them. The
/// element size of the layout goes, unless the new type is one that XLA packs; then it stays as it
/// was, even if it is not the new type's.
///
/// ```
/// use xlayout_shape::{ArrayShape, ElementType};
/// use xlayout_xla::shape_util;
/// let shape: ArrayShape = "s4[2,3]{1,0:E(4)}".parse().unwrap();
/// assert_eq!(
///     shape_util::change_element_type(&shape, ElementType::F32)?.to_string(),
///     "f32[2,3]{1,0}"
/// );
/// assert_eq!(
///     shape_util::change_element_type(&shape, ElementType::U4)?.to_string(),
///     "u4[2,3]{1,0:E(4)}"
/// );
/// # Ok::<(), xlayout_xla::ShapeError>(())
/// ```
///
/// # Errors
/// For a type without elements, like a tuple; XLA aborts there.
#[doc(alias = "ChangeElementType")]
pub fn change_element_type<S: AnyShape>(
    shape: &S,
    element_type: ElementType,
) -> Result<S, ShapeError> {
    changed(shape, |array| {
        if !element_type.is_array() {
            return Err(ShapeError::ElementType { element_type });
        }
        array.element_type = element_type;
        if let Some(layout) = &mut array.layout
            && !is_sub_byte_non_pred(element_type)
        {
            layout.element_size_in_bits = 0;
        }
        Ok(())
    })
}

/// Packs the elements of every array inside or unpacks them (XLA:
/// `ShapeUtil::UpdateElementSizeInBits`): the layout gives an element as many bits as its type has,
/// if `pack_subbyte_types` and the type is one that XLA packs, and whole bytes otherwise. Without a
/// layout nothing happens.
///
/// ```
/// use xlayout_shape::ArrayShape;
/// use xlayout_xla::shape_util;
/// let mut shape: ArrayShape = "s4[2,3]".parse().unwrap();
/// shape_util::update_element_size_in_bits(&mut shape, true);
/// assert_eq!(shape.to_string(), "s4[2,3]{1,0:E(4)}");
/// shape_util::update_element_size_in_bits(&mut shape, false);
/// assert_eq!(shape.to_string(), "s4[2,3]{1,0}");
/// ```
#[doc(alias = "UpdateElementSizeInBits")]
pub fn update_element_size_in_bits<S: AnyShape>(shape: &mut S, pack_subbyte_types: bool) {
    change(shape, |array| {
        let pack = pack_subbyte_types && is_sub_byte_non_pred(array.element_type);
        let bits = array.element_type.bits().filter(|_| pack);
        if let Some(layout) = &mut array.layout {
            layout.element_size_in_bits = bits.map_or(0, i64::from);
        }
    });
}

/// The same shape as a host has it (XLA: `ShapeUtil::DeviceShapeToHostShape`): without tiles,
/// padding, memory space, element size, tail alignment and header of dynamic sizes. Splits
/// stay, as in XLA.
///
/// ```
/// use xlayout_shape::ArrayShape;
/// use xlayout_xla::shape_util;
/// let device: ArrayShape = "bf16[16,256]{0,1:T(8,128)(2,1)S(1)}".parse().unwrap();
/// let host = shape_util::device_shape_to_host_shape(&device);
/// assert_eq!(host.to_string(), "bf16[16,256]{0,1}");
/// // A shape that stays the same is one of a host (XLA: `DeviceShapeIsHostShape`).
/// assert_eq!(shape_util::device_shape_to_host_shape(&host), host);
/// ```
#[doc(alias("DeviceShapeToHostShape", "DeviceShapeIsHostShape"))]
#[must_use]
pub fn device_shape_to_host_shape<S: AnyShape>(given: &S) -> S {
    let mut shape = given.clone();
    change(&mut shape, |array| {
        if let Some(layout) = &mut array.layout {
            layout.tiles = Tiles::new();
            layout.memory_space = 0;
            layout.element_size_in_bits = 0;
            layout.tail_padding_alignment_in_elements = 1;
            layout.dynamic_shape_metadata_prefix_bytes = 0;
            layout.padded_dimensions = List::new();
            layout.padding_value = None;
        }
    });
    shape
}

/// Whether XLA packs elements of this type: narrower than a byte, and not `pred`
/// (XLA: `primitive_util::IsSubByteNonPredType`).
fn is_sub_byte_non_pred(element_type: ElementType) -> bool {
    element_type.bits().is_some_and(|bits| bits < 8) && element_type != ElementType::Pred
}
