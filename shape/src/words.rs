//! Words that the messages of all crates share.

use core::fmt::{Display, Formatter, Result};

use crate::element_type::ElementType;

/// `1 dimension`, `2 dimensions`; `1 entry`, `2 entries`.
pub struct Counted<N>(pub N, pub &'static str);

impl<N: Display + PartialEq + From<bool>> Display for Counted<N> {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let Self(number, noun) = self;
        write!(f, "{number} ")?;
        if *number == N::from(true) {
            return f.write_str(noun);
        }
        plural(noun).fmt(f)
    }
}

/// The plural of a noun: `dimensions`, `entries`, `copies`, `leaves`.
pub fn plural(noun: &str) -> impl Display {
    let (stem, end) = if let Some(stem) = noun.strip_suffix("try") {
        (stem, "tries")
    } else if let Some(stem) = noun.strip_suffix("py") {
        (stem, "pies")
    } else if let Some(stem) = noun.strip_suffix("leaf") {
        (stem, "leaves")
    } else if let Some(stem) = noun.strip_suffix("index") {
        (stem, "indices")
    } else {
        (noun, "s")
    };
    from_fn(move |f| write!(f, "{stem}{end}"))
}

/// The verb that follows `there`: `is` for one, else `are`.
pub fn are<N: PartialEq + From<bool>>(number: N) -> &'static str {
    if number == N::from(true) { "is" } else { "are" }
}

/// `a`, `a and b`, `a, b and c`, or with another word than `and`.
pub fn listed<T: Display>(items: impl Iterator<Item = T> + Clone, word: &str) -> impl Display {
    from_fn(move |f| {
        let mut items = items.clone();
        while let Some(item) = items.next() {
            item.fmt(f)?;
            let mut rest = items.clone();
            match (rest.next(), rest.next()) {
                (None, _) => {}
                (Some(_), None) => write!(f, " {word} ")?,
                _ => f.write_str(", ")?,
            }
        }
        Ok(())
    })
}

/// Items with a text between each two of them.
///
/// # Errors
/// Those of the formatter.
pub fn joined<T: Display>(
    f: &mut Formatter<'_>,
    items: impl IntoIterator<Item = T>,
    comma: &str,
) -> Result {
    let mut before = "";
    for item in items {
        write!(f, "{before}{item}")?;
        before = comma;
    }
    Ok(())
}

/// A kind of shape with its article: `a tuple`, `an array`.
#[must_use]
pub const fn kind_of(element_type: ElementType) -> &'static str {
    match element_type {
        ElementType::Tuple => "a tuple",
        ElementType::Token => "a token",
        ElementType::OpaqueType => "an opaque value",
        ElementType::Buffer => "a buffer",
        _ => "an array",
    }
}

/// The last boundary of a character that is not after this byte.
#[must_use]
pub fn floor_boundary(text: &str, at: usize) -> usize {
    let mut at = at.min(text.len());
    // The beginning of a text is a boundary.
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// The first boundary of a character that is not before this byte, or the end.
#[must_use]
pub fn ceil_boundary(text: &str, at: usize) -> usize {
    let mut at = at.min(text.len());
    // The end of a text is a boundary.
    while !text.is_char_boundary(at) {
        at += 1;
    }
    at
}

/// Text that a closure writes. (`core::fmt::from_fn` needs Rust 1.93.)
pub fn from_fn(write: impl Fn(&mut Formatter<'_>) -> Result) -> impl Display {
    struct FromFn<F>(F);
    impl<F: Fn(&mut Formatter<'_>) -> Result> Display for FromFn<F> {
        fn fmt(&self, f: &mut Formatter<'_>) -> Result {
            self.0(f)
        }
    }
    FromFn(write)
}

#[cfg(all(test, feature = "std"))]
mod tests {
    use super::{Counted, listed};
    use std::string::ToString;

    #[test]
    fn numbers_and_lists_read_well() {
        let counts = [
            (0, "dimension"),
            (1, "minor_to_major entry"),
            (2, "tile entry"),
        ];
        let texts = counts.map(|(number, noun)| Counted(number, noun).to_string());
        assert_eq!(
            texts,
            ["0 dimensions", "1 minor_to_major entry", "2 tile entries"]
        );
        assert_eq!(Counted(-1_i64, "byte").to_string(), "-1 bytes");
        assert_eq!(Counted(3_i64, "leaf").to_string(), "3 leaves");
        let lists = [1, 2, 4].map(|n| listed(0..n, "or").to_string());
        assert_eq!(lists, ["0", "0 or 1", "0, 1, 2 or 3"]);
    }
}
