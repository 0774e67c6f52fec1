//! Reports of running out of memory in a log: every sentence that is known, and whole reports,
//! behind the words of logs, wrapped and cut, between other bytes. Each figure that is read of the
//! log is one of the texts that were put into it.
#![no_main]

use std::sync::LazyLock;

use arbitrary::Arbitrary;
use libfuzzer_sys::fuzz_target;
use xlayout_hlo::oom::{Report, read};

const WHOLE: [&str; 5] = [
    include_str!("../../cli/tests/data/oom/tpu.txt"),
    include_str!("../../cli/tests/data/oom/gpu.txt"),
    include_str!("../../cli/tests/data/oom/run_time.txt"),
    include_str!("../../cli/tests/data/oom/recent.txt"),
    include_str!("../../cli/tests/data/oom/figures.txt"),
];

/// Whole reports, and then sentences.
static TEXTS: LazyLock<Vec<&str>> = LazyLock::new(|| {
    let sentences = include_str!("../../cli/tests/data/oom/sentences.txt").split("\n\n");
    let sentences = sentences.filter_map(|block| Some(block.split_once('\n')?.1));
    WHOLE.into_iter().chain(sentences).collect()
});

/// What logs put before a line.
const BEFORE: [&str; 12] = [
    "",
    "    ",
    "E   ",
    "2025-05-18 21:59:55.086788: W external/xla/bfc_allocator.cc:310] ",
    "I0000 00:00:1756998431.440298    5182 a.cc:3183] ",
    "(RayTrainWorker pid=1, ip=10.0.0.1) [rank0]: ",
    "(EngineCore pid=106339) ERROR 06-03 07:41:11 [core.py:1184] ",
    "2025-08-07T12:00:00.1234567Z stderr F ",
    "\x1b[31mERROR:root:\x1b[0m ",
    "2020-11-21 18:52:46,880 - train - ERROR - ",
    "worker-1  | ",
    "Nov 21 18:52:46 host python3[4498]: ",
];

/// A text in the log.
#[derive(Arbitrary, Debug)]
struct Piece {
    text: u8,
    before: u8,
    /// The width of the terminal; a text is wrapped from 20 on.
    width: u8,
    /// The length that is left, in 256ths.
    kept: Option<u8>,
    /// Whether line breaks are the two characters that Python prints.
    is_escaped: bool,
    noise: Vec<u8>,
}

impl Piece {
    /// The log with this text, and the text.
    fn write(&self, log: &mut Vec<u8>) -> &'static str {
        let text = TEXTS[usize::from(self.text) % TEXTS.len()];
        let before = BEFORE[usize::from(self.before) % BEFORE.len()];
        let kept = self
            .kept
            .map_or(text.len(), |kept| text.len() * usize::from(kept) / 256);
        let kept = (0..=kept).rev().find(|&end| text.is_char_boundary(end));
        let mut shown = text[..kept.unwrap_or(0)].to_owned();
        // A number that is cut is another one.
        if self.kept.is_some() {
            shown.truncate(shown.trim_end_matches(|c: char| c.is_ascii_digit()).len());
        }
        if self.is_escaped {
            shown = shown.replace('\n', "\\n");
        }
        let is_sentence = !WHOLE.contains(&text);
        for line in shown.lines() {
            let width = match usize::from(self.width) {
                width @ 20.. if is_sentence => width,
                _ => line.len().max(1),
            };
            let chars: Vec<char> = line.chars().collect();
            for part in chars.chunks(width) {
                log.extend_from_slice(before.as_bytes());
                log.extend(part.iter().collect::<String>().as_bytes());
                log.push(b'\n');
            }
        }
        log.push(b'\n');
        let noise = self.noise.iter().filter(|byte| !byte.is_ascii_digit());
        log.extend(noise);
        log.extend_from_slice(b"\n\n");
        text
    }
}

/// The figures of the sentence of a report.
fn figures(report: &Report) -> [Option<u64>; 4] {
    [
        report.used_bytes,
        report.limit_bytes,
        report.excess_bytes,
        report.largest_free_bytes,
    ]
}

fuzz_target!(|pieces: Vec<Piece>| {
    let mut log = Vec::new();
    let mut known = Vec::new();
    for piece in &pieces {
        let text = piece.write(&mut log);
        let reports = read(text.as_bytes()).unwrap().reports;
        known.extend(reports.iter().map(figures));
    }
    for report in read(&log[..]).unwrap().reports {
        let found = figures(&report);
        // XLA writes some figures twice, rounded and exact, and one of them may be cut off.
        let is_like = |pair: (&Option<u64>, &Option<u64>)| match pair {
            (Some(found), Some(known)) => found.abs_diff(*known) <= known / 500,
            (found, _) => found.is_none(),
        };
        let is_known = known
            .iter()
            .any(|known| found.iter().zip(known).all(is_like));
        assert!(is_known, "{report:?}\n{}", String::from_utf8_lossy(&log));
    }
});
