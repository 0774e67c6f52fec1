//! The operands and attributes of an instruction:
//! `(%a, f32[2]{0} %b), dimensions={0}, metadata={op_name="x"}`.
//!
//! The scanner has checked brackets and strings, and has left out comments.

/// Whether a byte is a quote, a bracket or a comma.
const IS_MARK: [bool; 256] = {
    let mut is_mark = [false; 256];
    let mut marks: &[u8] = b"\"()[]{},";
    while let [mark, rest @ ..] = marks {
        is_mark[*mark as usize] = true;
        marks = rest;
    }
    is_mark
};

/// Returns the position after the quote that ends a string, which begins at `at`; the end of the
/// text if there is none.
fn end_of_string(bytes: &[u8], mut at: usize) -> usize {
    while at < bytes.len() && bytes[at] != b'"' {
        at += if bytes[at] == b'\\' { 2 } else { 1 };
    }
    bytes.len().min(at + 1)
}

/// Splits a list at the commas that are outside brackets and strings.
pub(crate) fn parts(text: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut depth = 0_usize;
    let mut start = 0;
    let mut at = 0;
    let bytes = text.as_bytes();
    while let Some(more) = bytes[at..].iter().position(|byte| IS_MARK[*byte as usize]) {
        at += more + 1;
        match bytes[at - 1] {
            b'"' => at = end_of_string(bytes, at),
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth = depth.saturating_sub(1),
            // The comma.
            _ if depth == 0 => {
                parts.push(text[start..at - 1].trim());
                start = at;
            }
            _ => {}
        }
    }
    parts.push(text[start..].trim());
    parts.retain(|part| !part.is_empty());
    parts
}

/// Returns the operands without their parentheses, and the attributes.
pub(super) fn split(text: &str) -> (&str, Vec<&str>) {
    let mut all = parts(text);
    if all.is_empty() {
        return ("", all);
    }
    let first = all.remove(0);
    (
        first
            .strip_prefix('(')
            .and_then(|text| text.strip_suffix(')'))
            .unwrap_or(first),
        all,
    )
}

/// The name in an operand, which its shape may precede.
pub(super) fn operand(text: &str) -> &str {
    let mut words = text.rsplit([' ', '\t', '\n', '%']);
    words.next().unwrap_or_default()
}

/// The name and the value of an attribute.
pub(super) fn attribute(text: &str) -> Option<(&str, &str)> {
    let (key, value) = text.split_once('=')?;
    Some((key.trim(), value.trim()))
}

/// Reads the numbers of `{1,0}`.
pub(crate) fn numbers(list: &str) -> Option<Vec<i64>> {
    list.trim()
        .strip_prefix('{')?
        .strip_suffix('}')?
        .split(',')
        .map(str::trim)
        .filter(|n| !n.is_empty())
        .map(|number| number.parse().ok())
        .collect()
}

/// The value of a field of `{op_name="jit(f)/add" stack_frame_id=5}`; that of a string without its
/// quotes.
pub(super) fn field<'a>(fields: &'a str, name: &str) -> Option<&'a str> {
    let mut rest = fields.trim().trim_start_matches('{');
    loop {
        rest = rest.trim_start_matches([' ', ',', '\n', '\t', '\r']);
        // Keys are short: a bytewise search takes fewer instructions than one by words.
        let equals = rest.bytes().position(|byte| byte == b'=')?;
        let key = &rest[..equals];
        let after = rest[equals + 1..].trim_start();
        let (value, behind) = value(after);
        if key.trim() == name {
            return Some(value);
        }
        rest = behind;
    }
}

/// Splits a value from what follows it.
fn value(text: &str) -> (&str, &str) {
    let bytes = text.as_bytes();
    if bytes.first() == Some(&b'"') {
        let end = end_of_string(bytes, 1);
        let inner = text.get(1..end).unwrap_or_default();
        let behind = text.get(end..).unwrap_or_default();
        return (inner.strip_suffix('"').unwrap_or(inner), behind);
    }
    let mut depth = 0_usize;
    for (at, byte) in bytes.iter().enumerate() {
        match byte {
            b'{' | b'(' | b'[' => depth += 1,
            b'}' | b')' | b']' if depth == 0 => return (&text[..at], &text[at..]),
            b'}' | b')' | b']' => depth -= 1,
            b' ' | b',' | b'\n' if depth == 0 => return (&text[..at], &text[at..]),
            _ => {}
        }
    }
    (text, "")
}

/// The trip count in a backend_config: `"known_trip_count":{"n":"20"}`.
pub(super) fn trip_count(config: &str) -> Option<&str> {
    let (_, rest) = config.split_once("known_trip_count")?;
    let digits = rest
        .split_once('n')?
        .1
        .trim_start_matches(|c: char| !c.is_ascii_digit() && c != '}');
    let len = digits.bytes().take_while(u8::is_ascii_digit).count();
    (len > 0).then(|| &digits[..len])
}

/// Whether only XLA's compiler for CPUs writes this backend_config: it says how a loop is
/// partitioned for threads, or which library computes.
pub(super) fn is_of_cpu(config: &str) -> bool {
    const BEGINS: [&str; 2] = [
        "\"outer_dimension_partitions\"",
        "\"fusion_config\":{\"kind\":\"__ynn",
    ];
    let config = config.strip_prefix('{').unwrap_or(config);
    BEGINS.iter().any(|begin| config.starts_with(begin))
}
