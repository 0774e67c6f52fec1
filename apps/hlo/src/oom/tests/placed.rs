//! Reports that are wrapped, cut, quoted, or behind the words of a log.

use super::sentences::{said, sentences};
use super::*;

/// What logs put before a line.
const BEFORE: [&str; 12] = [
    "",
    "    ",
    "2025-05-18 21:59:55.086788: W external/xla/xla/tsl/framework/bfc_allocator.cc:310] ",
    "W0000 00:00:1756998431.440298    5182 hlo_rematerialization.cc:3183] ",
    "(RayTrainWorker pid=1, ip=10.0.0.1) [rank0]: ",
    "2025-08-07T12:00:00.1234567Z ",
    "E   ",
    "\x1b[31mERROR:root:\x1b[0m ",
    // Words that are no mark.
    "Host 3: ",
    "##[error]",
    "<13>Aug  7 12:00:00 host1 train: ",
    "2026-08-07 12:00:00.123 | ERROR    | __main__:main:12 - ",
];

/// A terminal wraps a sentence at any place; a log goes on behind it.
#[test]
fn a_sentence_may_be_wrapped_anywhere() {
    for (text, expected) in sentences() {
        for width in (10..200).step_by(7).filter(|width| text.len() / width < 14) {
            let lines: Vec<&[u8]> = text.as_bytes().chunks(width).collect();
            for before in &BEFORE[..8] {
                let wrapped =
                    String::from_utf8(lines.join(&*format!("\n{before}").into_bytes())).unwrap();
                for after in ["", "\n2026-11-28 next step 17\n"] {
                    let report = one(&format!("step 1\n{before}{wrapped}{after}"));
                    assert_eq!(said(&report), expected, "{wrapped}");
                }
            }
        }
    }
}

#[test]
fn the_next_line_is_no_unit() {
    let cut = "Ran out of memory in memory space hbm. Used 49.34";
    for next in ["Error: x", "Total", "Kernel", "EOF"] {
        assert_eq!(all(&format!("{cut}\n{next}\n")), []);
    }
    let report = one(&format!("{cut}\nG of 32.00G hbm"));
    assert_eq!(report.used_bytes, parse("49.34G"));
}

/// A report that is cut says nothing else than the whole one.
#[test]
fn a_sentence_may_be_cut_anywhere() {
    for (text, (_, _, expected)) in sentences() {
        for length in 0..text.len() {
            // A number without a unit has no end.
            if text[..length].ends_with(|last: char| last.is_ascii_digit()) {
                continue;
            }
            for report in all(&text[..length]) {
                let (_, _, found) = said(&report);
                let pairs = found.iter().zip(&expected);
                let is_same =
                    |(found, expected): (&Option<u64>, &Option<u64>)| match (found, expected) {
                        // The exact bytes of a rounded figure may be cut off.
                        (Some(found), Some(expected)) => {
                            found.abs_diff(*expected) <= expected / 1000
                        }
                        (found, _) => found.is_none(),
                    };
                assert!(pairs.clone().all(is_same), "{}: {found:?}", &text[..length]);
            }
        }
    }
}

#[test]
fn a_page_puts_all_of_it_on_one_line() {
    let collapsed = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    for text in [TPU, RUN_TIME, GPU] {
        let report = one(text);
        let mut line = one(&collapsed(text));
        line.line = report.line;
        assert_eq!(line.sections, report.sections, "{text}");
        assert_eq!(line.temporary, report.temporary);
        assert_eq!(said(&line), said(&report));
        let names = |report: &Report| {
            report
                .allocations
                .iter()
                .map(|one| (one.bytes, one.shape.clone()))
                .collect::<Vec<_>>()
        };
        assert_eq!(names(&line), names(&report));
    }
    let report = one(
        "Ran out of memory in memory space hbm. Used 49.34G of 32.00G hbm. Exceeded hbm capacity by 17.34G. Total hbm usage >= 49.34G: \
         reserved 3.12M program unknown size arguments 49.34G",
    );
    let section = report.section(Sums::Usage).unwrap();
    let parts: Vec<_> = section
        .parts
        .iter()
        .map(|part| (&*part.name, part.bytes))
        .collect();
    assert_eq!(
        parts,
        [
            ("reserved", parse("3.12M")),
            ("program", None),
            ("arguments", parse("49.34G"))
        ]
    );
}

/// Every line of a report may stand behind the words of a log, and a long one may be wrapped.
#[test]
fn reports_in_logs_say_the_same() {
    for text in [TPU, RUN_TIME, GPU] {
        let plain = one(text);
        for before in BEFORE {
            let log: String = text
                .lines()
                .map(|line| format!("{before}{line}\n"))
                .collect();
            let mut report = one(&log);
            report.line = plain.line;
            assert_eq!(report, plain, "{before}");
        }
    }
    let wrapped = RUN_TIME.replace("Padded (3.92G)", "Pad\nded (3.92G)");
    assert_ne!(wrapped, RUN_TIME);
    assert_eq!(one(&wrapped).temporary, one(RUN_TIME).temporary);
    let wrapped = TPU.replace("_take_along_axis", "_take_al\nong_axis");
    assert_ne!(wrapped, TPU);
    assert_eq!(one(&wrapped).allocations, one(TPU).allocations);
}

/// Texts of JSON, separators in place of line breaks, and parts that are cut off.
#[test]
fn a_text_may_be_quoted_twice_or_lack_a_part() {
    let plain = one(GPU);
    let quoted = GPU.replace('"', "\\\"").replace('\n', "\\\\n");
    let report = one(&format!("{{\"msg\": \"{quoted}\"}}"));
    assert_eq!(report.sections, plain.sections);
    assert_eq!(report.allocations, plain.allocations);
    let with_semicolons = RUN_TIME
        .split("\nProgram hbm")
        .next()
        .unwrap()
        .replace('\n', "; ");
    let usage = |report: &Report| report.section(Sums::Usage).cloned();
    assert_eq!(usage(&one(&with_semicolons)), usage(&one(RUN_TIME)));
    // A page, and a box.
    let page = RUN_TIME
        .replace('>', "&gt;")
        .replace("usage ", "usage\u{a0}");
    assert_eq!(one(&page), one(RUN_TIME));
    let lines = RUN_TIME.lines().map(|line| format!("│ {line:<120} │\n"));
    assert_eq!(one(&lines.collect::<String>()), one(RUN_TIME));
    // The beginning is missing.
    let end = &RUN_TIME[RUN_TIME.find("Program hbm requirement").unwrap()..];
    let report = one(end);
    assert_eq!((report.used_bytes, &*report.memory_space), (None, "hbm"));
    assert_eq!(report.temporary, one(RUN_TIME).temporary);
    // The end is missing inside of a shape.
    let cut = &TPU[..TPU.find("128,4]{4").unwrap()];
    assert_eq!(one(cut).allocations[0].shape, "");
}
