//! What an [`ErrorKind`](super::ErrorKind) is made of.

use core::fmt::{self, Write as _};

use crate::constant::INLINE_RANK;

/// The beginning of a text that was found, held without a heap.
///
/// Longer texts end in `…`.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Excerpt {
    bytes: [u8; Self::LEN],
    len: u8,
    cut: bool,
}

impl Excerpt {
    const LEN: usize = 24;

    /// The first 24 bytes of `text`, or fewer so that no character is cut in two.
    #[doc(hidden)]
    #[must_use]
    pub fn new(text: &str) -> Self {
        let mut excerpt = Self {
            bytes: [0; Self::LEN],
            len: 0,
            cut: false,
        };
        excerpt.push(text);
        excerpt
    }

    /// `prefix` and then `text`, of which fewer bytes are held.
    pub(crate) fn with_prefix(prefix: &str, text: &str) -> Self {
        let mut joined = Self::new(prefix);
        joined.push(text);
        joined
    }

    /// Adds a text, of which the first bytes are held while there is room.
    fn push(&mut self, text: &str) {
        let from = usize::from(self.len);
        let room = if self.cut { 0 } else { Self::LEN - from };
        let mut len = text.len().min(room);
        while !text.is_char_boundary(len) {
            len -= 1;
        }
        self.bytes[from..from + len].copy_from_slice(&text.as_bytes()[..len]);
        self.len += len as u8;
        self.cut |= len < text.len();
    }

    /// What is held.
    #[must_use]
    pub fn as_str(&self) -> &str {
        match core::str::from_utf8(&self.bytes[..usize::from(self.len)]) {
            Ok(text) => text,
            Err(_) => unreachable!("an excerpt is cut between two characters"),
        }
    }

    /// Whether the text was longer.
    #[must_use]
    pub(crate) const fn is_cut(&self) -> bool {
        self.cut
    }
}

/// What is written is added, and writing never fails.
#[doc(hidden)]
impl fmt::Write for Excerpt {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.push(text);
        Ok(())
    }
}

impl fmt::Display for Excerpt {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for c in self.as_str().chars() {
            // A control character would act on the terminal that shows the message.
            if c.is_control() {
                write!(f, "{}", c.escape_default())?
            } else {
                f.write_char(c)?
            }
        }
        f.write_str(if self.cut { "…" } else { "" })
    }
}

impl fmt::Debug for Excerpt {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\"{self}\"")
    }
}

/// What was found, in backquotes, or words for the end of the text.
#[doc(hidden)]
pub struct Found(pub Excerpt);

impl fmt::Display for Found {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.as_str() {
            "" => f.write_str("the end of the text"),
            "`" => f.write_str("a backquote"),
            _ => write!(f, "`{}`", self.0),
        }
    }
}

/// What is wrong with the form of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NumberFlaw {
    /// `2.3`
    Fraction,
    /// `1e3`
    Exponent,
    /// `3usize`
    Suffix,
    /// `1_000`
    Underscore,
    /// `0x10`
    Radix,
    /// `2x3`
    Times,
    /// `+1`
    Plus,
    /// `3rd`
    Letters,
}

macro_rules! attributes {
    (
        $($(#[$doc:meta])* $variant:ident, $letters:literal, $example:literal $(, $words:literal)?;)*
    ) => {
        /// A layout attribute, in the only sequence in which XLA reads them.
        ///
        /// ```
        /// use xlayout_shape::error::Attribute;
        /// assert_eq!(Attribute::TailAlignment.name(), "L");
        /// ```
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        #[non_exhaustive]
        pub enum Attribute {
            $($(#[$doc])* $variant,)*
        }

        /// All attributes, for one that is not known.
        pub(super) const ATTRIBUTES: &str = concat!(
            "the attributes are, in this sequence",
            $($(", `", $letters, "` (", $words, ")",)?)*
        );

        impl Attribute {
            /// All of them, in their sequence, with how they are written and what they are in
            /// messages.
            #[doc(hidden)]
            pub const ALL: &[(Self, &'static str, &'static str)] =
                &[$((Self::$variant, $letters, concat!($($words)?))),*];

            /// With an argument, to copy.
            pub(super) const fn example(self) -> &'static str {
                match self {
                    $(Self::$variant => $example,)*
                }
            }
        }
    };
}
attributes! {
    /// `D(…)`: the levels of sparse layouts.
    Levels, "D", "D(D,D)";
    /// `T(…)…`: the tiles.
    Tiles, "T", "T(8,128)", "tiles";
    /// `L(n)`: the tail padding alignment.
    TailAlignment, "L", "L(100)", "tail padding alignment";
    /// `#(type)`: the index type of sparse layouts.
    IndexType, "#", "#(u32)";
    /// `*(type)`: the pointer type of sparse layouts.
    PointerType, "*", "*(u32)";
    /// `E(n)`: the element size in bits.
    ElementSize, "E", "E(4)", "element size in bits";
    /// `S(n)`: the memory space.
    MemorySpace, "S", "S(1)", "memory space";
    /// `SC(…)…`: the split configurations.
    Splits, "SC", "SC(0:30)", "splits";
    /// `P(…)`: the physical shape of sparse layouts.
    PhysicalShape, "P", "P(f32[2])";
    /// `M(n)`: the bytes of dynamic shape metadata.
    Metadata, "M", "M(16)", "metadata bytes";
}

impl Attribute {
    /// How the text writes it, without what follows in parentheses.
    #[must_use]
    pub const fn name(self) -> &'static str {
        Self::ALL[self as usize].1
    }

    pub(crate) fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().find(|row| row.1 == name).map(|row| row.0)
    }
}

/// A product that does not fit, exact up to 128 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Product(
    /// The upper and the lower 64 bits: a `u128` would align every error to 16 bytes, and make
    /// each longer by up to 15.
    Option<(u64, u64)>,
);

