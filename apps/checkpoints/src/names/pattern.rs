//! The sequence of files by a pattern of their names, `tp_{1}_dp_{0}.npy`.
//!
//! The numbers that count, `{0}`, `{1}`, …, are the coordinates of a file in a grid. The files,
//! sorted by them, have to go through the grid row by row, with no place left out and none there
//! twice. The number `{}` does not count: it has to be equal in all names.

use std::collections::BTreeSet;

use super::cut::{check_all, digits};
use xlayout_words::{joined, short};

/// A part of a pattern.
pub(super) enum Token<'a> {
    Text(&'a str),
    /// A number, and how much it counts: `{0}` is `Some(0)` and counts most, `{}` is `None` and
    /// does not count.
    Number(Option<usize>),
}

/// The parts of a pattern, and how many of its numbers count.
///
/// # Errors
/// When it is no pattern.
pub(super) fn tokens(pattern: &str) -> Result<(Vec<Token<'_>>, usize), String> {
    let mut tokens = Vec::new();
    let mut significances = Vec::new();
    let mut rest = pattern;
    while let Some((before, after)) = rest.split_once('{') {
        tokens.push(Token::Text(before));
        let closed = after.split_once('}');
        let (number, after) = closed.ok_or("a `{` has no `}` behind it".to_owned())?;
        let significance = match number {
            "" => None,
            number => Some(number.parse::<usize>().map_err(|_| {
                format!("`{{{number}}}` is no number; write `{{0}}`, `{{1}}`, …, or `{{}}`")
            })?),
        };
        significances.extend(significance);
        tokens.push(Token::Number(significance));
        rest = after;
    }
    tokens.push(Token::Text(rest));
    significances.sort_unstable();
    let counting = significances.len();
    if counting == 0 || !significances.into_iter().eq(0..counting) {
        return Err("the numbers that count are `{0}`, `{1}`, …, each once".to_owned());
    }
    Ok((tokens, counting))
}

/// The numbers of a name: the `counting` numbers that count, the first of them most, and the
/// others. `None` if the name has another form.
fn numbers_in(tokens: &[Token<'_>], counting: usize, name: &str) -> Option<(Vec<u64>, Vec<u64>)> {
    let mut counted = vec![0; counting];
    let mut others = Vec::new();
    let mut rest = name;
    for token in tokens {
        match token {
            Token::Text(text) => rest = rest.strip_prefix(text)?,
            Token::Number(significance) => {
                let (number, after) = rest.split_at(digits(rest));
                let number = number.parse().ok()?;
                match significance {
                    Some(significance) => counted[*significance] = number,
                    None => others.push(number),
                }
                rest = after;
            }
        }
    }
    rest.is_empty().then_some((counted, others))
}

/// The numbers that count of each name, and which name it is.
///
/// # Errors
/// When a name has another form, or a number that does not count differs.
fn numbers_of_files(
    names: &[&str],
    pattern: &str,
    tokens: &[Token<'_>],
    counting: usize,
) -> Result<Vec<(Vec<u64>, usize)>, String> {
    let mut files = Vec::new();
    let mut fixed_numbers = None;
    for (file, name) in names.iter().enumerate() {
        let found = numbers_in(tokens, counting, name);
        let (counted, others) = found.ok_or_else(|| {
            let name = short(name);
            format!("its file `{name}` has no name as `files` says, `{pattern}`")
        })?;
        if *fixed_numbers.get_or_insert(others.clone()) != others {
            return Err(format!(
                "a number `{{}}` of `files`, `{pattern}`, differs in the names of its files; \
                 write how much it counts, `{{0}}`, `{{1}}`, …"
            ));
        }
        files.push((counted, file));
    }
    Ok(files)
}

/// The place of each file in the grid of the numbers that count, the last one the fastest.
///
/// # Errors
/// When a name has another form, or the files do not have each place of the grid once.
pub(super) fn places(names: &[&str], pattern: &str, devices: &[u64]) -> Result<Vec<usize>, String> {
    let (tokens, counting) = tokens(pattern)?;
    let mut files = numbers_of_files(names, pattern, &tokens, counting)?;
    // For each number that counts, the values that it has in the names.
    let mut values = Vec::new();
    for k in 0..counting {
        let all: BTreeSet<u64> = files.iter().map(|(numbers, _)| numbers[k]).collect();
        // One number may be that of a device. Several numbers are coordinates.
        let numbers_of_devices = if counting == 1 { devices } else { &[] };
        check_all(&all, numbers_of_devices, names)?;
        values.push(Vec::from_iter(all));
    }
    // Sorted files go through the grid, row by row.
    files.sort();
    // The place that the next file must have: for each number, which of its values it is.
    let mut at = vec![0; counting];
    let numbers_at = |at: &[usize]| -> Vec<u64> {
        let chosen = at.iter().zip(&values);
        chosen.map(|(k, all)| all[*k]).collect()
    };
    let wrong = |what: &str, numbers: &[u64]| {
        let numbers = joined(numbers, ", ");
        Err(format!(
            "{what} of its files have the numbers {numbers} of `files`, `{pattern}`"
        ))
    };
    let mut previous: Option<&Vec<u64>> = None;
    for (found, _) in &files {
        if previous == Some(found) {
            return wrong("several", found);
        }
        previous = Some(found);
        if *found != numbers_at(&at) {
            return wrong("a part is missing: none", &numbers_at(&at));
        }
        // The last number changes fastest. One that is at its end begins again.
        for (k, all) in at.iter_mut().zip(&values).rev() {
            *k = (*k + 1) % all.len();
            if *k > 0 {
                break;
            }
        }
    }
    // After the last place all begin again.
    if at.iter().any(|k| *k > 0) {
        return wrong("a part is missing: none", &numbers_at(&at));
    }
    let mut places = vec![0; names.len()];
    for (place, (_, file)) in files.iter().enumerate() {
        places[*file] = place;
    }
    Ok(places)
}
