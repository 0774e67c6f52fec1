//! The goals of this crate, and which of them hold in this run.

use std::fmt::Write as _;

use xlayout_core::{ArrayLayout, ElementType};

use crate::case::Case;
use crate::options::Options;
use crate::permute::Permutation;
use crate::report::{Row, short};

/// The least number of bytes of a large case.
const LARGE: usize = 4 << 20;
/// The least number of bytes of a case that does not depend mainly on the first cache.
const SIZEABLE: usize = 1 << 20;
/// If the pitch is a multiple of this number of bytes, the rows of a block collide in the caches.
const COLLIDING_PITCH: usize = 4096;
/// The goal of the geometric mean over the large f32 cases: with AVX-512, and without.
const MEAN: [(&str, f64); 2] = [("with AVX-512", 0.85), ("without AVX-512", 0.75)];
/// The goal for the time of a measured plan divided by that of a plan that has learned.
const LEARNED: f64 = 0.97;
/// If the best rival's ratio is below this, being faster is not enough.
const MODEST: f64 = 0.6;
/// The relative difference that counts as noise.
const NOISE: f64 = 0.05;
/// The factor by which to be faster than such a rival.
const FAR: f64 = 1.2;

/// The properties of a case on which goals depend.
pub(crate) struct Kind {
    /// The name of the case's own goal, and the ratio to reach.
    goal: Option<(&'static str, f64)>,
    large_f32: bool,
    /// `f32[3,5]`, for which there is a goal with planning included.
    tiny: bool,
}

impl Kind {
    pub(crate) fn of(case: &Case) -> Self {
        let f32 = case.src.element_type() == ElementType::F32;
        Self {
            goal: goal(case, f32),
            large_f32: f32 && case.bytes() >= LARGE,
            tiny: f32 && case.src.dims() == [3, 5],
        }
    }
}

/// The goal of a case beside being faster than all rivals.
fn goal(case: &Case, f32: bool) -> Option<(&'static str, f64)> {
    let layouts = [&case.src, &case.dst].map(|side| side.array_shape().layout.as_ref());
    let tiled = layouts
        .into_iter()
        .flatten()
        .any(|layout| !layout.tiles.is_empty());
    let large = case.bytes() >= LARGE;
    if tiled {
        return large.then_some(("tile and untile", 0.9));
    }
    let permutation = Permutation::of(&case.src, &case.dst)?;
    if case.bytes() >= SIZEABLE {
        let channels = |dims: &[usize]| dims.len() > 1 && dims.last() == Some(&3);
        if channels(&permutation.dims) || channels(&permutation.dst_dims()) {
            return Some(("three channels", if f32 { 1.0 } else { 0.7 }));
        }
    }
    if case.src.rank() != 2 {
        return None;
    }
    let (_, rows, columns) = permutation.matrices()?;
    let bytes = case.src.element_bits() / 8;
    let collides = |pitch: usize| (pitch * bytes).is_multiple_of(COLLIDING_PITCH);
    match (rows, columns, bytes) {
        (16, 16, 4) if f32 => Some(("16x16 f32", 0.25)),
        (3, 5, 4) | (5, 3, 4) if f32 => Some(("3x5 f32", 0.3)),
        _ if !large => None,
        _ if collides(rows) && collides(columns) => match bytes {
            1 => Some(("matrices, power-of-two pitch, u8", 0.6)),
            2 => Some(("matrices, power-of-two pitch, u16", 0.75)),
            4 if f32 => Some(("matrices, power-of-two pitch, f32", 0.9)),
            _ => None,
        },
        _ if f32 => Some(("matrices, other pitches, f32", 0.8)),
        _ => None,
    }
}

/// The text that lists which goals hold.
pub(crate) fn report(rows: &[Row], options: &Options) -> String {
    let mut text = String::new();
    if let Some((mean, count)) = mean(rows) {
        let verdict = if options.one_off || options.threads > 1 {
            String::new()
        } else {
            let (instructions, goal) = MEAN[usize::from(!has_avx512())];
            let verdict = verdict(mean >= goal);
            format!("; goal {} {instructions}: {verdict}", short(goal))
        };
        let cases = if count == 1 { "case" } else { "cases" };
        let mean = short(mean);
        let _ = writeln!(
            text,
            "\nGeometric mean of xlayout over {count} f32 {cases} of 4 MiB and more: {mean}{verdict}"
        );
    }
    if let Some((mean, count)) = geometric(rows, |row| {
        Some(row.ratio("xlayout")? / row.ratio("xlayout_measured")?)
    }) {
        let verdict = verdict(mean >= LEARNED);
        let goal = short(LEARNED);
        let mean = short(mean);
        let _ = writeln!(
            text,
            "\nGeometric mean of measured by learned time over {count} cases: {mean}; goal {goal}: \
             {verdict}"
        );
    }
    if let Some((mean, count)) = geometric(rows, |row| {
        Some(row.ratio("xlayout_estimated")? / row.ratio("xlayout")?)
    }) {
        let mean = short(mean);
        let _ = writeln!(
            text,
            "\nGeometric mean of learned by estimated time over {count} cases: {mean}"
        );
    }
    let mut lines = Vec::new();
    if options.threads > 1 {
        lines.extend(rows.iter().filter_map(threads));
    } else if options.one_off {
        lines.extend(rows.iter().filter_map(one_off));
    } else {
        for row in rows {
            lines.extend(own(row));
            lines.extend(ahead(row));
        }
    }
    if lines.is_empty() {
        return text;
    }
    let missed: Vec<&String> = lines
        .iter()
        .filter_map(|(holds, line)| (!holds).then_some(line))
        .collect();
    let _ = writeln!(
        text,
        "\nGoals of {} that hold: {}",
        lines.len(),
        lines.len() - missed.len()
    );
    for line in missed {
        let _ = writeln!(text, "  missed: {line}");
    }
    text
}

/// Whether the copies have registers of a line: as relayout asks for them.
fn has_avx512() -> bool {
    #[cfg(target_arch = "x86_64")]
    {
        is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512bw")
    }
    #[cfg(not(target_arch = "x86_64"))]
    {
        false
    }
}

fn verdict(holds: bool) -> &'static str {
    if holds { "holds" } else { "missed" }
}

