//! Which name was meant.

use super::split_at_byte;
use crate::element_type::ALIASES;
use crate::element_type::ElementType::{self, *};

/// Which element type was probably meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Suggestion {
    /// XLA's name for a type that goes by another name elsewhere.
    Alias(ElementType),
    /// The same name in lower case.
    Case(ElementType),
    /// A name with few letters changed.
    Near(ElementType),
    /// XLA has no type of this width; this is the widest of its kind.
    Widest(ElementType),
    /// A floating-point type of this many bits.
    Float(u32),
    /// Tuples are written `(…)`.
    Tuple,
    /// Buffers are written `b(…)`.
    Buffer,
    /// Nothing is near.
    None,
}

/// Longer names get no suggestion; all names of types and options are shorter.
const LONGEST: usize = 24;

/// A name without underscores and in lower case, on the stack.
struct Plain {
    bytes: [u8; LONGEST],
    len: usize,
}

impl Plain {
    fn new(name: &str) -> Option<Self> {
        let mut plain = Self {
            bytes: [0; LONGEST],
            len: 0,
        };
        for byte in name.as_bytes() {
            if *byte != b'_' {
                *plain.bytes.get_mut(plain.len)? = byte.to_ascii_lowercase();
                plain.len += 1;
            }
        }
        Some(plain)
    }

    fn as_str(&self) -> &str {
        match core::str::from_utf8(&self.bytes[..self.len]) {
            Ok(text) => text,
            Err(_) => unreachable!("a suggestion is put together from whole words"),
        }
    }
}

/// Suggests the type that the unknown name `name` probably means.
pub(crate) fn suggest_type(name: &str) -> Suggestion {
    // `jnp.float32`: the last word is the type.
    let mut last = name;
    while let Some((_, after)) = split_at_byte(last, b'.') {
        last = after;
    }
    if last.len() < name.len() {
        return match ElementType::from_name(last) {
            Some(known) => Suggestion::Alias(known),
            None => suggest_type(last),
        };
    }
    let Some(plain) = Plain::new(name) else {
        return Suggestion::None;
    };
    let plain = plain.as_str();
    let mut upper_case = false;
    for byte in name.as_bytes() {
        upper_case |= byte.is_ascii_uppercase();
    }
    if upper_case && let Some(found) = ElementType::from_name(plain) {
        return Suggestion::Case(found);
    }
    if let Some(found) = kind_of_type(plain) {
        return found;
    }
    // `int32_t`, `float32_t`: the ending is C's.
    let stem = match plain.strip_suffix("t") {
        Some(stem) if name.ends_with("_t") => stem,
        _ => plain,
    };
    for (aliases, meant) in ALIASES {
        if aliases.contains(&stem) {
            return Suggestion::Alias(*meant);
        }
    }
    if let Some(found) = with_prefix_of_xla(stem) {
        return Suggestion::Alias(found);
    }
    let names = ElementType::all().filter(|t| !matches!(t, Tuple | Buffer));
    match nearest(plain, names.map(|t| (t.name(), t))) {
        Some(found) => Suggestion::Near(found),
        None => Suggestion::None,
    }
}

/// What a name means that is no name of one type.
fn kind_of_type(plain: &str) -> Option<Suggestion> {
    Some(match plain {
        "tuple" => Suggestion::Tuple,
        "buffer" | "b" => Suggestion::Buffer,
        "f8" | "fp8" | "float8" => Suggestion::Float(8),
        "f6" | "fp6" | "float6" => Suggestion::Float(6),
        "f128" | "f80" | "float128" | "fp128" => Suggestion::Widest(F64),
        "s128" | "i128" | "int128" => Suggestion::Widest(S64),
        "u128" | "uint128" => Suggestion::Widest(U64),
        "c256" | "complex256" => Suggestion::Widest(C128),
        _ => return None,
    })
}

/// The type whose name begins in another way in XLA: `int8` is s8, `uint8` is u8, `float8_e5m2` is
/// f8e5m2, `e4m3fn` is f8e4m3fn.
fn with_prefix_of_xla(name: &str) -> Option<ElementType> {
    for (theirs, ours) in [
        ("int", "s"),
        ("sint", "s"),
        ("uint", "u"),
        ("float", "f"),
        ("fp", "f"),
        ("e", "f8e"),
    ] {
        let Some(rest) = name.strip_prefix(theirs) else {
            continue;
        };
        for found in ElementType::all() {
            if found.name().strip_prefix(ours) == Some(rest) {
                return Some(found);
            }
        }
    }
    None
}

/// The choice whose name differs from `name` in the fewest letters, if they are few for its
/// length; names that begin alike win.
#[doc(hidden)]
pub fn nearest<T>(name: &str, choices: impl Iterator<Item = (&'static str, T)>) -> Option<T> {
    if name.len() > LONGEST {
        return None;
    }
    let limit = match name.len() {
        0 | 1 => return None,
        2..=4 => 1,
        5..=7 => 2,
        _ => 3,
    };
    let mut least = usize::MAX;
    let mut best = None;
    for (text, it) in choices {
        let score = score(name.as_bytes(), text.as_bytes(), limit);
        if score < least {
            least = score;
            best = Some(it);
        }
    }
    best
}

/// The lower, the nearer; `usize::MAX` where more than `limit` letters differ, or half of the
/// candidate's: `str32` is no `s32`.
fn score(name: &[u8], candidate: &[u8], limit: usize) -> usize {
    let far = distance(name, candidate);
    if far > limit || 2 * far > candidate.len() {
        return usize::MAX;
    }
    let other_start = name.first() != candidate.first();
    far * 2 + usize::from(other_start)
}

/// How many letters to insert, delete, replace or swap to get from `a` to `b`.
fn distance(a: &[u8], b: &[u8]) -> usize {
    const N: usize = LONGEST + 1;
    if a.len() >= N || b.len() >= N {
        return usize::MAX / 4;
    }
    // Three rows of the table of distances between beginnings of `a` and of `b`.
    let mut rows = [[0usize; N]; 3];
    for (j, cell) in rows[0].iter_mut().enumerate() {
        *cell = j;
    }
    for i in 1..=a.len() {
        let now = i % 3;
        let previous = (i + 2) % 3;
        let before_previous = (i + 1) % 3;
        rows[now][0] = i;
        for j in 1..=b.len() {
            let same = a[i - 1] == b[j - 1];
            let mut best = (rows[previous][j] + 1).min(rows[now][j - 1] + 1);
            best = best.min(rows[previous][j - 1] + usize::from(!same));
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                best = best.min(rows[before_previous][j - 2] + 1);
            }
            rows[now][j] = best;
        }
    }
    rows[a.len() % 3][b.len()]
}
