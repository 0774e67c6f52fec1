//! What texts of CuTe's and of Triton's are made of: numbers, and lists in brackets.

/// `0`, `_0`, `Int<0>{}`; 0 of several dimensions, too: `(_0,_0)`.
pub(super) fn integer(text: &str) -> Option<i64> {
    let text = text.trim_end_matches("{}").trim_start_matches("cute::");
    let inner = text
        .strip_prefix("Int<")
        .and_then(|rest| rest.strip_suffix('>'));
    let text = inner.unwrap_or(text);
    let zeros = text.starts_with('(') && text.chars().all(|c| "(_0,)".contains(c));
    let zeros = zeros.then_some(0);
    zeros.or_else(|| text.trim_start_matches('_').parse().ok())
}

/// What is before the parenthesis that closes one before the text.
pub(super) fn inside(text: &str) -> &str {
    let mut depth = 1_usize;
    let end = text.find(|c: char| {
        depth = match c {
            '(' => depth + 1,
            ')' => depth - 1,
            _ => depth,
        };
        depth == 0
    });
    &text[..end.unwrap_or(text.len())]
}

/// Parts of a text with this mark between them, outside of all brackets.
pub(super) fn split(text: &str, mark: char) -> Vec<&str> {
    let mut depth = 0_usize;
    text.split(|c: char| {
        match c {
            '(' | '<' | '[' | '{' => depth += 1,
            ')' | '>' | ']' | '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        c == mark && depth == 0
    })
    .collect()
}
