//! What only this crate can implement.

/// Seals the traits: the number of bytes of an array is computed from these types, and the
/// bytes become elements without another check.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a part of a kernel's parameter",
    label = "only xlayout-kernel implements this trait",
    note = "a kernel takes layouts of `layout!`; the bytes of an array are trusted to \
            be what they say"
)]
pub trait Sealed {}