/// The geometric mean over the large f32 cases, and the number of these.
fn mean(rows: &[Row]) -> Option<(f64, usize)> {
    let large = |row: &Row| row.kind.large_f32.then(|| row.ratio("xlayout"))?;
    geometric(rows, large)
}

/// The geometric mean of a value of the rows, and the number of rows that have it.
fn geometric(rows: &[Row], of: impl Fn(&Row) -> Option<f64>) -> Option<(f64, usize)> {
    let logarithms: Vec<f64> = rows.iter().filter_map(of).map(f64::ln).collect();
    let count = logarithms.len();
    (count > 0).then(|| ((logarithms.iter().sum::<f64>() / count as f64).exp(), count))
}

/// The case's own goal.
fn own(row: &Row) -> Option<(bool, String)> {
    let ((name, goal), ratio) = row.kind.goal.zip(row.ratio("xlayout"))?;
    let found = short(ratio);
    let wanted = short(goal);
    let text = &row.text;
    Some((
        ratio >= goal,
        format!("{text}: {found}, goal {wanted} ({name})"),
    ))
}

/// Whether it is faster than the best rival, by [`FAR`] if the rival is below [`MODEST`].
fn ahead(row: &Row) -> Option<(bool, String)> {
    let ((rival, best), ours) = row.best().zip(row.ratio("xlayout"))?;
    let factor = if best < MODEST { FAR } else { 1.0 };
    let holds = if factor > 1.0 {
        ours >= best * factor
    } else {
        ours > best
    };
    let text = &row.text;
    let times = ours / best;
    let line = format!("{text}: {times:.2} times {rival}, goal {factor:.1} (ahead of all)");
    Some((holds, line))
}

/// Whether several threads are not slower than one, except for noise.
fn threads(row: &Row) -> Option<(bool, String)> {
    let (many, one) = row.ratio("xlayout").zip(row.ratio("xlayout_one_thread"))?;
    let text = &row.text;
    let times = many / one;
    let line = format!("{text}: {times:.2} times as fast as one thread; goal 1.0");
    Some((times >= 1.0 - NOISE, line))
}

/// Whether the time is at most a fifth of HPTT's, both with planning.
fn one_off(row: &Row) -> Option<(bool, String)> {
    let times = row
        .kind
        .tiny
        .then(|| row.ratio("xlayout").zip(row.ratio("hptt")))??;
    let times = times.0 / times.1;
    let line = format!(
        "{}: {times:.1} times HPTT, both planning; goal 5.0",
        row.text
    );
    Some((times >= 5.0, line))
}
