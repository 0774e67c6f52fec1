//! Names cut into texts and numbers.

use std::collections::BTreeSet;

use xlayout_words::short;

/// A name, cut at its numbers.
pub(super) struct Cut<'a> {
    /// Before, between and after the numbers.
    pub(super) texts: Vec<&'a str>,
    pub(super) numbers: Vec<u64>,
}

impl<'a> Cut<'a> {
    pub(super) fn new(name: &'a str) -> Self {
        let mut texts = Vec::new();
        let mut numbers = Vec::new();
        let mut text_begin = 0;
        let mut at = 0;
        while let Some(before) = name[at..].find(|c: char| c.is_ascii_digit()) {
            let begin = at + before;
            at = begin + digits(&name[begin..]);
            // A number that is longer than any count of files is a text.
            if let Ok(number) = name[begin..at].parse() {
                texts.push(&name[text_begin..begin]);
                numbers.push(number);
                text_begin = at;
            }
        }
        texts.push(&name[text_begin..]);
        Self { texts, numbers }
    }

    /// Whether a number says how many files there are, of which `place` is the number of this one.
    pub(super) fn is_total(&self, column: usize, place: usize) -> bool {
        let letters = |c: char| !c.is_ascii_alphanumeric();
        let before = self.texts[column].trim_matches(letters);
        column == place + 1 && before.eq_ignore_ascii_case("of")
            || column != place && before.to_ascii_lowercase().ends_with("world_size")
    }
}

/// The number of digits at the beginning of a text.
pub(super) fn digits(text: &str) -> usize {
    text.find(|c: char| !c.is_ascii_digit())
        .unwrap_or(text.len())
}

/// Checks that numbers are 0, 1, …, or 1, 2, …, or those of the devices.
pub(super) fn check_all(
    all: &BTreeSet<u64>,
    devices: &[u64],
    names: &[&str],
) -> Result<(), String> {
    let begin = all.first().copied().unwrap_or(0);
    let mut behind = all.iter().map(|number| number - begin).zip(0..);
    let gap = behind.find(|(is, wanted)| is != wanted);
    let known = all.iter().eq(devices);
    match gap.map(|(_, behind)| begin + behind) {
        _ if known => Ok(()),
        None if begin <= 1 => Ok(()),
        Some(missing) if begin <= 1 => Err(format!(
            "none of its files has the number {missing}: a part is missing; bring it there, or \
             write the files in their sequence, `files = [{}]`",
            quoted(names)
        )),
        _ => Err(format!(
            "the numbers of its files begin with {begin}; write the devices of these numbers in \
             `from`, or the files in their sequence, `files = [{}]`",
            quoted(names)
        )),
    }
}

/// The first names in quotes, sorted by their numbers; `…` if there are more.
pub(super) fn quoted(names: &[&str]) -> String {
    let mut sorted = names.to_vec();
    sorted.sort_by_cached_key(|name| {
        let cut = Cut::new(name);
        (cut.texts.concat(), cut.numbers)
    });
    some(3, sorted.iter().map(|name| format!("\"{}\"", short(name))))
}

/// The first texts of many, with commas between them; `…` if there are more.
pub(crate) fn some(limit: usize, mut texts: impl Iterator<Item = String>) -> String {
    let mut first: Vec<String> = texts.by_ref().take(limit).collect();
    first.extend(texts.next().map(|_| "…".to_owned()));
    first.join(", ")
}
