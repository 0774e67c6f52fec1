//! Values as Python prints them: calls, lists, texts, numbers.
//!
//! ```text
//! items = { [ key ( "=" | ":" ) ] value [ "," ] }
//! value = text | word | word "(" items ")" | "(" items ")" | "[" items "]" | "{" items "}"
//! ```
//!
//! A comma may be missing, as in an array of NumPy. What stands in `<` and `>` is a word, and so is
//! a name behind stars. From `#` on a line is a comment.

use std::ops::Range;

use crate::error::{Error, TextSpan};

/// What the text is called in errors.
pub(super) const SHARDING: &str = "SHARDING";
/// What to write, where nothing was understood.
pub(super) const FORMS: &str = "write XLA's `{devices=[2,4]<=[8]}`, Shardy's `#sdy.sharding<mesh<[\"x\"=2]>, \
                     [{\"x\"}, {}]>`, JAX's `NamedSharding(mesh=Mesh('x': 2), \
                     spec=PartitionSpec('x', None))`, or PyTorch's `[Shard(dim=0), Replicate()]` \
                     with `--mesh 2,4`";

/// The deepest value that is read.
const DEPTH: usize = 32;

/// A value.
#[derive(Clone, Debug)]
pub(super) struct Value<'a> {
    /// The name of a call, a number, the letters of a text; empty for a list.
    pub(super) word: &'a str,
    /// Whether it stood in quotes.
    pub(super) is_text: bool,
    /// What is in the parentheses of a call or a list.
    pub(super) items: Option<Vec<Item<'a>>>,
    pub(super) span: Range<usize>,
}

/// A value with the key before it.
#[derive(Clone, Debug)]
pub(super) struct Item<'a> {
    pub(super) key: Option<&'a str>,
    pub(super) value: Value<'a>,
}

impl<'a> Value<'a> {
    /// The last part of the name of a call: `Mesh` of `jax.sharding.Mesh`.
    pub(super) fn name(&self) -> &'a str {
        self.word.rsplit('.').next().unwrap_or(self.word)
    }

    pub(super) fn number(&self) -> Option<i64> {
        self.word.parse().ok()
    }

    /// The items of a call or a list; none of anything else.
    pub(super) fn items(&self) -> &[Item<'a>] {
        self.items.as_deref().unwrap_or(&[])
    }

    /// The item with a key, else the one at a place without key.
    pub(super) fn argument(&self, key: &str, place: usize) -> Option<&Self> {
        let items = self.items();
        let named = items.iter().find(|item| item.key == Some(key));
        let positional = || {
            let mut positional = items.iter().filter(|item| item.key.is_none());
            positional.nth(place)
        };
        named.or_else(positional).map(|item| &item.value)
    }

    /// The first call of one of these names, in this value or inside it.
    pub(super) fn call(&self, names: &[&str]) -> Option<&Self> {
        self.all(names).into_iter().next()
    }

    /// The calls of one of these names, in this value or inside it, but not inside each other.
    pub(super) fn all(&self, names: &[&str]) -> Vec<&Self> {
        if !self.is_text && names.contains(&self.name()) {
            return vec![self];
        }
        let inside = self.items().iter();
        inside.flat_map(|item| item.value.all(names)).collect()
    }
}

/// Reads all values of a text.
///
/// # Errors
/// The place where the text is no such value.
pub(super) fn read(text: &str) -> Result<Value<'_>, Range<usize>> {
    let mut reader = Reader { text, at: 0 };
    let items = reader.items(None, 0)?;
    Ok(Value {
        word: "",
        is_text: false,
        items: Some(items),
        span: 0..text.len(),
    })
}

