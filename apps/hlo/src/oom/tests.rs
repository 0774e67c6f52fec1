use std::path::Path;

use proptest::prelude::*;

use super::*;
use crate::{Findings, Mistakes, Scope};

const TPU: &str = include_str!("../../../cli/tests/data/oom/tpu.txt");
const EARLY_LOG: &str = include_str!("../../../cli/tests/data/oom/early_log.txt");
const GPU: &str = include_str!("../../../cli/tests/data/oom/gpu.txt");
const RECENT: &str = include_str!("../../../cli/tests/data/oom/recent.txt");
const RUN_TIME: &str = include_str!("../../../cli/tests/data/oom/run_time.txt");

fn all(text: &str) -> Vec<Report> {
    let found = read(text.as_bytes()).unwrap();
    assert_eq!(found.left_out, 0);
    found.reports
}

fn one(text: &str) -> Report {
    let mut found = all(text);
    assert_eq!(found.len(), 1, "{found:?}");
    found.remove(0)
}

const G: u64 = 1 << 30;
const M: u64 = 1 << 20;

/// The report of jax#7502.
#[test]
fn a_report_of_a_tpu() {
    let report = one(TPU);
    assert_eq!((report.line, report.times), (1, 1));
    assert_eq!(report.memory_space, "hbm");
    assert_eq!(
        (report.used_bytes, report.limit_bytes),
        (Some(64 * G), parse("15.48G"))
    );
    assert_eq!(report.excess_bytes, parse("48.52G"));
    let usage = parts(&report, Sums::Usage, parse("64.52G"));
    assert_eq!(
        usage,
        [("reserved", 530 * M), ("program", 64 * G), ("arguments", 0)]
    );
    let program = parts(&report, Sums::Program, Some(64 * G));
    assert_eq!(program, [("global", 4096), ("HLO temp", 64 * G)]);
    let temporary = report.temporary.unwrap();
    assert_eq!(temporary.logical_bytes, Some(896 * M));
    assert_eq!(temporary.padded_bytes, Some(64 * G));
    assert_eq!(temporary.fragmentation_bytes, Some(0));
    let [first, second, third] = &report.allocations[..] else {
        panic!("{:?}", report.allocations)
    };
    assert_eq!((first.bytes, first.logical_bytes), (16 * G, 512 * M));
    assert_eq!(
        first.op_name,
        "jit(t)/jit(_take_along_axis)/concatenate[ dimension=4 ]"
    );
    assert_eq!((&*first.source, &*first.kind), ("t.py:6", "HLO temp"));
    assert_eq!(first.shape, "s32[2048,1,128,128,4]{4,3,2,0,1:T(8,128)}");
    assert!(first.label.starts_with("%fusion.1 = s32"));
    // Four numbers fill four rows, and 128 of another dimension the lanes.
    assert_eq!(first.better.as_ref().unwrap().allocated_bytes, 512 * M);
    assert_eq!((second.bytes, second.logical_bytes), (16 * G, 128 * M));
    assert_eq!(
        (third.bytes, third.logical_bytes, &third.better),
        (4096, 4096, &None)
    );
}

/// The parts of a section with this total.
fn parts(report: &Report, sums: Sums, total: Option<u64>) -> Vec<(&str, u64)> {
    let section = report.section(sums).unwrap();
    assert_eq!(section.bytes, total, "{section:?}");
    let parts = section.parts.iter();
    parts.map(|part| (&*part.name, part.bytes)).collect()
}

fn parse(text: &str) -> Option<u64> {
    crate::parse_size(text).ok()
}

/// Before tiles were printed, in a log, and with lines that look like it behind the report.
#[test]
fn a_report_in_a_log() {
    let report = one(EARLY_LOG);
    assert_eq!(report.line, 2);
    let usage = parts(&report, Sums::Usage, parse("27.90G"));
    // The size of the arguments is unknown.
    let program = parse("27.38G").unwrap();
    assert_eq!(usage, [("reserved", 528 * M), ("program", program)]);
    let [it] = &report.allocations[..] else {
        panic!("{:?}", report.allocations)
    };
    assert_eq!((it.bytes, it.logical_bytes), (8 * G, 128 * M));
    assert_eq!(it.shape, "f32[256,512,128,2]{3,2,1,0}");
    // The minor dimension of 2 was padded to 128.
    assert_eq!(it.better.as_ref().unwrap().allocated_bytes, 128 * M);
}