impl Product {
    pub(crate) const ONE: Self = Self(Some((0, 1)));

    #[must_use]
    pub(crate) const fn times(self, factor: u128) -> Self {
        let product = match self.value() {
            Some(value) => value.checked_mul(factor),
            None => None,
        };
        match product {
            Some(value) => Self(Some(((value >> 64) as u64, value as u64))),
            None => Self(None),
        }
    }

    /// The product; `None` where it needs more than 128 bits.
    #[must_use]
    pub const fn value(self) -> Option<u128> {
        match self.0 {
            Some((upper, lower)) => Some((upper as u128) << 64 | lower as u128),
            None => None,
        }
    }
}

impl fmt::Display for Product {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.value() {
            Some(value) => write!(f, "{value}"),
            None => f.write_str("more than 10^38"),
        }
    }
}

/// Which dimensions a list lacks (of the first 64).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Missing(u64);

impl Missing {
    /// Those of `0..rank` that are not in `listed`.
    pub(crate) fn new(listed: &[i64], rank: usize) -> Self {
        let mut mask = 0;
        for d in 0..rank.min(64) {
            if !listed.contains(&(d as i64)) {
                mask |= 1 << d;
            }
        }
        Self(mask)
    }

    /// How many there are.
    pub(super) const fn count(self) -> u32 {
        self.0.count_ones()
    }

    /// The dimensions, the lowest first.
    pub fn iter(self) -> impl Iterator<Item = usize> + Clone {
        (0..64).filter(move |d| self.0 >> d & 1 == 1)
    }
}

/// A minor_to_major list of up to 16 dimensions, to propose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ShortOrder {
    entries: [u8; INLINE_RANK],
    len: u8,
}

/// What to write in the place of words for minor_to_major.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum OrderAdvice {
    /// This list.
    List(ShortOrder),
    /// The braces that were found, and nothing before them.
    Braces,
    /// Nothing, since the layout has a list already.
    Remove,
    /// One of the usual lists of this rank: what the words mean is not known.
    OfRank(usize),
    /// Neither the words nor the rank are known.
    Unknown,
}

impl ShortOrder {
    /// `{1,0}`, if the rank is 1 to 16.
    pub(crate) fn row_major(rank: usize) -> Option<Self> {
        Self::from_entries(rank, &|k| rank - 1 - k)
    }

    /// `{0,1}`, if the rank is 1 to 16.
    pub(crate) fn column_major(rank: usize) -> Option<Self> {
        Self::from_entries(rank, &|k| k)
    }

    /// `listed`, if it lists each dimension once.
    pub(crate) fn listed(listed: &[i64]) -> Option<Self> {
        Self::counted_from(0, listed)
    }

    /// The same list from its last entry to its first.
    pub(crate) fn reversed(mut self) -> Self {
        self.entries[..usize::from(self.len)].reverse();
        self
    }

    fn from_entries(rank: usize, entry: &dyn Fn(usize) -> usize) -> Option<Self> {
        if rank == 0 || rank > INLINE_RANK {
            return None;
        }
        let mut entries = [0; INLINE_RANK];
        for (k, to) in entries[..rank].iter_mut().enumerate() {
            *to = entry(k) as u8;
        }
        let len = rank as u8;
        Some(Self { entries, len })
    }

    /// `listed` with 1 taken from each entry, if that is an order.
    pub(crate) fn from_one_based(listed: &[i64]) -> Option<Self> {
        Self::counted_from(1, listed)
    }

    /// `listed` with `first` taken from each entry, if that is an order.
    fn counted_from(first: i64, listed: &[i64]) -> Option<Self> {
        let rank = listed.len();
        if rank > INLINE_RANK {
            return None;
        }
        for d in 0..rank as i64 {
            if !listed.contains(&(first + d)) {
                return None;
            }
        }
        Self::from_entries(rank, &|k| (listed[k] - first) as usize)
    }

    /// The dimensions, the most minor first.
    #[must_use]
    pub fn as_slice(&self) -> &[u8] {
        &self.entries[..usize::from(self.len)]
    }
}

/// The list without its braces: `1,0`.
impl fmt::Display for ShortOrder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        crate::words::joined(f, self.as_slice(), ",")
    }
}