/// The calls of these names in a program, of which the rest is not read.
pub(super) fn calls<'a>(text: &'a str, names: &[&str]) -> Value<'a> {
    let mut reader = Reader { text, at: 0 };
    let mut items = Vec::new();
    while let Some(next) = reader.peek() {
        let start = reader.at;
        let word = if next == '<' { "" } else { reader.word() };
        let name = word.rsplit('.').next().unwrap_or(word);
        if names.contains(&name) && reader.rest().starts_with('(') {
            reader.at = start;
            if let Ok(value) = reader.value(0) {
                items.push(Item { key: None, value });
                continue;
            }
        }
        reader.at = start + word.len().max(next.len_utf8());
    }
    Value {
        word: "",
        is_text: false,
        items: Some(items),
        span: 0..text.len(),
    }
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Reader<'a> {
    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn peek(&mut self) -> Option<char> {
        loop {
            self.at = self.text.len() - self.rest().trim_start().len();
            if !self.rest().starts_with('#') {
                return self.rest().chars().next();
            }
            self.at += self.rest().find('\n').unwrap_or(self.rest().len());
        }
    }

    /// Where the text is wrong: the next letter.
    fn wrong(&self) -> Range<usize> {
        let letter = self.rest().chars().next().map_or(0, char::len_utf8);
        self.at..self.at + letter
    }

    fn items(&mut self, close: Option<char>, depth: usize) -> Result<Vec<Item<'a>>, Range<usize>> {
        let mut items = Vec::new();
        loop {
            let next = self.peek();
            if next == close {
                self.at += close.map_or(0, char::len_utf8);
                return Ok(items);
            }
            if next == Some(',') && !items.is_empty() {
                self.at += 1;
                continue;
            }
            let value = self.value(depth)?;
            let is_key = value.items.is_none() && matches!(self.peek(), Some('=' | ':'));
            if !is_key {
                items.push(Item { key: None, value });
                continue;
            }
            self.at += 1;
            items.push(Item {
                key: Some(value.word),
                value: self.value(depth)?,
            });
        }
    }

    fn value(&mut self, depth: usize) -> Result<Value<'a>, Range<usize>> {
        let first = self.peek();
        let start = self.at;
        if depth == DEPTH {
            return Err(self.wrong());
        }
        if let Some(quote @ ('\'' | '"')) = first {
            let inside = start + 1;
            let Some(len) = self.text[inside..].find(quote) else {
                return Err(start..self.text.len());
            };
            self.at = inside + len + 1;
            return Ok(Value {
                word: &self.text[inside..inside + len],
                is_text: true,
                items: None,
                span: start..self.at,
            });
        }
        let word = self.word();
        let close = match self.rest().chars().next() {
            Some('(') => Some(')'),
            Some('[') if word.is_empty() => Some(']'),
            Some('{') if word.is_empty() => Some('}'),
            _ => None,
        };
        let items = match close {
            Some(_) => {
                self.at += 1;
                Some(self.items(close, depth + 1)?)
            }
            None if word.is_empty() => return Err(self.wrong()),
            None => None,
        };
        Ok(Value {
            word,
            is_text: false,
            items,
            span: start..self.at,
        })
    }

    fn word(&mut self) -> &'a str {
        let rest = self.rest();
        let len = if rest.starts_with('<') {
            rest.find('>').map_or(0, |end| end + 1)
        } else {
            let is_of_word = |letter: char| letter.is_alphanumeric() || "_.-+*".contains(letter);
            rest.find(|letter| !is_of_word(letter))
                .unwrap_or(rest.len())
        };
        self.at += len;
        &rest[..len]
    }
}

/// A name of the program that made the sharding.
pub(super) fn without_value(text: &str, value: &Value<'_>) -> Error {
    let name = &text[value.span.clone()];
    let what = format!("the text does not say the value of `{name}`");
    let help = "write what it is, `('data', None)`, and the axes of the mesh: `--mesh data=2`";
    wrong(text, value, &what, help)
}

pub(super) fn wrong(text: &str, value: &Value<'_>, what: &str, help: &str) -> Error {
    Error::new(what)
        .at(TextSpan::of_argument(SHARDING, text, value.span.clone()))
        .help(help)
}
