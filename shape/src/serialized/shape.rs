//! Arrays and their layouts at run time.

use serde::de::{Deserialize, Deserializer, Error, SeqAccess};
use serde::ser::{Serialize, SerializeTuple, Serializer};

use super::{Fields, Written};
use crate::{ArrayShape, Dims, Layout, PrimitiveType};

/// Whether the text of an array says all of it: without a layout it means the default one.
pub(super) fn has_text(array: &ArrayShape) -> bool {
    array.layout.as_ref().is_some_and(super::layout::has_text)
}

/// The fields that any shape begins with.
pub(super) fn write_head<T: SerializeTuple>(
    fields: &mut T,
    element_type: PrimitiveType,
    dims: &Dims,
    layout: &Option<Layout>,
) -> Result<(), T::Error> {
    fields.serialize_element(&element_type)?;
    fields.serialize_element(dims)?;
    fields.serialize_element(layout)
}

/// Reads what [`write_head`] writes; nothing is validated.
pub(super) fn read_head<'de, A: SeqAccess<'de>>(
    fields: &mut Fields<A>,
) -> Result<ArrayShape, A::Error> {
    Ok(ArrayShape {
        element_type: fields.next()?,
        dims: fields.next()?,
        layout: fields.next()?,
    })
}

/// As XLA's text, `"f32[2,3]{1,0}"`; in binary formats, and without a layout, as a tuple of the
/// fields.
impl Serialize for ArrayShape {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if serializer.is_human_readable() && has_text(self) {
            return serializer.collect_str(self);
        }
        let mut fields = serializer.serialize_tuple(3)?;
        write_head(&mut fields, self.element_type, &self.dims, &self.layout)?;
        fields.end()
    }
}

impl Written for ArrayShape {
    const WHAT: &'static str = "the shape of an array, such as `f32[2,3]{1,0}`";
    const FIELDS: Option<usize> = Some(3);

    fn from_text<E: Error>(text: &str) -> Result<Self, E> {
        text.parse()
            .map_err(|error| super::text_error(&error, text))
    }

    fn from_fields<'de, A: SeqAccess<'de>>(fields: &mut Fields<A>) -> Result<Self, A::Error> {
        let array = read_head(fields)?;
        match array.validate_with_optional_layout() {
            Ok(()) => Ok(array),
            Err(error) => Err(super::error(&error)),
        }
    }
}

/// What is read is validated; a layout may be missing.
impl<'de> Deserialize<'de> for ArrayShape {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        super::read(deserializer)
    }
}
