//! The sequence of files by a pattern of their names, `tp_{1}_dp_{0}.npy`.

use std::collections::BTreeSet;

use super::{check_all, digits};
use xlayout_words::{joined, short};

/// A part of a pattern.
pub(super) enum Token<'a> {
    Text(&'a str),
    /// A number, and how much it counts: the one with 0 most, the one without a number not at all.
    Number(Option<usize>),
}

/// The parts of a pattern, and how many of its numbers count.
///
/// # Errors
/// When it is no pattern.
pub(super) fn tokens(pattern: &str) -> Result<(Vec<Token<'_>>, usize), String> {
    let mut tokens = Vec::new();
    let mut counting = Vec::new();
    let mut rest = pattern;
    while let Some((before, behind)) = rest.split_once('{') {
        tokens.push(Token::Text(before));
        let closed = behind.split_once('}');
        let (number, behind) = closed.ok_or("a `{` has no `}` behind it".to_owned())?;
        let place = match number {
            "" => None,
            number => Some(number.parse::<usize>().map_err(|_| {
                format!("`{{{number}}}` is no number; write `{{0}}`, `{{1}}`, …, or `{{}}`")
            })?),
        };
        counting.extend(place);
        tokens.push(Token::Number(place));
        rest = behind;
    }
    tokens.push(Token::Text(rest));
    counting.sort_unstable();
    if counting.is_empty() || !counting.iter().copied().eq(0..counting.len()) {
        return Err("the numbers that count are `{0}`, `{1}`, …, each once".to_owned());
    }
    Ok((tokens, counting.len()))
}

/// The numbers of a name: those that count, the first of them most, and the others.
fn matched(tokens: &[Token<'_>], counting: usize, name: &str) -> Option<(Vec<u64>, Vec<u64>)> {
    let mut counted = vec![0; counting];
    let mut others = Vec::new();
    let mut rest = name;
    for token in tokens {
        match token {
            Token::Text(text) => rest = rest.strip_prefix(text)?,
            Token::Number(place) => {
                let (number, behind) = rest.split_at(digits(rest));
                let number = number.parse().ok()?;
                match place {
                    Some(place) => counted[*place] = number,
                    None => others.push(number),
                }
                rest = behind;
            }
        }
    }
    rest.is_empty().then_some((counted, others))
}

/// The place of each file in the grid of the numbers that count, the last one the fastest.
///
/// # Errors
/// When a name has another form, or the files do not have each place of the grid once.
pub(super) fn places(names: &[&str], pattern: &str, devices: &[u64]) -> Result<Vec<usize>, String> {
    let (tokens, counting) = tokens(pattern)?;
    let mut files = Vec::new();
    let mut constant = None;
    for (file, name) in names.iter().enumerate() {
        let found = matched(&tokens, counting, name);
        let (counted, others) = found.ok_or_else(|| {
            let name = short(name);
            format!("its file `{name}` has no name as `files` says, `{pattern}`")
        })?;
        if *constant.get_or_insert(others.clone()) != others {
            return Err(format!(
                "a number `{{}}` of `files`, `{pattern}`, differs in the names of its files; \
                 write how much it counts, `{{0}}`, `{{1}}`, …"
            ));
        }
        files.push((counted, file));
    }
    let mut values = Vec::new();
    for k in 0..counting {
        let all: BTreeSet<u64> = files.iter().map(|(numbers, _)| numbers[k]).collect();
        let known = if counting == 1 { devices } else { &[] };
        check_all(&all, known, names)?;
        values.push(Vec::from_iter(all));
    }
    // Sorted files go through the grid, row by row.
    files.sort();
    let mut at = vec![0; counting];
    let numbers =
        |at: &[usize]| -> Vec<u64> { at.iter().zip(&values).map(|(k, all)| all[*k]).collect() };
    let wrong = |what: &str, numbers: &[u64]| {
        let numbers = joined(numbers, ", ");
        Err(format!(
            "{what} of its files have the numbers {numbers} of `files`, `{pattern}`"
        ))
    };
    let mut before: Option<&Vec<u64>> = None;
    for (found, _) in &files {
        if before == Some(found) {
            return wrong("several", found);
        }
        before = Some(found);
        if *found != numbers(&at) {
            return wrong("a part is missing: none", &numbers(&at));
        }
        for (k, all) in at.iter_mut().zip(&values).rev() {
            *k = (*k + 1) % all.len();
            if *k > 0 {
                break;
            }
        }
    }
    if at.iter().any(|k| *k > 0) {
        return wrong("a part is missing: none", &numbers(&at));
    }
    let mut places = vec![0; names.len()];
    for (place, (_, file)) in files.iter().enumerate() {
        places[*file] = place;
    }
    Ok(places)
}
