//! The text of a declaration: its lists and their names.

use crate::kernel::stop;

/// A name in the text, by its first byte and the byte after its last one.
pub(super) type Name = (usize, usize);

/// The names of sizes, or Shardy's rule.
#[derive(Clone, Copy, Debug)]
pub(super) struct Text(pub(super) &'static str);

impl Text {
    pub(super) const fn byte(&self, at: usize) -> u8 {
        self.0.as_bytes()[at]
    }

    /// Where `->` begins.
    #[track_caller]
    pub(super) const fn arrow(&self) -> Option<usize> {
        let mut found = None;
        let mut k = 0;
        while k < self.0.len() {
            match self.byte(k) {
                b'-' => {
                    if k + 1 == self.0.len() || self.byte(k + 1) != b'>' || found.is_some() {
                        stop("the rule of `independent` has one `->`: write `i _, _ -> i`");
                    }
                    found = Some(k);
                    k += 2;
                }
                b'>' => stop("the rule of `independent` has one `->`: write `i _, _ -> i`"),
                _ => k += 1,
            }
        }
        found
    }

    const fn is_letter(&self, at: usize) -> bool {
        let byte = self.byte(at);
        byte.is_ascii_alphanumeric() || byte == b'_'
    }

    /// The number of lists between two positions of the text.
    pub(super) const fn lists(&self, mut from: usize, to: usize) -> usize {
        let (mut lists, mut empty) = (1, true);
        while from < to {
            empty = empty && self.byte(from) == b' ';
            lists += (self.byte(from) == b',') as usize;
            from += 1;
        }
        // Nothing between them: no list, or one of an array without dimensions.
        if empty { 0 } else { lists }
    }

    /// The `index`th word of the `list`th list of a part of the text.
    pub(super) const fn word(&self, (from, to): Name, list: usize, index: usize) -> Option<Name> {
        let (mut at, mut lists, mut words) = (from, 0, 0);
        while at < to {
            if self.byte(at) == b',' {
                lists += 1;
                at += 1;
            } else if self.is_letter(at) {
                let start = at;
                while at < to && self.is_letter(at) {
                    at += 1;
                }
                if lists == list {
                    if words == index {
                        return Some((start, at));
                    }
                    words += 1;
                }
            } else {
                at += 1;
            }
        }
        None
    }

    /// The part of the rule with the lists of the arguments, or of the results.
    pub(super) const fn side(&self, arrow: usize, is_result: bool) -> Name {
        if is_result {
            (arrow + 2, self.0.len())
        } else {
            (0, arrow)
        }
    }

    /// Returns the position of a size's name in the list of names.
    pub(super) const fn listed(&self, name: &str) -> Option<Name> {
        let mut k = 0;
        while let Some(word) = self.word((0, self.0.len()), 0, k) {
            if self.is(word, name.as_bytes()) {
                return Some(word);
            }
            k += 1;
        }
        None
    }

    const fn is(&self, (start, end): Name, name: &[u8]) -> bool {
        if end - start != name.len() {
            return false;
        }
        let mut k = 0;
        while k < name.len() {
            if self.byte(start + k) != name[k] {
                return false;
            }
            k += 1;
        }
        true
    }

    pub(super) const fn same(&self, a: Name, b: Name) -> bool {
        let (_, name) = self.0.as_bytes().split_at(b.0);
        let (name, _) = name.split_at(b.1 - b.0);
        self.is(a, name)
    }

    pub(super) const fn alike(&self, a: Option<Name>, b: Option<Name>) -> bool {
        match (a, b) {
            (Some(a), Some(b)) => self.same(a, b),
            (None, None) => true,
            _ => false,
        }
    }
}

/// A message that is put together while the compiler runs.
pub(in crate::kernel) struct Message {
    bytes: [u8; 1024],
    len: usize,
}

impl Message {
    pub(in crate::kernel) const NONE: Self = Self {
        bytes: [0; 1024],
        len: 0,
    };

    /// Adds texts, each if there is space for all of it.
    pub(in crate::kernel) const fn add(&mut self, texts: &[&str]) {
        let mut t = 0;
        while t < texts.len() {
            let text = texts[t].as_bytes();
            if text.len() <= self.bytes.len() - self.len {
                let (_, rest) = self.bytes.split_at_mut(self.len);
                rest.split_at_mut(text.len()).0.copy_from_slice(text);
                self.len += text.len();
            }
            t += 1;
        }
    }

    #[track_caller]
    pub(in crate::kernel) const fn stop(&self) -> ! {
        match str::from_utf8(self.bytes.split_at(self.len).0) {
            Ok(text) => stop(text),
            Err(_) => stop("texts are added as a whole"),
        }
    }
}
