//! The text of a declaration, the names of sizes or Shardy's rule: its lists and their names.

use xlayout_shape::const_text::stop;

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
    let (mut lists, mut empty) = (1, true);
    each!(byte, text.as_bytes(), {
        empty &= *byte == b' ';
        lists += (*byte == b',') as usize;
    });
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
