//! The summary of a suite: how near copies are to a plain copy, and where a rival is ahead.

use std::fmt::Write as _;

use crate::report::{Row, short};

/// The least number of bytes of a case that counts for the mean.
const LARGE: usize = 1 << 20;
/// What a rival must be ahead by, so that it is more than noise.
const BEHIND: f64 = 0.97;
/// The number of cases that are listed.
const WORST: usize = 10;

/// The text behind the table. It is empty for fewer than two large cases.
pub(crate) fn summary(rows: &[Row]) -> String {
    let mut near: Vec<(f64, &Row)> = rows
        .iter()
        .filter(|row| row.bytes >= LARGE)
        .filter_map(|row| Some((row.of_plain_copy()?, row)))
        .collect();
    if near.len() < 2 {
        return String::new();
    }
    let mut text = String::new();
    let logarithms: f64 = near.iter().map(|(ratio, _)| ratio.ln()).sum();
    let mean = (logarithms / near.len() as f64).exp();
    let _ = writeln!(
        text,
        "\nOf the better of memcpy and nt_copy, geometric mean over {} cases of 1 MiB and more: {}",
        near.len(),
        short(mean)
    );
    near.sort_by(|a, b| a.0.total_cmp(&b.0));
    for (ratio, row) in near.iter().take(WORST) {
        let _ = writeln!(text, "  {}: {}", short(*ratio), row.text);
    }
    let against: Vec<(f64, &'static str, &Row)> = rows
        .iter()
        .filter_map(|row| {
            let (rival, best) = row.best()?;
            Some((row.ratio("xlayout")? / best, rival, row))
        })
        .collect();
    let mut behind: Vec<_> = against.iter().filter(|case| case.0 < BEHIND).collect();
    behind.sort_by(|a, b| a.0.total_cmp(&b.0));
    let _ = writeln!(
        text,
        "\nBehind a rival by more than 3%: {} of {} cases",
        behind.len(),
        against.len()
    );
    for (ratio, rival, row) in behind.into_iter().take(WORST) {
        let _ = writeln!(text, "  {} of {rival}: {}", short(*ratio), row.text);
    }
    text
}
