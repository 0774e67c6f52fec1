//! Texts in quotes: options of the attribute, and lines of documentation.

use proc_macro2::{Literal, TokenStream, TokenTree};
use quote::ToTokens;

use crate::mistake::TokenRange;

/// A text in quotes.
pub(super) struct Quoted {
    literal: Literal,
    value: String,
}

impl Quoted {
    /// Reads `"text"`, `r"text"` or `r#"text"#`. Nothing else is one, nor is a text with a suffix.
    pub(super) fn read(token: &TokenTree) -> Option<Self> {
        let TokenTree::Literal(literal) = token else {
            return None;
        };
        Some(Self {
            literal: literal.clone(),
            value: value(&literal.to_string())?,
        })
    }

    /// The text that the quotes mean.
    pub(super) fn value(&self) -> &str {
        &self.value
    }

    /// The text as it is written, with its quotes.
    pub(super) fn literal(&self) -> &Literal {
        &self.literal
    }

    pub(super) fn place(&self) -> TokenRange {
        self.literal.span().into()
    }
}

impl ToTokens for Quoted {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        self.literal.to_tokens(tokens);
    }
}

fn value(written: &str) -> Option<String> {
    if let Some(raw) = written.strip_prefix('r') {
        let quoted = raw.trim_start_matches('#');
        let marks = &raw[..raw.len() - quoted.len()];
        let inside = quoted.strip_prefix('"')?.strip_suffix(marks)?;
        return Some(inside.strip_suffix('"')?.to_owned());
    }
    let mut left = written.strip_prefix('"')?.strip_suffix('"')?;
    let mut value = String::new();
    while let Some((plain, escape)) = left.split_once('\\') {
        value.push_str(plain);
        let mut characters = escape.chars();
        let character = match characters.next()? {
            'n' => '\n',
            'r' => '\r',
            't' => '\t',
            '0' => '\0',
            'x' => {
                let digits = escape.get(1..3)?;
                characters = escape[3..].chars();
                char::from(u8::from_str_radix(digits, 16).ok()?)
            }
            'u' => {
                let (digits, behind) = escape.strip_prefix("u{")?.split_once('}')?;
                characters = behind.chars();
                char::from_u32(u32::from_str_radix(&digits.replace('_', ""), 16).ok()?)?
            }
            // The text goes on in the next line, behind its blanks.
            '\n' => {
                left = characters.as_str().trim_start();
                continue;
            }
            character @ ('\\' | '"' | '\'') => character,
            _ => return None,
        };
        value.push(character);
        left = characters.as_str();
    }
    value.push_str(left);
    Some(value)
}

#[cfg(test)]
mod tests {
    use super::value;

    #[test]
    fn texts_in_quotes() {
        let texts = [
            (r#""""#, Some("")),
            (r#""plain é""#, Some("plain é")),
            (r#""a\n\r\t\0\\\"\'""#, Some("a\n\r\t\0\\\"'")),
            (r#""\x41\u{e9}\u{1_F600}!""#, Some("Aé😀!")),
            ("\"one \\\n   two\"", Some("one two")),
            ("\"one\n two\"", Some("one\n two")),
            (r##"r"a\n""##, Some("a\\n")),
            (r###"r#"a "b" c"#"###, Some("a \"b\" c")),
            (r#"b"x""#, None),
            (r#"c"x""#, None),
            (r#""x"suffix"#, None),
            (r#""\q""#, None),
            ("'x'", None),
            ("12", None),
        ];
        for (written, expected) in texts {
            assert_eq!(value(written).as_deref(), expected, "{written}");
        }
    }
}
