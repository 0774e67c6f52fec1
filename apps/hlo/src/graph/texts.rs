//! The texts of a module, such as names, each distinct one once.
//!
//! All texts are in one string, and a hash table finds their numbers: a text takes its bytes and
//! about 20 more.

use std::hash::BuildHasher;

use hashbrown::{DefaultHashBuilder, HashTable};

/// The number of a text; 0 is the empty text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Text(pub(super) u32);

/// The numbers of a table, limited to those below a maximum.
#[derive(Debug)]
pub(super) struct Numbers {
    limit: u32,
    is_full: bool,
}

impl Default for Numbers {
    fn default() -> Self {
        Self::below(u32::MAX)
    }
}

impl Numbers {
    const fn below(limit: u32) -> Self {
        Self {
            limit,
            is_full: false,
        }
    }

    /// Returns the number of the next entry of a table with `entries` entries; `None` if no number
    /// is left.
    pub(super) fn next(&mut self, entries: usize) -> Option<u32> {
        let number = u32::try_from(entries).ok();
        let number = number.filter(|&number| number < self.limit);
        self.is_full |= number.is_none();
        number
    }

    /// Whether an entry was not added because no number was left.
    pub(super) const fn is_full(&self) -> bool {
        self.is_full
    }
}

#[derive(Debug, Default)]
pub(crate) struct Texts {
    /// The texts, concatenated.
    all: String,
    /// The end of each text but the empty one, which is the start of the next.
    ends: Vec<usize>,
    /// The number and the hash of each text but the empty one; the hash avoids most comparisons
    /// with other texts.
    places: HashTable<(u32, u32)>,
    hash: DefaultHashBuilder,
    pub(super) numbers: Numbers,
}

impl Texts {
    pub(crate) fn get(&self, text: Text) -> &str {
        let end = |number: u32| number.checked_sub(1).map_or(0, |at| self.ends[at as usize]);
        &self.all[end(text.0.saturating_sub(1))..end(text.0)]
    }

    /// Returns the number of a text, and adds a new text. Returns the empty text if no number is
    /// left; then [`is_full`](Numbers::is_full) is true.
    pub(crate) fn add(&mut self, text: &str) -> Text {
        if text.is_empty() {
            return Text::default();
        }
        let hash = self.hash(text);
        if let Some(known) = self.find(text, hash) {
            return known;
        }
        let Some(number) = self.numbers.next(self.ends.len() + 1) else {
            return Text::default();
        };
        self.all.push_str(text);
        self.ends.push(self.all.len());
        self.places
            .insert_unique(spread(hash), (number, hash), |&(_, hash)| spread(hash));
        Text(number)
    }

    /// Whether a text was not added because no number was left.
    pub(crate) const fn is_full(&self) -> bool {
        self.numbers.is_full()
    }

    /// Texts whose numbers are below `most`.
    #[cfg(test)]
    pub(crate) fn below(most: u32) -> Self {
        Self {
            numbers: Numbers::below(most),
            ..Self::default()
        }
    }

    /// The number of a text, if it is there.
    pub(crate) fn known(&self, text: &str) -> Option<Text> {
        match text {
            "" => Some(Text::default()),
            _ => self.find(text, self.hash(text)),
        }
    }

    fn hash(&self, text: &str) -> u32 {
        self.hash.hash_one(text) as u32
    }

    /// The number of a text with this hash.
    fn find(&self, text: &str, hash: u32) -> Option<Text> {
        let same = |&(number, other): &(u32, u32)| other == hash && self.get(Text(number)) == text;
        Some(Text(self.places.find(spread(hash), same)?.0))
    }
}

/// Spreads a hash over all 64 bits, since the table also uses the highest ones.
const fn spread(hash: u32) -> u64 {
    // The factor is odd, so that distinct hashes stay distinct.
    (hash as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

#[cfg(test)]
mod tests {
    use super::super::{Builder, Header};
    use super::*;
    use crate::opcode::Opcode;

    #[test]
    fn each_text_is_kept_once() {
        let mut texts = Texts::default();
        let text = |k: u32| format!("é{}", k * 7 % 3001);
        let numbers: Vec<Text> = (0..9000).map(|k| texts.add(&text(k))).collect();
        assert_eq!(texts.add(""), Text::default());
        assert_eq!(texts.get(Text::default()), "");
        for (k, &number) in (0..).zip(&numbers) {
            assert_eq!(texts.get(number), text(k));
            assert_eq!(number, numbers[k as usize % 3001]);
        }
        assert_eq!(texts.ends.len(), 3001);
        assert_eq!(texts.known(&text(5)), Some(numbers[5]));
        assert_eq!((texts.known(""), texts.known("x")), (Some(Text(0)), None));
    }

    /// An instruction whose name, attribute or place gets no number is reported.
    #[test]
    fn texts_and_places_that_have_no_number_are_told() {
        let names = |builder: &mut Builder, name: &str, rest: &str| {
            let header = Header {
                name: name.to_owned(),
                opcode: Opcode::Parameter,
                opcode_text: "parameter".to_owned(),
                ..Header::default()
            };
            let done = builder.instruction(&header, rest);
            done.map_err(|wrong| wrong.message)
        };
        let mut builder = Builder::default();
        // The empty text, the value, the name, the operation.
        builder.module.texts.numbers = Numbers::below(4);
        assert_eq!(names(&mut builder, "a", "(0)"), Ok(()));
        let said = names(&mut builder, "b", "(0)").unwrap_err();
        assert!(
            said.ends_with("2^32 distinct names and values of attributes"),
            "{said}"
        );

        let mut builder = Builder::default();
        builder.module.origins.numbers = Numbers::below(2);
        for (name, expected) in [("a", true), ("b", true), ("c", false)] {
            let place = if expected { "f" } else { "g" };
            let rest = format!("(0), metadata={{op_name=\"{place}\"}}");
            let said = names(&mut builder, name, &rest);
            assert_eq!(said.is_ok(), expected, "{said:?}");
        }
    }
}