#[test]
fn a_report_of_a_gpu() {
    let report = one(GPU);
    assert_eq!(report.used_bytes, Some(6 * M));
    let stats = parts(&report, Sums::Assignment, Some(12 * M));
    assert_eq!(
        stats,
        [
            ("parameter allocation", 6 * M),
            ("constant allocation", 0),
            ("maybe_live_out allocation", 6 * M),
            ("preallocated temp allocation", 0),
            ("total fragmentation", 0),
        ]
    );
    let told: Vec<_> = report
        .allocations
        .iter()
        .map(|it| (it.bytes, &*it.shape))
        .collect();
    assert_eq!(
        told,
        [(6 * M, "f32[4096,128,3]"), (384 << 10, "f32[256,128,3]")]
    );
    assert_eq!(report.allocations[0].source, "/home/me/models.py:689");
    assert!(
        report
            .allocations
            .iter()
            .all(|it| it.bytes == it.logical_bytes)
    );
}

#[test]
fn a_report_of_totals_alone() {
    let report = one(RECENT);
    assert_eq!((report.line, report.times), (2, 2));
    assert_eq!(
        (&*report.memory_space, &*report.module),
        ("hbm", "jit_step")
    );
    assert_eq!(
        (report.used_bytes, report.limit_bytes),
        (parse("33.25G"), parse("15.75G"))
    );
    for (text, used, limit) in [
        (
            "RESOURCE_EXHAUSTED: TPU TensorCore Hbm usage: 34.82G, SparseCore Hbm usage 174.10G, exceeding available bytes: 95.74G",
            "208.92G",
            "95.74G",
        ),
        (
            "Ran out of memory in memory space vmem. Used 32.42M of 16.00M vmem. Exceeded vmem capacity by 16.42M",
            "32.42M",
            "16M",
        ),
    ] {
        let report = one(text);
        let used = parse(used).unwrap();
        assert!(report.used_bytes.unwrap().abs_diff(used) <= 1, "{report:?}");
        assert_eq!(report.limit_bytes, parse(limit));
    }
    let report = one(
        "Error allocating device buffer: Attempting to allocate 64.00G. That was not possible. There are 10.51G free.",
    );
    assert_eq!(
        (report.used_bytes, report.limit_bytes),
        (Some(64 * G), parse("10.51G"))
    );
    let report = one("Out of memory while trying to allocate 2.14GiB. [executable_name='jit_f']");
    assert_eq!(report.used_bytes, parse("2.14G"));
}

/// Python prints an exception in an exception as a text in quotes.
#[test]
fn a_report_on_one_line() {
    let quoted = format!("XlaRuntimeError('{}')", TPU.replace('\n', "\\n"));
    let mut report = one(&quoted);
    let mut plain = one(TPU);
    assert_eq!(report.allocations.len(), 3);
    // The last line of an allocation is followed by an empty one.
    for it in report.allocations.iter_mut().chain(&mut plain.allocations) {
        it.shape.truncate(20);
        it.kind.truncate(6);
    }
    assert_eq!(report.allocations[0].op_name, plain.allocations[0].op_name);
    assert_eq!(report.used_bytes, plain.used_bytes);
    assert_eq!(report.sections, plain.sections);
    assert_eq!(report.temporary, plain.temporary);
    // A `\n` inside of a name is a part of it (flax#1733).
    let name = "jit(conv)/conv[\\n  lhs_shape=(1, 8)\\n  padding=((1, 1), (0, 0))\\n]";
    let text = TPU.replace(
        "jit(t)/jit(_take_along_axis)/concatenate[ dimension=4 ]",
        name,
    );
    assert_eq!(one(&text).allocations[0].op_name, name);
    assert_eq!(one(&text).allocations[0].source, "t.py:6");
}

