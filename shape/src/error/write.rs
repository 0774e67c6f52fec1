//! Parts of what to write instead.

use core::fmt::{Display, Formatter, Result};

use super::{OrderAdvice, Suggestion};
use crate::element_type::{ElementType, Kind, NAMES};
use crate::words::{from_fn, joined};

pub(super) const fn padded_word(padded: bool) -> &'static str {
    if padded { "padded " } else { "" }
}

/// `4 bytes`, `3 bits`
pub(super) fn width(bits: i64) -> impl Display {
    from_fn(move |f| match bits % 8 {
        0 => write!(f, "{} bytes", bits / 8),
        _ => write!(f, "{bits} bits"),
    })
}

/// The numbers of the dimensions of a shape that has some.
pub(super) fn dimensions(rank: usize) -> impl Display {
    from_fn(move |f| match rank {
        1 => f.write_str("dimension 0 only"),
        2 => f.write_str("dimensions 0 and 1"),
        _ => write!(f, "dimensions 0 to {}", rank.saturating_sub(1)),
    })
}

/// What a negative number of a dimension counts, or the lists for the rank.
pub(super) fn from_the_end(dimension: i64, rank: usize) -> impl Display {
    from_fn(move |f| {
        if dimension >= 0 {
            return write!(f, "dimensions count from 0; {}", orders(rank));
        }
        f.write_str("dimensions count from 0")?;
        match dimension.checked_add(rank as i64) {
            Some(d @ 0..) => write!(f, "; counted from the end, {dimension} is dimension {d}"),
            _ => Ok(()),
        }
    })
}

/// `{2,1,0}` or `{0,1,2}`; long ones with `…` in the middle.
fn minor_to_major(rank: usize, row_major: bool) -> impl Display {
    from_fn(move |f| {
        f.write_str("{")?;
        let elided = rank > 10;
        for k in 0..rank {
            if elided && k == 3 {
                f.write_str(",…")?;
            }
            if elided && 3 <= k && k < rank - 2 {
                continue;
            }
            let d = if row_major { rank - 1 - k } else { k };
            write!(f, "{}{d}", if k == 0 { "" } else { "," })?;
        }
        f.write_str("}")
    })
}

/// The lists that are right for a rank, with their directions.
pub(super) fn orders(rank: usize) -> impl Display {
    from_fn(move |f| match rank {
        0 => f.write_str("leave the layout out: a scalar has no dimensions"),
        1 => f.write_str("write `{0}`"),
        _ => write!(
            f,
            "write `{}` (row-major) or `{}` (column-major); the dimension that varies \
             fastest comes first",
            minor_to_major(rank, true),
            minor_to_major(rank, false),
        ),
    })
}

/// What to write in the place of the words.
impl Display for OrderAdvice {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self {
            Self::List(order) => {
                write!(
                    f,
                    "write `{{{order}}}`; the dimension that varies fastest comes first"
                )
            }
            Self::Braces => f.write_str("write the braces alone"),
            Self::Remove => f.write_str("remove it: the layout before it lists the dimensions"),
            Self::OfRank(rank) => orders(*rank).fmt(f),
            Self::Unknown => f.write_str(
                "list the dimensions, the one that varies fastest first: \
                 for rank 2, `{1,0}` is row-major and `{0,1}` column-major",
            ),
        }
    }
}

/// What to write in the place of the name.
impl Display for Suggestion {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match *self {
            Self::Alias(t) => write!(f, "write `{t}`"),
            Self::Case(t) => write!(f, "names of types are lower case: write `{t}`"),
            Self::Near(t) => write!(f, "did you mean `{t}`?"),
            Self::Widest(t) => write!(f, "the widest type of this kind is `{t}`"),
            Self::Float(bits) => {
                let of_bits =
                    |t: &ElementType| t.kind() == Some(Kind::Float) && t.bits() == Some(bits);
                f.write_str("write which one: `")?;
                joined(f, NAMES.iter().map(|row| row.0).filter(of_bits), "`, `")?;
                f.write_str("`")
            }
            Self::Tuple => f.write_str("write a tuple in parentheses: `(f32[2], s32[])`"),
            Self::Buffer => f.write_str("write a buffer with its array: `b(f32[2])`"),
            Self::None => {
                f.write_str("the element types are ")?;
                // Groups end with `;`: floating-point types below 16 bits are groups by their
                // width.
                let mut last = None;
                for (element_type, name) in NAMES {
                    let (Some(kind), Some(bits)) = (element_type.kind(), element_type.bits())
                    else {
                        continue;
                    };
                    let narrow = kind == Kind::Float && bits < 16;
                    let group = Some((kind, if narrow { bits } else { 0 }));
                    let between = match last {
                        None => "",
                        _ if last == group => ", ",
                        _ => "; ",
                    };
                    write!(f, "{between}{name}")?;
                    last = group;
                }
                Ok(())
            }
        }
    }
}
