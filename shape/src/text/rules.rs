//! Which notations are read, and how strictly.

/// The notations that are read. [`Rules`] has an example.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Notation {
    /// XLA's own text only.
    Xla,
    /// XLA's, and our own for what has no text in XLA: minor_to_major as `<0,1>`, and after the
    /// shape `, padded_dimensions = [3, 5], padding_value = zero`.
    #[default]
    Extended,
}

/// How strictly [`read_array`](super::read_array) reads. The default is the rules of `parse`.
///
/// ```
/// use xlayout_shape::text::{Notation, Rules, read_array};
///
/// let xla = Rules { notation: Notation::Xla, ..Rules::default() };
/// let reads = |text, rules| read_array(text, rules, &mut |_| {}).is_some();
/// assert!(reads("f32[2,3]<0,1>", Rules::default()) && !reads("f32[2,3]<0,1>", xla));
///
/// // XLA prints tiles that end in `*`. No element of such an array has an address.
/// let addressable = Rules { addressable: true, ..Rules::default() };
/// assert!(reads("f32[2,3]{1,0:T(2,*)}", xla) && !reads("f32[2,3]{1,0:T(2,*)}", addressable));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rules {
    /// Which notations are read.
    pub notation: Notation,
    /// Whether index arithmetic must work, too: no tile may end in `*`, and the allocated size,
    /// padding and all, must fit in 64 bits. XLA reads and prints layouts without this.
    pub addressable: bool,
}

/// The names of our own options.
pub(super) const PADDED_DIMENSIONS: &str = "padded_dimensions";
pub(super) const PADDING_VALUE: &str = "padding_value";
