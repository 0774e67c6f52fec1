//! Names that lines of MLIR define: `#shared = #ttg.swizzled_shared<…>`.

use std::borrow::Cow;

use crate::session::printed;

/// What is meant: of a session what it printed, and of lines of MLIR the last one that defines
/// nothing, with the meaning of each name in its place.
pub(crate) fn resolved(text: &str) -> Cow<'_, str> {
    match printed(text) {
        Cow::Borrowed(text) => meant(text),
        Cow::Owned(text) => Cow::Owned(meant(&text).into_owned()),
    }
}

/// The name and the meaning of a line that defines one.
fn definition(line: &str) -> Option<(String, String)> {
    let (name, value) = line.trim().split_once('=')?;
    let name = name.trim();
    let is_name = |c: char| c.is_ascii_alphanumeric() || "_$.".contains(c);
    let own = name.strip_prefix('#')?;
    let own = !own.is_empty() && own.chars().all(is_name);
    own.then(|| (name.to_owned(), value.trim().to_owned()))
}

/// Of lines with definitions those that may be meant: lines that define nothing, or else
/// definitions that no other line uses. Of a log of oneDNN's, the lines with arrays.
pub(crate) fn candidates(text: &str) -> Vec<&str> {
    let lines = || text.lines().map(str::trim).filter(|line| !line.is_empty());
    let (defined, mut other): (Vec<&str>, Vec<&str>) =
        lines().partition(|line| definition(line).is_some());
    if defined.is_empty() {
        let of_arrays = [":blocked:", "fsrc:", "in:"];
        let has_arrays = |line: &&str| of_arrays.iter().any(|word| line.contains(word));
        other.retain(|line| line.contains("_verbose,") && has_arrays(line));
        return other;
    }
    other.retain(|line| line.contains('<') && !line.starts_with("//"));
    if !other.is_empty() {
        return other;
    }
    let mut unused = defined.clone();
    unused.retain(|line| {
        let name = line.split('=').next().map_or("", str::trim);
        let uses = |other: &&str| {
            *other != *line && replaced(other, &[(name.to_owned(), String::new())]) != **other
        };
        !defined.iter().any(uses)
    });
    unused
}

fn meant(text: &str) -> Cow<'_, str> {
    let lines = || text.lines().filter(|line| !line.trim().is_empty());
    let mut names: Vec<(String, String)> = Vec::new();
    let mut meant = None;
    for line in lines() {
        match definition(line) {
            Some((name, value)) => {
                let value = replaced(&value, &names);
                names.push((name, value));
            }
            None => meant = Some(result(line)),
        }
    }
    match (meant, names.last()) {
        (Some(line), None) if lines().count() == 1 => Cow::Borrowed(line),
        (_, None) => Cow::Borrowed(text),
        (Some(line), _) => Cow::Owned(replaced(line, &names)),
        (None, Some((_, value))) => Cow::Owned(value.clone()),
    }
}

/// The type of the result of an operation of MLIR's, `%0 = memref.subview … : … to memref<…>`; any
/// other line as it is.
fn result(line: &str) -> &str {
    let Some((value, operation)) = line.split_once(" = ") else {
        return line;
    };
    let name = operation.split_whitespace().next().unwrap_or_default();
    let is_mlir = value.trim_start().starts_with('%') && name.contains('.');
    let is_type = |rest: &&str| {
        let of_triton = rest.starts_with('!') && rest.contains(".memdesc<");
        of_triton || rest.starts_with("memref<") || rest.starts_with("tensor<")
    };
    let behind = [" to ", " -> ", " : "]
        .iter()
        .find_map(|word| Some(line.rsplit_once(word)?.1));
    let packs = name.ends_with("pack");
    behind
        .map(str::trim)
        .filter(is_type)
        .filter(|_| is_mlir && !packs)
        .unwrap_or(line)
}

/// A text with the meanings of names.
fn replaced(text: &str, names: &[(String, String)]) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find('#') {
        let len = rest[at + 1..].find(|c: char| !(c.is_ascii_alphanumeric() || "_$.".contains(c)));
        let end = len.map_or(rest.len(), |len| at + 1 + len);
        let name = &rest[at..end];
        let meaning = names.iter().rfind(|own| own.0 == name);
        out += &rest[..at];
        out += meaning.map_or(name, |own| &own.1);
        rest = &rest[end..];
    }
    out + rest
}
