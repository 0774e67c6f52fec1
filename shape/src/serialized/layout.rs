//! Layouts.

use serde::de::{Deserialize, Deserializer, Error, SeqAccess};
use serde::ser::{Serialize, SerializeSeq, SerializeTuple, Serializer};

use super::{Fields, Written};
use crate::Layout;

/// Writes a sequence of what is not a slice.
pub(super) fn sequence<S: Serializer, T: Serialize>(
    serializer: S,
    len: usize,
    items: impl Iterator<Item = T>,
) -> Result<S::Ok, S::Error> {
    let mut sequence = serializer.serialize_seq(Some(len))?;
    for item in items {
        sequence.serialize_element(&item)?;
    }
    sequence.end()
}

/// Whether the text of a layout says all of it: a metadata prefix below 0 means none, and is not
/// printed.
pub(super) fn has_text(layout: &Layout) -> bool {
    let sparse = [layout.index_primitive_type, layout.pointer_primitive_type];
    layout.dynamic_shape_metadata_prefix_bytes >= 0
        && sparse.iter().flatten().all(|kept| kept.is_integral())
}

/// As XLA's text, `"{1,0:T(8,128)}"`; in binary formats as a tuple of the fields.
impl Serialize for Layout {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if serializer.is_human_readable() && has_text(self) {
            return serializer.collect_str(self);
        }
        let mut fields = serializer.serialize_tuple(11)?;
        fields.serialize_element(&self.minor_to_major)?;
        fields.serialize_element(&self.tiles)?;
        fields.serialize_element(&self.tail_padding_alignment_in_elements)?;
        fields.serialize_element(&self.index_primitive_type)?;
        fields.serialize_element(&self.pointer_primitive_type)?;
        fields.serialize_element(&self.element_size_in_bits)?;
        fields.serialize_element(&self.memory_space)?;
        fields.serialize_element(&self.split_configs)?;
        fields.serialize_element(&self.dynamic_shape_metadata_prefix_bytes)?;
        fields.serialize_element(&self.padded_dimensions)?;
        fields.serialize_element(&self.padding_value)?;
        fields.end()
    }
}

impl Written for Layout {
    const WHAT: &'static str = "a layout such as `{1,0:T(8,128)}`";
    const FIELDS: Option<usize> = Some(11);

    fn from_text<E: Error>(text: &str) -> Result<Self, E> {
        text.parse()
            .map_err(|error| super::text_error(&error, text))
    }

    fn from_fields<'de, A: SeqAccess<'de>>(fields: &mut Fields<A>) -> Result<Self, A::Error> {
        let mut layout = Self::new(fields.next()?);
        layout.tiles = fields.next()?;
        // As its text is read: what it must be for a shape is not checked without one, but the
        // end can be aligned to no number below 1 for any.
        let alignment = fields.next()?;
        layout = layout
            .with_tail_padding_alignment_in_elements(alignment)
            .map_err(|error| super::error(&error))?;
        layout.index_primitive_type = fields.next()?;
        layout.pointer_primitive_type = fields.next()?;
        layout.element_size_in_bits = fields.next()?;
        layout.memory_space = fields.next()?;
        layout.split_configs = fields.next()?;
        layout.dynamic_shape_metadata_prefix_bytes = fields.next()?;
        layout.padded_dimensions = fields.next()?;
        layout.padding_value = fields.next()?;
        Ok(layout)
    }
}

/// Its form is checked; [`Layout::validate_for`] checks it against a shape.
impl<'de> Deserialize<'de> for Layout {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        super::read(deserializer)
    }
}
