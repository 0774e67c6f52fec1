//! Sums of sizes that a call must obey.

/// A dimension: the number of its parameter, and its number in that parameter.
pub(super) type Dimension = (usize, usize);

/// The text of a sum, without `?` and spaces.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Computed(pub(crate) &'static str);

/// The most names and numbers of a sum.
pub(super) const MOST_TERMS: usize = 8;

/// A dimension, and the sum that its size must equal.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Relation {
    pub(crate) dimension: Dimension,
    pub(super) sum: Computed,
    /// No two have one name.
    pub(super) terms: [Term; MOST_TERMS],
    pub(super) len: usize,
    /// The last parameter that has one of these dimensions.
    pub(crate) last: usize,
}

/// A factor, and the size by which it is multiplied.
#[derive(Clone, Copy, Debug)]
pub(super) struct Term {
    pub(super) factor: i64,
    /// Empty where the term is a number.
    pub(super) name: &'static str,
    pub(super) multiplier: Multiplier,
}

/// What the factor is multiplied by.
#[derive(Clone, Copy, Debug)]
pub(super) enum Multiplier {
    /// The term is a number.
    One,
    /// The size of a dimension.
    Dimension(Dimension),
    /// The size that the relation of this number tells, which is before this one.
    Relation(usize),
    /// The name is the size of no dimension and of no relation before this one: the relation tells
    /// its size.
    This,
}
