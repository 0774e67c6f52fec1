//! What XLA keeps as a message.

use alloc::vec::Vec;

use crate::error::ProtoError;

/// What XLA keeps as a message.
///
/// # Law
/// `from_proto(to_proto(x)) == x` for every valid `x`, and `to_proto_bytes(x)` is what XLA writes.
///
/// ```
/// use xlayout_core::ArrayShape;
/// use xlayout_proto::Proto;
///
/// let shape: ArrayShape = "bf16[16,256]{1,0:T(8,128)(2,1)}".parse()?;
/// let message = shape.to_proto();
/// assert_eq!(message.element_type, 16);
/// assert_eq!(message.dimensions, [16, 256]);
/// assert_eq!(ArrayShape::from_proto(&message)?, shape);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Proto: Sized {
    /// The message.
    type Message: prost::Message + Default;

    /// The message that says the same (XLA: `ToProto`).
    #[doc(alias = "ToProto")]
    #[must_use]
    fn to_proto(&self) -> Self::Message;

    /// Reads a message (XLA: `FromProto`, `CreateFromProto`). Form is checked, rules are not: see
    /// [`Shape::validate`](xlayout_shape::Shape::validate) for those.
    ///
    /// # Errors
    /// The first field that cannot be read.
    #[doc(alias = "FromProto")]
    #[doc(alias = "CreateFromProto")]
    fn from_proto(message: &Self::Message) -> Result<Self, ProtoError>;

    /// The bytes of the message (XLA: `ToProto().SerializeAsString()`).
    #[doc(alias = "SerializeAsString")]
    #[must_use]
    fn to_proto_bytes(&self) -> Vec<u8> {
        prost::Message::encode_to_vec(&self.to_proto())
    }

    /// Reads the bytes of a message.
    ///
    /// # Errors
    /// If the bytes are no such message, or for the first field that cannot be read.
    #[doc(alias = "ParseFromString")]
    fn from_proto_bytes(bytes: &[u8]) -> Result<Self, ProtoError> {
        Self::from_proto(&decode(bytes)?)
    }
}

/// Decodes a message, with this crate's words for what is wrong with the bytes.
///
/// ```
/// use xlayout_proto::{LayoutProto, decode};
///
/// let layout: LayoutProto = decode(b"\x0a\x02\x01\x00")?;
/// assert_eq!(layout.minor_to_major, [1, 0]);
/// assert_eq!(
///     decode::<LayoutProto>(b"\x0a\x02\x01").unwrap_err().to_string(),
///     "the bytes are no LayoutProto: `minor_to_major`: buffer underflow; give the whole \
///      serialised LayoutProto and nothing else: no text, no JSON, no hexadecimal digits, no \
///      length before it",
/// );
/// # Ok::<(), xlayout_proto::ProtoError>(())
/// ```
///
/// # Errors
/// [`ProtoErrorKind::Malformed`](crate::ProtoErrorKind::Malformed) or
/// [`ProtoErrorKind::TooDeep`](crate::ProtoErrorKind::TooDeep).
pub fn decode<M: prost::Message + Default>(bytes: &[u8]) -> Result<M, ProtoError> {
    M::decode(bytes).map_err(|error| {
        let path = core::any::type_name::<M>();
        ProtoError::malformed(path.rsplit("::").next().unwrap_or(path), error)
    })
}
