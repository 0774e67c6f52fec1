//! The text of a declaration, the names of sizes or Shardy's rule: its lists and their names.

use crate::kernel::stop;

/// Where `->` begins.
#[track_caller]
pub(super) const fn arrow(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let (mut found, mut k) = (None, 0);
    while k < bytes.len() {
        match bytes[k] {
            b'-' => {
                if k + 1 == bytes.len() || bytes[k + 1] != b'>' || found.is_some() {
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

/// The number of lists of a part of the text.
pub(super) const fn lists(text: &str) -> usize {
    let (mut lists, mut empty, mut at) = (1, true, 0);
    while at < text.len() {
        empty = empty && text.as_bytes()[at] == b' ';
        lists += (text.as_bytes()[at] == b',') as usize;
        at += 1;
    }
    // Nothing between them: no list, or one of an array without dimensions.
    if empty { 0 } else { lists }
}

/// The `index`th word of the `list`th list of a part of the text.
pub(super) const fn word(text: &str, list: usize, index: usize) -> Option<&str> {
    let bytes = text.as_bytes();
    let (mut at, mut lists, mut words) = (0, 0, 0);
    while at < bytes.len() {
        let start = at;
        while at < bytes.len() && (bytes[at].is_ascii_alphanumeric() || bytes[at] == b'_') {
            at += 1;
        }
        if at == start {
            lists += (bytes[at] == b',') as usize;
            at += 1;
        } else if lists == list {
            if words == index {
                return Some(text.split_at(at).0.split_at(start).1);
            }
            words += 1;
        }
    }
    None
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
