//! Mistakes as the page shows them, each with what to write.
//!
//! ```text
//! a fix = a text in backquotes in the help, put into the field of the mistake:
//!         in place of what is marked, at its beginning, behind it, at the end, in place of all
//!         kept if it leaves the fewest mistakes
//! ```
//!
//! So no fix is offered that does not help, and the page shows what it writes before it is chosen.

use std::ops::Range;

use serde_json::{Value, json};
use xlayout_words::callers::{Caller, in_words_of};
use xlayout_words::error::{Remark, TextSpan};
use xlayout_words::{ceil_boundary, floor_boundary};

use crate::answers;
use crate::request::{FIELDS, Mistakes, Request};
use xlayout_view::Mistake;

/// The most fixes of a mistake, and the most that are tried.
const FIXES: usize = 3;
const TRIES: usize = 24;
/// The longest text that is corrected.
const LONGEST: usize = 4 << 10;

pub(crate) fn words(text: &str) -> String {
    in_words_of(Caller::Page, text)
}

/// Mistakes in one line.
pub(crate) fn line(mistakes: &[Mistake]) -> String {
    let lines = mistakes.iter().map(|mistake| words(&mistake.in_command()));
    lines.collect::<Vec<_>>().join(" ")
}

/// Mistakes that no field causes.
pub(crate) fn plain(mistakes: &[Mistake]) -> Value {
    mistakes.iter().map(shown).collect()
}

/// Mistakes of a request, with fixes.
pub(crate) fn of(request: &Request, mistakes: &Mistakes) -> Value {
    let all = mistakes.iter().map(|mistake| {
        let mut value = shown(mistake);
        value["fixes"] = fixes(request, mistakes, mistake)
            .into_iter()
            .map(|(field, text)| json!({"field": field, "name": name_of(field), "text": text}))
            .collect();
        value
    });
    all.collect()
}

fn shown(mistake: &Mistake) -> Value {
    let remark = |remark: &Remark| {
        let is_help = !matches!(remark, Remark::Note(_));
        json!({"text": words(remark.in_command()), "is_help": is_help})
    };
    let place = |place: &TextSpan| {
        let Range { start, end } = marked(place);
        json!({
            "field": field_of(&place.origin),
            "marked": [&place.text[..start], &place.text[start..end], &place.text[end..]],
            "label": place.label,
        })
    };
    // Fields that the help names, so that the page can lead there.
    let helps = mistake.remarks.iter().map(Remark::in_command);
    let helps: Vec<&str> = helps.collect();
    let named = FIELDS
        .iter()
        .filter(|(flag, ..)| flag.starts_with('-') && helps.iter().any(|help| names(help, flag)));
    let field = |(_, field, name): &(_, &str, &str)| json!({"field": field, "name": name});
    json!({
        "message": words(&mistake.message),
        "places": mistake.places.iter().map(place).collect::<Value>(),
        "remarks": mistake.remarks.iter().map(remark).collect::<Value>(),
        "fields": named.map(field).collect::<Value>(),
        "fixes": [],
    })
}

/// Whether a help names a flag, and no longer one that begins so.
fn names(help: &str, flag: &str) -> bool {
    let behind = help.split(flag).nth(1);
    behind.is_some_and(|behind| !behind.starts_with(|c: char| c.is_ascii_alphabetic()))
}

fn field_of(origin: &str) -> Option<&'static str> {
    let row = FIELDS.iter().find(|(flag, ..)| *flag == origin);
    row.map(|&(_, field, _)| field)
}

fn name_of(field: &str) -> &'static str {
    let row = FIELDS.iter().find(|(_, own, _)| *own == field);
    row.map_or("", |&(_, _, name)| name)
}

/// The marked part, on the boundaries of characters.
fn marked(place: &TextSpan) -> Range<usize> {
    let start = floor_boundary(&place.text, place.span.start);
    start..ceil_boundary(&place.text, place.span.end).max(start)
}

/// Corrections of a mistake: a field, and its whole text. Those that leave the fewest mistakes, and
/// of these those that change least.
fn fixes(request: &Request, all: &Mistakes, mistake: &Mistake) -> Vec<(&'static str, String)> {
    let mut found: Vec<(usize, usize, &'static str, String)> = Vec::new();
    for (field, text) in edits(request, mistake).into_iter().take(TRIES) {
        let written = request.field(field);
        let is_known = found
            .iter()
            .any(|known| known.2 == field && known.3 == text);
        if is_known || text == written {
            continue;
        }
        if let Some(left) = mistakes_left(request, all, field, &text) {
            found.push((left, text.len().abs_diff(written.len()), field, text));
        }
    }
    found.sort_by_cached_key(|&(left, change, ..)| (left, change));
    let least = found.first().map_or(0, |best| best.0);
    let best = found.into_iter().take_while(|fix| fix.0 == least);
    best.take(FIXES)
        .map(|(.., field, text)| (field, text))
        .collect()
}

/// How many mistakes another text in a field leaves; `None` if it does not help.
fn mistakes_left(request: &Request, all: &Mistakes, field: &str, text: &str) -> Option<usize> {
    let Err(left) = answers::of(&request.corrected(field, text)) else {
        return Some(0);
    };
    let is_other = left[0].message != all[0].message;
    let helps = left.len() < all.len() || is_other && left.len() == all.len() && is_given(field);
    helps.then_some(left.len())
}

/// Whether a field says what a text leaves out.
fn is_given(field: &str) -> bool {
    ["sizes", "type", "axes", "mesh"].contains(&field)
}

/// Texts that may be meant, each for the whole of a field.
fn edits(request: &Request, mistake: &Mistake) -> Vec<(&'static str, String)> {
    let mut all = Vec::new();
    let helps = mistake.remarks.iter().filter_map(|remark| match remark {
        Remark::Note(_) => None,
        help => Some(help.in_command()),
    });
    let helps: Vec<&str> = helps.collect();
    for help in &helps {
        for (flag, field, _) in FIELDS.iter().filter(|row| is_given(row.1)) {
            // `--sizes 2,17,5,7`
            if let Some((_, value)) = help.split_once(&format!("{flag} ")) {
                let value = value.split([' ', '`', ';']).next().unwrap_or_default();
                all.push((*field, value.to_owned()));
            }
        }
    }
    let Some((place, field)) = mistake
        .places
        .first()
        .and_then(|place| Some((place, field_of(&place.origin)?)))
    else {
        return all;
    };
    let written = request.field(field);
    let Some(begin) = written
        .find(&place.text)
        .filter(|_| written.len() <= LONGEST)
    else {
        return all;
    };
    let Range { start, end } = marked(place);
    let text = &place.text;
    let mut edit = |range: Range<usize>, with: &str| {
        let range = begin + range.start..begin + range.end;
        let mut edited = written.to_owned();
        edited.replace_range(range, with);
        all.push((field, edited));
    };
    for help in helps {
        for word in help.split('`').skip(1).step_by(2) {
            edit(start..end, word);
            edit(end..end, word);
            edit(start..start, word);
            edit(text.len()..text.len(), word);
            if letters(word).starts_with(&letters(text)) {
                edit(0..text.len(), word);
            }
        }
        if ["remove", "leave it out", "without"]
            .iter()
            .any(|word| help.contains(word))
        {
            edit(start..end, "");
        }
        if help.contains("comma") {
            edit(start..start, ",");
        }
    }
    all
}

fn letters(text: &str) -> String {
    text.chars().filter(char::is_ascii_alphanumeric).collect()
}
