//! What a session of Python printed: prompts, quotes and comments taken away, and each value with
//! the name of what it is.
//!
//! ```text
//! In [3]: a.shape, a.strides
//! Out[3]: ((2, 3), (12, 4))          shape=(2, 3), strides=(12, 4)
//! >>> x.sharding
//! PositionalSharding([[{CPU 0}]])    PositionalSharding([[{CPU 0}]])
//! print(x.stride())  # (3, 1)        stride=(3, 1)
//! ```
//!
//! Without prompts, a line that prints is code, and comments behind it are values. What an
//! expression asks of one object is one array.

use std::borrow::Cow;

use crate::words::joined;

/// What an expression ends with, and the field that its value is.
const FIELDS: [(&str, &str); 7] = [
    ("shape", "shape"),
    ("size()", "size"),
    ("strides", "strides"),
    ("stride()", "stride"),
    ("storage_offset()", "storage_offset"),
    ("dtype", "dtype"),
    ("ndim", "ndim"),
];

/// How values begin that say no layout: then the code may.
const NO_LAYOUT: [&str; 4] = ["Traceback", "tensor([", "array([", "Array(["];

/// The fields of one object.
struct Array<'t> {
    object: &'t str,
    fields: Vec<(&'static str, Cow<'t, str>)>,
}

/// What a session printed; any other text as it is.
pub(crate) fn printed(text: &str) -> Cow<'_, str> {
    let Some(values) = values(text) else {
        return Cow::Borrowed(text);
    };
    let arrays = arrays_of(&values);
    if !arrays.is_empty() {
        return Cow::Owned(joined(&arrays, "\n"));
    }
    let is_other = |value: &str| {
        let is_prose = value.chars().all(|c| c.is_ascii_lowercase() || c == ' ');
        is_prose || NO_LAYOUT.iter().any(|begin| value.starts_with(begin))
    };
    let values = values.iter().map(|value| value.1.trim());
    let values: Vec<&str> = values
        .filter(|value| !value.is_empty() && !is_other(value))
        .collect();
    if values.is_empty() {
        return Cow::Borrowed(text);
    }
    Cow::Owned(joined(&values, "\n"))
}

/// The arrays of which a session printed fields, in the order of the text.
pub(crate) fn arrays(text: &str) -> Vec<String> {
    values(text).map_or_else(Vec::new, |values| arrays_of(&values))
}

/// Each expression with what it printed; `None` for a text that is no session.
fn values(text: &str) -> Option<Vec<(&str, String)>> {
    let is_quote = |line: &&str| line.starts_with('>') && !line.starts_with(">>>");
    let is_quoted = text.lines().all(|line| is_quote(&line));
    let quote = usize::from(is_quoted);
    let lines = || text.lines().map(|line| line[quote..].trim());
    let has_prompts = lines().any(|line| code(line).is_some());
    if !has_prompts && !lines().any(|line| line.starts_with("print(")) {
        return None;
    }
    let mut values: Vec<(&str, String)> = Vec::new();
    // A page has the code of a cell below its prompt, up to an empty line.
    let mut is_cell = false;
    for line in lines() {
        let is_begin = line.starts_with("In [") && line.ends_with("]:");
        let is_empty = values.last().is_some_and(|(code, _)| code.is_empty());
        is_cell = is_begin || is_cell && (!line.is_empty() || is_empty);
        let code_of_line = if is_cell && !is_begin {
            Some(line)
        } else if has_prompts {
            code(line)
        } else {
            Some(line).filter(|line| line.starts_with("print("))
        };
        if let Some(code) = code_of_line {
            let (code, comment) = without_comment(code);
            values.push((code, comment.to_owned()));
        } else if let Some((_, value)) = values.last_mut() {
            let value_of_line = if has_prompts {
                let out = line
                    .strip_prefix("Out[")
                    .and_then(|rest| rest.split_once("]:"));
                without_comment(out.map_or(line, |out| out.1)).0
            } else {
                comment_of(line).unwrap_or_default()
            };
            *value += "\n";
            *value += value_of_line;
        }
    }
    Some(values)
}

/// The code behind a prompt of Python or IPython.
fn code(line: &str) -> Option<&str> {
    let own = line
        .strip_prefix(">>>")
        .or_else(|| line.strip_prefix("... "));
    let cell = || {
        let (number, rest) = line.strip_prefix("In [")?.split_once("]:")?;
        let is_number = number.chars().all(|c| c.is_ascii_digit() || c == ' ');
        is_number.then_some(rest)
    };
    let own = own.or_else(cell).or_else(|| line.strip_prefix("...:"));
    own.map(str::trim)
}

/// A comment that is all of a line.
fn comment_of(line: &str) -> Option<&str> {
    let own = line.strip_prefix("//").or_else(|| line.strip_prefix('#'));
    own.map(|own| own.trim_start_matches(['#', ' ', '>', '=']))
}

/// A line of Python, and the comment behind it.
fn without_comment(line: &str) -> (&str, &str) {
    let (line, comment) = line.split_once(" #").unwrap_or((line, ""));
    (line.trim(), comment.trim())
}