#[test]
fn several_reports_are_told_apart() {
    let found = all(&format!("{TPU}{GPU}{RECENT}{TPU}"));
    let told: Vec<_> = found
        .iter()
        .map(|report| (report.times, report.allocations.len()))
        .collect();
    assert_eq!(told, [(2, 3), (1, 2), (2, 0)]);
    // The words alone are no report.
    assert_eq!(
        all(
            "what does `Ran out of memory in memory space hbm` mean?\nPeak buffers:\nTotal usage >= none\n"
        ),
        []
    );
}

/// The program is compiled and does not find room: each sum keeps its parts.
#[test]
fn a_report_of_a_running_program() {
    for text in [
        RUN_TIME.to_owned(),
        format!("Error('{}')", RUN_TIME.replace('\n', "\\n")),
    ] {
        let report = one(&text);
        assert!(report.is_request && !report.is_fragmented());
        assert_eq!(
            (report.used_bytes, report.limit_bytes),
            (parse("3.95G"), parse("1.92G"))
        );
        let usage = parts(&report, Sums::Usage, parse("10.94G"));
        let [reserved, heap, program] =
            ["529.00M", "6.08G", "4.34G"].map(|one| parse(one).unwrap());
        assert_eq!(
            usage,
            [
                ("reserved(Infeed/Outfeed/Continuations)", reserved),
                ("heap allocations (without fragmentation)", heap),
                ("program", program),
            ]
        );
        let taken = parts(&report, Sums::Capacity, Some(8 * G));
        let request = parse("3.95G").unwrap();
        assert_eq!(
            taken,
            [
                ("Top-of-Memory reserved", reserved),
                ("Currently allocated", heap),
                ("Program requirement", request),
            ]
        );
        let program = report.section(Sums::Program).unwrap();
        assert_eq!(program.part("reserved"), Some(4096));
        assert_eq!(program.part("overlays"), parse("398.20M"));
        assert_eq!(
            report.section(Sums::Heap).unwrap().part("Max free"),
            parse("1.92G")
        );
        let persistent = report.section(Sums::Persistent).unwrap();
        assert_eq!(persistent.part("output"), parse("5.06G"));
        let temporary = report.temporary.unwrap();
        assert_eq!(temporary.padded_bytes, parse("3.92G"));
        assert_eq!(temporary.fragmentation_bytes, parse("14.68M"));
    }
}

#[test]
fn what_is_too_much_is_read() {
    let report = one(
        "RESOURCE_EXHAUSTED: Ran out of memory in memory space smem. Used 1.00M of 1.00M smem. Exceeded smem capacity by 1.7K.",
    );
    assert_eq!(
        (report.excess(), &*report.memory_space),
        (Some(1740), "smem")
    );
    let report = one(
        "RESOURCE_EXHAUSTED: Attempting to allocate 31.06M. That was not possible. There are 58.64M free. Due to fragmentation, the \
         largest contiguous region of free memory is 30.56M.; (0x0x0_HBM0)",
    );
    assert!(report.is_fragmented() && report.excess().is_none());
    assert_eq!(
        (report.largest_free_bytes, &*report.memory_space),
        (parse("30.56M"), "hbm")
    );
    let report = one(
        "Could not allocate 10485760 bytes in memory 0x0x0_HBM0; 4374528 bytes allocatable, 14942208 bytes available",
    );
    assert!(report.is_fragmented());
    assert_eq!(report.largest_free_bytes, Some(4_374_528));
    assert_eq!(
        (report.used_bytes, report.limit_bytes),
        (Some(10 * M), Some(14_942_208))
    );
    let report = one(
        "Aborting compilation early because it's unlikely to have enough memory. Requires 3.47E, has 14.49G available.",
    );
    assert_eq!(
        (report.used_bytes, report.limit_bytes),
        (parse("3.47E"), parse("14.49G"))
    );
    let report = one(
        "RESOURCE_EXHAUSTED: Ran out of memory in memory space vmem while allocating on stack for %kernel.18 = \
         bf16[2048,4096]{1,0:T(8,128)(2,1)} custom-call(%get-tuple-element.1, /*index=5*/%bitcast.2), custom_call_target=\"x\"",
    );
    assert_eq!(&*report.memory_space, "vmem");
    let [kernel] = &report.allocations[..] else {
        panic!("{report:?}")
    };
    assert_eq!((&*kernel.label, kernel.bytes), ("%kernel.18", 16 * M));
}

