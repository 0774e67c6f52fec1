//! The fields of an encoding.

use std::ops::Range;

use serde::de::DeserializeOwned;
use serde_json::{Map as Fields, Value};
use xlayout::algebra::MapError;

use crate::error::{Error, Outcome, TextSpan};

const LINEAR: &str =
    "write `#ttg.linear<{register = [[0, 1]], lane = [[1, 0]], warp = [], block = []}>`";
const BLOCKED: &str = "write `#ttg.blocked<{sizePerThread = [1, 2], threadsPerWarp = [8, 4], \
                       warpsPerCTA = [2, 2], order = [1, 0]}>`";
const SHARED: &str =
    "write `#ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>`";
/// Encodings that are read.
const NAMES: [&str; 6] = [
    "linear",
    "blocked",
    "shared",
    "swizzled_shared",
    "nvmma_shared",
    "padded_shared",
];

/// `#ttg.name<[512:+16] {key = value}>`
pub(super) struct Encoding<'t> {
    origin: &'t str,
    text: &'t str,
    place: Range<usize>,
    pub(super) name: &'t str,
    pub(super) fields: Fields<String, Value>,
    /// The elements between two gaps, and those of a gap.
    pub(super) intervals: Vec<(u64, u64)>,
}

impl<'t> Encoding<'t> {
    /// The encoding from this byte on; `alone` nothing may be behind it.
    pub(super) fn read(origin: &'t str, text: &'t str, start: usize, alone: bool) -> Outcome<Self> {
        let rest = &text[start..];
        let (name, inner) = rest.split_once('<').unwrap_or((rest, ""));
        let mut depth = 1_usize;
        let end = inner.find(|c: char| {
            depth = match c {
                '<' => depth + 1,
                '>' => depth.saturating_sub(1),
                _ => depth,
            };
            depth == 0
        });
        let len = end.map_or(rest.len(), |end| name.len() + end + 2);
        let mut encoding = Self {
            origin,
            text,
            place: start..start + len,
            name: name.rsplit_once('.').map_or(name, |(_, name)| name),
            fields: Fields::new(),
            intervals: Vec::new(),
        };
        let name = encoding.name;
        if !NAMES.contains(&name) {
            let what = format!(
                "`{name}` says which lane of a processor holds which element, not where elements \
                 lie in memory"
            );
            let help = "`#ttg.blocked`, `#ttg.linear` and shared encodings are read; Triton's tool \
                        `triton-tensor-layout` prints any other one";
            return Err(encoding.failure(what, help));
        }
        let is_end = rest[len..].trim().is_empty();
        if end.is_none() || alone && !is_end {
            return Err(encoding.wrong("the text does not end with the encoding"));
        }
        let inner = &inner[..end.unwrap_or(0)];
        let (intervals, fields) = inner.split_at(inner.find('{').unwrap_or(inner.len()));
        // `alignment = 16` may be behind the bracket.
        let fields = &fields[..fields.rfind('}').map_or(0, |end| end + 1)];
        let (json, places) = as_json(fields);
        let fields = serde_json::from_str(&json).map_err(|error: serde_json::Error| {
            let before = json.split_inclusive('\n').take(error.line().max(1) - 1);
            let at = before.map(str::len).sum::<usize>() + error.column().max(1) - 1;
            let known = places.iter().rfind(|place| place.0 <= at);
            let at = known
                .map_or(0, |place| place.1 + at - place.0)
                .min(fields.len());
            let at = (0..=at).rfind(|&at| fields.is_char_boundary(at));
            let at = at.unwrap_or_else(|| unreachable!("0 is where a character begins"));
            fields.as_ptr().addr() - text.as_ptr().addr() + at
        });
        let is_list = |c: char| c.is_whitespace() || matches!(c, '[' | ']');
        let intervals = intervals
            .trim_matches(is_list)
            .split(',')
            .filter(|part| !part.is_empty());
        let intervals = intervals.map(|part| {
            let (interval, padding) = part.split_once(":+")?;
            let interval = interval
                .trim()
                .parse()
                .ok()
                .filter(|&interval| interval > 0);
            Some((interval?, padding.trim().parse().ok()?))
        });
        let intervals: Option<Vec<(u64, u64)>> = intervals.collect();
        let (Ok(fields), Some(intervals)) = (&fields, intervals) else {
            if let Err(at) = fields {
                let len = text[at..].chars().next().map_or(0, char::len_utf8);
                encoding.place = at..at + len;
            }
            return Err(
                encoding.wrong("expected keys with numbers, lists of them, or truth values")
            );
        };
        encoding.fields.clone_from(fields);
        encoding.intervals = intervals;
        Ok(encoding)
    }

    pub(super) fn get<T: DeserializeOwned>(&self, key: &str) -> Option<T> {
        T::deserialize(self.fields.get(key)?).ok()
    }

    /// A power of two.
    pub(super) fn number(&self, key: &str) -> Option<u64> {
        self.get(key)
            .filter(|number: &u64| number.is_power_of_two())
    }

    pub(super) fn needed(&self, key: &str) -> Outcome<u64> {
        let none = || self.wrong(format_args!("`{key}` is missing, or no power of two"));
        self.number(key).ok_or_else(none)
    }

    pub(super) fn wrong(&self, what: impl std::fmt::Display) -> Error {
        let help = match self.name {
            "linear" => LINEAR,
            "blocked" => BLOCKED,
            _ => SHARED,
        };
        self.failure(what, help)
    }

    pub(super) fn of_map(&self, error: MapError) -> Error {
        self.failure(error.message(), &error.help().to_string())
    }

    pub(super) fn failure(&self, what: impl std::fmt::Display, help: &str) -> Error {
        let at = TextSpan::of_argument(self.origin, self.text, self.place.clone());
        Error::new(what).at(at).help(help)
    }
}

/// `{key = [1, 0]}` as `{"key":[1, 0]}`, and which places of both are the same ones.
fn as_json(fields: &str) -> (String, Vec<(usize, usize)>) {
    let mut json = String::new();
    let mut places = Vec::new();
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut at = 0;
    for part in fields.split_inclusive('=') {
        places.push((json.len(), at));
        at += part.len();
        let Some(before) = part.strip_suffix('=') else {
            json += part;
            continue;
        };
        let key = before.trim_end();
        let start = key.trim_end_matches(is_word).len();
        json += &format!("{}\"{}\":", &key[..start], &key[start..]);
    }
    (json, places)
}
