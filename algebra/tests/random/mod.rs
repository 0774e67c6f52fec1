//! Random maps, and every decision and operation compared with an evaluation of all indices.

mod decisions;
mod maps;
mod operations;

use std::collections::BTreeMap;
use std::fmt::{Display, Formatter};

use xlayout_algebra::MapError;

pub(crate) type Map = xlayout_algebra::Map<64>;

/// A sequence of numbers that depends on the seed only (xorshift64*).
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    /// A number below `end`.
    pub(crate) fn below(&mut self, end: u64) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 32) % end
    }

    pub(crate) fn pick<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(list.len() as u64) as usize]
    }
}

/// What was found.
#[derive(Default)]
pub(crate) struct Report {
    pub(crate) cases: u64,
    pub(crate) merged: u64,
    /// For each question: answers, undecided ones, refusals because of a capacity or a form that
    /// has no answer.
    counts: BTreeMap<&'static str, [u64; 3]>,
    pub(crate) wrong: Vec<String>,
}

impl Report {
    /// Counts an answer, and compares it.
    fn answer<T: std::fmt::Debug>(
        &mut self,
        question: &'static str,
        about: &dyn Display,
        found: Result<T, MapError>,
        right: impl FnOnce(&T) -> bool,
    ) {
        let counts = self.counts.entry(question).or_default();
        match found {
            Ok(found) => {
                counts[0] += 1;
                if !right(&found) {
                    self.wrong
                        .push(format!("{question}: {found:?} for {about}"));
                }
            }
            Err(MapError::Undecided { .. }) => counts[1] += 1,
            Err(_) => counts[2] += 1,
        }
    }

    /// How many questions were not decided.
    pub(crate) fn undecided(&self) -> u64 {
        self.counts.values().map(|counts| counts[1]).sum()
    }
}

impl Display for Report {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        let cases = self.cases;
        let merged = self.merged;
        let wrong = self.wrong.len();
        for (question, [answers, undecided, refused]) in &self.counts {
            writeln!(
                f,
                "{question}: {answers} answers, {undecided} undecided, {refused} refused"
            )?;
        }
        let undecided = self.undecided();
        write!(
            f,
            "{cases} cases, {merged} of them merged: {wrong} wrong, {undecided} undecided"
        )
    }
}

/// All offsets, in the sequence of the row-major index.
pub(crate) fn offsets(map: &Map) -> Vec<i64> {
    (0..map.size())
        .map(|index| map.at_index(index).expect("an index below the size"))
        .collect()
}

pub(crate) fn run(cases: u64, seed: u64) -> Report {
    let mut random = Random::new(seed);
    let mut report = Report::default();
    while report.cases < cases {
        report.cases += 1;
        let (map, values, other) = maps::pair(&mut random, &mut report);
        if !map.is_plain() {
            report.merged += 1;
        }
        decisions::check(&map, &values, &other, &mut report);
        operations::check(&map, &values, &mut random, &mut report);
    }
    report
}