/// A terminal wraps a headline at any place; a log goes on behind it.
#[test]
fn a_headline_may_be_wrapped_anywhere() {
    let text = "RESOURCE_EXHAUSTED: XLA:TPU compile permanent error. Ran out of memory in memory space vmem. Used 65.05M of 64.00M vmem. \
        Exceeded vmem capacity by 1.05M";
    let whole = one(text);
    assert_eq!(whole.excess(), parse("1.05M"));
    for width in 10..text.len() {
        let lines: Vec<&[u8]> = text.as_bytes().chunks(width).collect();
        let wrapped = String::from_utf8(lines.join(&b'\n')).unwrap();
        for after in ["", "\n2026-11-28 next step 17\n"] {
            let report = one(&format!("step 1\n{wrapped}{after}"));
            let seen = (report.used_bytes, report.limit_bytes, report.excess_bytes);
            let expected = (whole.used_bytes, whole.limit_bytes, whole.excess_bytes);
            assert_eq!(seen, expected, "{wrapped}");
            assert_eq!(report.memory_space, "vmem", "{wrapped}");
        }
    }
}

/// A module is read as a module, another text is refused, and a report is given back.
#[test]
fn the_reader_finds_out_what_a_file_is() {
    let read = |text: &str| {
        let mut findings = Findings::new(Scope::ALL, Mistakes::new(0, false, Box::new(|_, _| {})));
        let read = crate::read(text.as_bytes(), Path::new("x"), &mut findings).unwrap();
        assert_eq!(findings.files.is_empty(), !matches!(read, crate::Read::Hlo));
        read
    };
    let far = format!("{}{GPU}", "INFO step\n".repeat(10_000));
    for text in [TPU, EARLY_LOG, GPU, RECENT, &far] {
        assert!(matches!(read(text), crate::Read::OutOfMemory(found) if found.reports.len() == 1));
    }
    assert!(matches!(
        read("a log without a report"),
        crate::Read::Other(_)
    ));
    let module = "HloModule m\nENTRY %e {\n  ROOT %p = f32[2]{0} parameter(0)\n}\n";
    assert!(matches!(read(module), crate::Read::Hlo));
}

/// The memory and the time do not grow with what is not kept.
#[test]
fn much_of_everything_is_limited() {
    let line = "Size: 1G Shape: ".repeat(100_000);
    let list = "1. Size: 1.00G\n Shape: f32[8]{0}\n".repeat(1000);
    let mut text = format!("Largest program allocations in hbm:\n{line}\n{list}");
    for k in 0..1000 {
        text += &format!("Out of memory while trying to allocate {k} bytes\n");
    }
    let found = read(text.as_bytes()).unwrap();
    assert_eq!((found.reports.len(), found.left_out), (100, 901));
    assert_eq!(found.reports[0].allocations.len(), 100);
    assert_eq!(found.reports[0].allocations_left_out, 901);
    assert!(found.reports[0].allocations[0].shape.len() < 3000);
}

proptest! {
    #[test]
    fn pieces_of_reports_in_any_sequence_are_no_danger(
        pieces in prop::collection::vec((0..3000_usize, 1..200_usize), 0..40),
        bytes in prop::collection::vec(any::<u8>(), 0..40),
        step in 1..50_usize,
    ) {
        let whole = [TPU, EARLY_LOG, GPU, RECENT, RUN_TIME].concat();
        let mut text = Vec::new();
        for (at, len) in pieces {
            let at = at * whole.len() / 3000;
            text.extend_from_slice(&whole.as_bytes()[at..(at + len).min(whole.len())]);
            text.extend_from_slice(&bytes);
        }
        let found = read(&text[..]).unwrap();
        // The same in small pieces.
        let mut parser = Parser::default();
        text.chunks(step).for_each(|chunk| parser.push(chunk));
        prop_assert_eq!(&parser.finish(), &found);
        for it in found.reports.iter().flat_map(|report| &report.allocations) {
            prop_assert!(it.logical_bytes <= it.bytes);
        }
    }
}
