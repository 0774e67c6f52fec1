//! The operands and attributes of an instruction: `(%a, f32[2]{0} %b), dimensions={0}, metadata={op_name="x"}`.
//!
//! The scanner has checked brackets and strings, and has left out comments.

/// The parts of a list that commas separate, outside of brackets and strings.
pub(crate) fn parts(text: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let (mut depth, mut start, mut in_string, mut escaped) = (0_usize, 0, false, false);
    for (at, byte) in text.bytes().enumerate() {
        if in_string {
            (escaped, in_string) = match byte {
                _ if escaped => (false, true),
                b'\\' => (true, true),
                b'"' => (false, false),
                _ => (false, true),
            };
            continue;
        }
        match byte {
            b'"' => in_string = true,
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth = depth.saturating_sub(1),
            b',' if depth == 0 => {
                parts.push(text[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(text[start..].trim());
    parts.retain(|part| !part.is_empty());
    parts
}

/// The operands without their parentheses, and the attributes.
pub(super) fn split(text: &str) -> (&str, Vec<&str>) {
    let mut all = parts(text);
    if all.is_empty() {
        return ("", all);
    }
    let first = all.remove(0);
    let inner = first
        .strip_prefix('(')
        .and_then(|first| first.strip_suffix(')'));
    (inner.unwrap_or(first), all)
}

/// The name in an operand, which may have its shape before it.
pub(super) fn operand(text: &str) -> &str {
    let name = text.rsplit([' ', '\t', '\n']).next().unwrap_or_default();
    name.strip_prefix('%').unwrap_or(name)
}

/// The name and the value of an attribute.
pub(super) fn attribute(text: &str) -> Option<(&str, &str)> {
    let (key, value) = text.split_once('=')?;
    Some((key.trim(), value.trim()))
}

/// The numbers of `{1,0}`.
pub(crate) fn numbers(list: &str) -> Option<Vec<i64>> {
    let inner = list.trim().strip_prefix('{')?.strip_suffix('}')?;
    let numbers = inner.split(',').map(str::trim).filter(|n| !n.is_empty());
    numbers.map(|number| number.parse().ok()).collect()
}

/// A field of `{op_name="jit(f)/add" stack_frame_id=5}`; the value of a string without its quotes.
pub(super) fn field<'a>(fields: &'a str, name: &str) -> Option<&'a str> {
    let mut rest = fields.trim().trim_start_matches('{');
    loop {
        rest = rest.trim_start_matches([' ', ',', '\n', '\t', '\r']);
        let (key, after) = rest.split_once('=')?;
        let after = after.trim_start();
        let (value, behind) = value(after);
        if key.trim() == name {
            return Some(value);
        }
        rest = behind;
    }
}

/// A value and what follows it.
fn value(text: &str) -> (&str, &str) {
    let bytes = text.as_bytes();
    if bytes.first() == Some(&b'"') {
        let mut at = 1;
        while at < bytes.len() && bytes[at] != b'"' {
            at += if bytes[at] == b'\\' { 2 } else { 1 };
        }
        let at = at.min(bytes.len());
        return (
            text.get(1..at).unwrap_or_default(),
            text.get(at + 1..).unwrap_or_default(),
        );
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
pub(crate) fn trip_count(config: &str) -> Option<&str> {
    let (_, rest) = config.split_once("known_trip_count")?;
    let rest = rest.split_once('n')?.1;
    let digits = rest.trim_start_matches(|c: char| !c.is_ascii_digit() && c != '}');
    let len = digits.bytes().take_while(u8::is_ascii_digit).count();
    (len > 0).then(|| &digits[..len])
}