/// The fields of each object; a field that it has already is that of another array.
fn arrays_of(values: &[(&str, String)]) -> Vec<String> {
    let mut arrays: Vec<Array<'_>> = Vec::new();
    for (code, value) in values {
        let code = code.rsplit("; ").next().unwrap_or(code).trim();
        let inner = code
            .strip_prefix("print(")
            .and_then(|code| code.strip_suffix(')'));
        let expressions = split(inner.unwrap_or(code), |c| c == ',');
        let value = value.trim();
        let found = match expressions.len() {
            1 => vec![value],
            count => {
                let within = value
                    .strip_prefix('(')
                    .and_then(|value| value.strip_suffix(')'));
                let lists = [within.unwrap_or(value), value];
                let mut all = lists.iter().map(|list| split(list, |c| c == ','));
                let all = all.find(|all| all.len() == count);
                all.unwrap_or_else(|| split(value, char::is_whitespace))
            }
        };
        if found.len() != expressions.len() {
            continue;
        }
        for (expression, value) in expressions.into_iter().zip(found) {
            let Some((object, key)) = field(expression) else {
                continue;
            };
            if value.is_empty() {
                continue;
            }
            let has = |array: &&mut Array<'_>| {
                array.object == object && array.fields.iter().all(|field| field.0 != key)
            };
            match arrays.iter_mut().rev().find(has) {
                Some(array) => array.fields.push((key, value.into())),
                None => arrays.push(Array {
                    object,
                    fields: vec![(key, value.into())],
                }),
            }
        }
    }
    arrays.retain(|array| {
        array
            .fields
            .iter()
            .any(|field| field.0 != "dtype" && field.0 != "ndim")
    });
    let is_torch = |array: &Array<'_>| array.fields.iter().any(|field| field.0 == "stride");
    let texts = arrays.iter().map(|array| {
        let name = |key: &'static str| {
            if key == "shape" && is_torch(array) {
                "size"
            } else {
                key
            }
        };
        let fields = array.fields.iter();
        joined(
            fields.map(|(key, value)| format!("{}={value}", name(key))),
            ", ",
        )
    });
    texts.collect()
}

/// The object and the field of `a.strides`.
fn field(expression: &str) -> Option<(&str, &'static str)> {
    let (object, end) = expression.trim().rsplit_once('.')?;
    let row = FIELDS.iter().find(|row| row.0 == end)?;
    Some((object, row.1))
}

/// Parts of a text with such marks between them, outside of all brackets.
fn split(text: &str, is_mark: impl Fn(char) -> bool) -> Vec<&str> {
    let mut depth = 0_usize;
    let parts = text.split(|c: char| {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth == 0 && is_mark(c)
    });
    parts
        .map(str::trim)
        .filter(|part| !part.is_empty())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_session_printed() {
        for (text, expected) in [
            (
                "In [1]: a.shape, a.strides, a.flags.c_contiguous\nOut[1]: ((2, 3), (12, 4), True)",
                "shape=(2, 3), strides=(12, 4)",
            ),
            (">>> x = f(2, 3)\n>>> x.strides\n(12, 4)", "strides=(12, 4)"),
            (
                ">>> c.shape\ntorch.Size([1])\n>>> c.stride()\n(3,)   # not (1,)",
                "size=torch.Size([1]), stride=(3,)",
            ),
            (
                "print(y.shape, y.strides)\n# ((3, 2), (1, 3))",
                "shape=(3, 2), strides=(1, 3)",
            ),
            (
                "print(q.size(), q.stride())  # torch.Size([2, 3]) (3, 1)",
                "size=torch.Size([2, 3]), stride=(3, 1)",
            ),
            (
                "In [8]: print(x.sharding)\nP([[{CPU 0}]])",
                "P([[{CPU 0}]])",
            ),
            (
                "In [8]: x.layout\n   ...:\nOut[8]:\nLayout(a=(1, 0))",
                "Layout(a=(1, 0))",
            ),
            (
                "In [2]:\n# bytes\na.shape, a.strides\n\n((2, 3), (12, 4))\n\nIn [3]:\na.dtype\n\ndtype('f4')",
                "shape=(2, 3), strides=(12, 4), dtype=dtype('f4')",
            ),
            ("> >>> x.shape\n> (2,)", "shape=(2,)"),
            (
                ">>> a.shape\n(2,)\n>>> b.shape\n(3,)",
                "shape=(2,)\nshape=(3,)",
            ),
            (">>> f()", ">>> f()"),
            // What is no layout.
            (">>> f()\ntensor([1])", ">>> f()\ntensor([1])"),
            (">>> f()\nTraceback (a)", ">>> f()\nTraceback (a)"),
            (">>> s = a[:6]  # a slice", ">>> s = a[:6]  # a slice"),
            ("f32[2,3]", "f32[2,3]"),
            ("# comment\nf32[2,3]", "# comment\nf32[2,3]"),
            (">", ">"),
            ("", ""),
        ] {
            assert_eq!(printed(text), expected, "{text}");
        }
    }
}
