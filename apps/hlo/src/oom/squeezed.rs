//! A text without its blanks, and what a sentence says in it.
//!
//! A terminal wraps a sentence at any place, also inside of a word, so words are compared without
//! blanks, and in small letters.

use memchr::memmem::Finder;

use crate::size::parse_size;

/// A text as it is compared.
pub(super) fn squeezed(text: &str) -> String {
    let chars = text.chars().filter(|char| !char.is_whitespace());
    chars.map(|char| char.to_ascii_lowercase()).collect()
}

/// A text, and where each of its characters is in the text without blanks.
pub(super) struct Squeezed<'a> {
    text: &'a str,
    compared: String,
    /// The place in the text of each byte that is compared.
    places: Vec<usize>,
}

impl<'a> Squeezed<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        let chars = text
            .char_indices()
            .filter(|(_, char)| !char.is_whitespace());
        let places = chars.flat_map(|(at, char)| (0..char.len_utf8()).map(move |byte| at + byte));
        Self {
            text,
            compared: squeezed(text),
            places: places.collect(),
        }
    }

    /// Where the text has these words, with where each begins and ends.
    pub(super) fn places_of(&self, words: &Finder<'_>) -> impl Iterator<Item = (usize, usize)> {
        let length = words.needle().len();
        let starts = words.find_iter(self.compared.as_bytes());
        let end = |last: usize| {
            let next = self.places.get(last).copied();
            next.unwrap_or(self.text.len())
        };
        starts.map(move |at| (self.places[at], end(at + length)))
    }

    pub(super) fn has(&self, words: &str) -> bool {
        self.compared.contains(words)
    }

    /// The text between two places of what is compared.
    fn between(&self, from: usize, to: usize) -> &'a str {
        match (self.places.get(from), self.places.get(to)) {
            (Some(&from), Some(&to)) => self.text[from..to].trim(),
            (Some(&from), None) => self.text[from..].trim(),
            (None, _) => "",
        }
    }

    /// Calls `put` with the fields of what a form says whose words begin at `begin`: the name,
    /// the text, and its bytes. Returns whether the text says it. At the end of a text a number
    /// may go on in the next line, unless this is the end.
    pub(super) fn read(
        &self,
        (says, begin): (&str, usize),
        is_end: bool,
        mut put: impl FnMut(&str, &'a str, Option<u64>),
    ) -> bool {
        let begin = self.places.partition_point(|&place| place < begin);
        let before = says.strip_prefix('<');
        let mut words = before.unwrap_or(says).split('{');
        let first = squeezed(words.next().unwrap_or_default());
        let parts: Vec<_> = words.map(Part::new).collect();
        let is_there = |at: usize| (at < begin) == before.is_some();
        let mut starts = self
            .compared
            .match_indices(&first)
            .filter(|(at, _)| is_there(*at));
        let found = starts.find_map(|(at, _)| self.fields(at + first.len(), &parts, is_end));
        for (name, value, bytes) in found.iter().flatten() {
            put(name, value, *bytes);
        }
        found.is_some()
    }

    /// Whether what was taken for the unit of a number is the first letter of a word: in
    /// `49.34⏎Error` the unit is cut off.
    fn begins_a_word(&self, from: usize, to: usize) -> bool {
        let places = self.places[from..to].windows(2);
        let is_apart = places.into_iter().any(|pair| pair[1] > pair[0] + 1);
        let next = self.text[self.places[to - 1] + 1..].chars().next();
        is_apart && next.is_some_and(|next| next.is_ascii_alphabetic())
    }

    /// The fields that begin at a place, with the words behind each.
    fn fields<'f>(
        &self,
        mut at: usize,
        parts: &[Part<'f>],
        is_end: bool,
    ) -> Option<Vec<(&'f str, &'a str, Option<u64>)>> {
        let mut found = Vec::new();
        for Part {
            name,
            has_unit,
            behind,
        } in parts
        {
            let rest = &self.compared[at..];
            let is_behind = |at: usize| rest[at..].starts_with(behind.as_str());
            let mut bytes = None;
            let length = match *name {
                "used" | "more" | "limit" | "most" | "taken" | "excess" | "piece" | "kept" => {
                    let (size, mut length) = leading_size(rest, *has_unit, is_end)?;
                    // `6.04 GB` of 1024 MB
                    let is_byte = rest[length..].starts_with('b') && is_behind(length + 1);
                    length += usize::from(is_byte && !is_behind(length));
                    if self.begins_a_word(at, at + length) {
                        return None;
                    }
                    bytes = Some(size);
                    is_behind(length).then_some(length)?
                }
                "space" => {
                    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
                    let end = rest
                        .find(|c| !is_name(c))
                        .or(is_end.then_some(rest.len()))?;
                    let end = ["while", "used"]
                        .into_iter()
                        .fold(end, |end, word| rest[..end].find(word).unwrap_or(end));
                    is_behind(end).then_some(end)?
                }
                "kernel" => rest.len(),
                _ => rest.find(behind.as_str())?,
            };
            found.push((*name, self.between(at, at + length), bytes));
            at += length + behind.len();
        }
        Some(found)
    }
}

/// A field of what a form says, and the words behind it.
struct Part<'f> {
    name: &'f str,
    /// Whether a number has a unit.
    has_unit: bool,
    behind: String,
}

impl<'f> Part<'f> {
    /// Reads `used} of `.
    fn new(text: &'f str) -> Self {
        let (name, behind) = text.split_once('}').unwrap_or((text, ""));
        let number = name.strip_suffix('#');
        Self {
            name: number.unwrap_or(name),
            has_unit: number.is_none(),
            behind: squeezed(behind),
        }
    }
}

/// The bytes at the beginning of what is compared, `64.00gof15.48ghbm`, and their length. `None`
/// if the text may end inside of them.
fn leading_size(text: &str, has_unit: bool, is_end: bool) -> Option<(u64, usize)> {
    const UNITS: [&str; 14] = [
        "kib", "mib", "gib", "tib", "pib", "eib", "bytes", "byte", "k", "m", "g", "t", "p", "e",
    ];
    let is_group = |at: usize| {
        let group = text.as_bytes().get(at + 1..at + 4);
        let is_next = text[at..].starts_with(',') && at > 0;
        is_next && group.is_some_and(|group| group.iter().all(u8::is_ascii_digit))
    };
    let is_inside = |at: usize, c: char| c.is_ascii_digit() || c == '.' || is_group(at);
    let end = text.char_indices().find(|&(at, c)| !is_inside(at, c));
    let mut digits = end.map_or(text.len(), |(at, _)| at);
    // A sentence ends behind a number without a unit: `1024.`
    digits = text[..digits].trim_end_matches('.').len();
    let number = text[..digits].replace(',', "");
    let behind = &text[digits..];
    let unit = UNITS.into_iter().find(|unit| behind.starts_with(unit));
    let unit = match unit {
        Some(unit) => unit,
        None if behind.starts_with('b') => "b",
        // `64.00` has lost its unit, and the last digits of a number may be in the next line.
        None if has_unit || !is_end && behind.trim_start_matches('.').is_empty() => return None,
        None => "",
    };
    let written = match unit {
        "" | "b" | "byte" | "bytes" => number,
        _ => format!("{number}{}", unit[..1].to_ascii_uppercase()),
    };
    Some((parse_size(&written).ok()?, digits + unit.len()))
}
