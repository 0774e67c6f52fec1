mod placed;
mod sentences;

use std::path::Path;

use proptest::prelude::*;

use super::*;
use crate::{Findings, Mistakes, Scope};
use sentences::SENTENCES;

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
    assert_eq!(found.len(), 1, "{text}\n{found:?}");
    found.remove(0)
}

const G: u64 = 1 << 30;
const M: u64 = 1 << 20;

/// What is allocated already, as Neuron's runtime says it.
#[test]
fn sums_of_neuron() {
    let report = one(
        "Failed to allocate 43.325MB (usage: dma rings) on ND 3:NC 0, current utilization:\n\
         \t* total: 15.972GB\n\t* tensors: 13.170GB\n",
    );
    assert_eq!(report.used_bytes, parse("43.325M"));
    let sums = parts(&report, Sums::Assignment, parse("15.972G"));
    assert_eq!(sums, [("tensors", parse("13.170G").unwrap())]);
}

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
    assert_eq!(
        (first.bytes, first.logical_bytes),
        (Some(16 * G), Some(512 * M))
    );
    assert_eq!(
        first.op_name,
        "jit(t)/jit(_take_along_axis)/concatenate[ dimension=4 ]"
    );
    assert_eq!((&*first.source, &*first.kind), ("t.py:6", "HLO temp"));
    assert_eq!(first.shape, "s32[2048,1,128,128,4]{4,3,2,0,1:T(8,128)}");
    assert!(first.label.starts_with("%fusion.1 = s32"));
    // Four numbers fill four rows, and 128 of another dimension the lanes.
    assert_eq!(first.better.as_ref().unwrap().allocated_bytes, 512 * M);
    assert_eq!(
        (second.bytes, second.logical_bytes),
        (Some(16 * G), Some(128 * M))
    );
    assert_eq!(
        (third.bytes, third.logical_bytes, &third.better),
        (Some(4096), Some(4096), &None)
    );
}

/// The parts of a section with this total.
fn parts(report: &Report, sums: Sums, total: Option<u64>) -> Vec<(&str, u64)> {
    let section = report.section(sums).unwrap();
    assert_eq!(section.bytes, total, "{section:?}");
    let parts = section.parts.iter();
    parts
        .filter_map(|part| Some((&*part.name, part.bytes?)))
        .collect()
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
    assert_eq!((it.bytes, it.logical_bytes), (Some(8 * G), Some(128 * M)));
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
        [
            (Some(6 * M), "f32[4096,128,3]"),
            (Some(384 << 10), "f32[256,128,3]")
        ]
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
        assert!(report.cause == Cause::Load && !report.is_fragmented());
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
        assert_eq!(
            taken,
            [
                ("Top-of-Memory reserved", reserved),
                ("Currently allocated", 6_532_939_776),
                ("Program requirement", 4_237_689_856),
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

/// Bins and pieces of a dump are added up, and belong to the failure before them.
#[test]
fn a_dump_of_an_allocator() {
    let dump = "Bin (256): \tTotal Chunks: 2, Chunks in use: 1. 1.5KiB allocated for chunks. 256B in use in bin.\n\
                Bin (512): \tTotal Chunks: 0, Chunks in use: 0 0B allocated for chunks. 0B client-requested for chunks. 0B in use in bin.\n\
                Bin (1024): \tTotal Chunks: 1, Chunks in use: 1. 2.0KiB allocated for chunks. 2.0KiB in use in bin.\n\
                Bin for 3.00GiB was 256.00MiB, Chunk State: \n\
                Chunk at 0x1f00 of size 1280\nInUse at 7f00 of size 256 next 3\n\
                Free at 0x2f00 of size 4096\nFree  at 3f00 of size 512 next 5\n";
    let failure = "ran out of memory trying to allocate 3.00GiB (rounded to 3221225472).\n";
    let alone = one(dump);
    assert_eq!(alone.cause, Cause::Figures);
    let whole = one(&format!(
        "{failure}{dump}Sum Total of in-use chunks: 1.5KiB\n"
    ));
    assert_eq!(
        (whole.cause, whole.used_bytes),
        (Cause::Request, Some(3 * G))
    );
    for report in [alone, whole] {
        assert_eq!(parts(&report, Sums::Bins, Some(3584)), [("in use", 2304)]);
        assert_eq!(
            parts(&report, Sums::Chunks, Some(1536)),
            [("the largest", 1280)]
        );
        assert_eq!(
            parts(&report, Sums::FreeChunks, Some(4608)),
            [("the largest", 4096)]
        );
    }
    for other in [
        "Bin (2)",
        "Chunk at x of size 3",
        "Free at 0x1 of size y",
        "Free at of size 3",
    ] {
        assert!(all(other).is_empty(), "{other}");
    }
}

#[test]
fn the_statistics_of_an_allocator_are_read() {
    let report = one(
        "2025-01-01 10:00:00.1: W bfc_allocator.cc:5] Allocator (GPU_0_bfc) ran out of memory trying to allocate 27.00GiB (rounded to \
         28991029248)requested by op \nI0000 00:00:1773083052.386479   70889 bfc_allocator.cc:1128] Stats: \n\
         Limit:                   96390172672\nInUse:                        81.00GiB\nNumAllocs:                           3\n\n",
    );
    let free = Some(96_390_172_672 - (81 << 30));
    assert_eq!(
        (report.used_bytes, report.limit_bytes),
        (Some(27 << 30), free)
    );
    let section = report.section(Sums::Allocator).unwrap();
    let told: Vec<_> = section
        .parts
        .iter()
        .map(|part| (&*part.name, part.bytes))
        .collect();
    assert_eq!(
        (section.bytes, told),
        (Some(96_390_172_672), vec![("InUse", Some(81 << 30))])
    );
}

/// What `memory_analysis()` and `allocatorstats()` print, and a list without its beginning.
#[test]
fn figures_without_a_failure_are_read() {
    let report = one(
        "# CompiledMemoryStats(\n#     generated_code_size_in_bytes=16,\n#     argument_size_in_bytes=128, \
         output_size_in_bytes=64,\n#     alias_size_in_bytes=60,\n#     temp_size_in_bytes=512, \
         host_generated_code_size_in_bytes=0, host_argument_size_in_bytes=8, host_output_size_in_bytes=0, \
         host_alias_size_in_bytes=0, host_temp_size_in_bytes=0)\n",
    );
    assert_eq!(report.cause, Cause::Figures);
    let figures = (report.output_bytes, report.shared_output_bytes);
    assert_eq!(figures, (Some(64), Some(60)));
    let told = parts(&report, Sums::Compiled, Some(660));
    let expected = [
        ("code", 16),
        ("arguments", 128),
        ("results", 4),
        ("temporary arrays", 512),
        ("host_argument_size_in_bytes", 8),
    ];
    assert_eq!(told, expected);
    let report = one(
        "│    AllocatorStats\n│    In Use: 2.5 GiB\n│    Largest Alloc Size: 1 MiB\n│    Limit: 3 GiB\n",
    );
    assert_eq!(
        (report.cause, report.limit_bytes),
        (Cause::Figures, Some(512 * M))
    );
    // Each figure on a line of its own.
    let report = one(
        "  argument_size_in_bytes: 128\nstats.output_size_in_bytes = 64\nalias_size_in_bytes: 60\ntemp_size_in_bytes: 512\n",
    );
    let expected = [
        ("arguments", 128),
        ("results", 4),
        ("temporary arrays", 512),
    ];
    assert_eq!(parts(&report, Sums::Compiled, Some(644)), expected);
    // What the results share is not said.
    let report =
        one("argument_size_in_bytes: 128\noutput_size_in_bytes: 64\ntemp_size_in_bytes: 512\n");
    let expected = [
        ("arguments", 128),
        ("results, shared or not,", 64),
        ("temporary arrays", 512),
    ];
    assert_eq!(parts(&report, Sums::Compiled, Some(704)), expected);
    assert_eq!(report.shared_output_bytes, None);
    let stats = "Out[2]: \n{'num_allocs': 3, 'bytes_in_use': 100,\n 'bytes_limit': 300,\n 'peak_bytes_in_use': 200}\n";
    let report = one(stats);
    assert_eq!(
        (report.cause, report.limit_bytes),
        (Cause::Figures, Some(200))
    );
    assert_eq!(report, one(&stats.replace(",\n", ", ")));
    // What is in use is no limit.
    assert_eq!(all(&stats[..stats.find("300").unwrap()]), []);
    // A number that is no number is not 0.
    let report =
        one("Stats: \nLimit: 99999999999999999999999999\nInUse: 5\n\nPeak buffers:\nSize: 1G\n");
    assert_eq!(report.section(Sums::Allocator).unwrap().bytes, None);
    let list = TPU.split("Shape: ").nth(1).unwrap();
    let [first, ..] = &one(&list[list.find("Unpadded").unwrap()..]).allocations[..] else {
        panic!("{list}")
    };
    assert_eq!(
        (first.bytes, first.logical_bytes),
        (Some(16 * G), Some(512 * M))
    );
    // A list that begins at an item of any log.
    let report = one(
        "E 5. Size: 4.00M\nE    Operator: op_name=\"a/b\"\nE    Shape: f32[8,131072]\nE    Unpadded size: 4.00M\n",
    );
    let [item] = &report.allocations[..] else {
        panic!("{report:?}")
    };
    assert_eq!(
        (item.bytes, &*item.op_name, &*item.shape),
        (Some(4 * M), "a/b", "f32[8,131072]")
    );
    assert_eq!(all("Size: 4.00M\nShape: f32[8,131072]\n"), []);
    let report = one("OOM when allocating tensor with shape[2,3]\n\t [[Node: a = b");
    let [array] = &report.allocations[..] else {
        panic!("{report:?}")
    };
    assert_eq!((&*array.label, array.bytes), ("[2,3]", None));
}

/// A module is read as a module, another text is refused, and a report is given back.
#[test]
fn the_reader_finds_out_what_a_file_is() {
    let read = |text: &str| {
        let mut findings = Findings::new(Scope::ALL, Mistakes::new(0, false, Box::new(|_, _| {})));
        let read = crate::read(text.as_bytes(), Path::new("x"), &mut findings).unwrap();
        assert_eq!(
            findings.files.is_empty(),
            !matches!(read, crate::Read::Hlo(_))
        );
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
    assert!(matches!(read(module), crate::Read::Hlo(_)));
    // As Python and JSON print it, and in a text in a text.
    let module = module.replace(
        "parameter(0)",
        "parameter(0), metadata={op_name=\"\\\"a\\\"\"}",
    );
    let escaped = |text: &str| text.replace('\\', "\\\\").replace('\n', "\\n");
    let json = format!("{{\"hlo\": \"{}\"}}", escaped(&module).replace('"', "\\\""));
    for text in [
        format!("b'{}'", escaped(&module)),
        json.clone(),
        format!("'{}'", escaped(&json)),
    ] {
        assert!(matches!(read(&text), crate::Read::Hlo(_)), "{text}");
    }
}

/// Many warnings do not hide a failure.
#[test]
fn warnings_leave_room_for_failures() {
    let warning = |k: usize| {
        format!("ran out of memory trying to allocate {k}.5MiB. This is not a failure\n\n")
    };
    let mut text: String = (0..200).map(warning).collect();
    text += "Out of memory allocating 5 bytes.\n";
    let found = read(text.as_bytes()).unwrap();
    assert_eq!((found.reports.len(), found.left_out), (21, 180));
    assert_eq!(found.reports[20].used_bytes, Some(5));
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
    assert_eq!(found.reports[0].allocations_left_out, 5252);
    assert!(found.reports[0].allocations[0].shape.len() < 3000);
}

proptest! {
    #[test]
    fn pieces_of_reports_in_any_sequence_are_no_danger(
        pieces in prop::collection::vec((0..3000_usize, 1..200_usize), 0..40),
        bytes in prop::collection::vec(any::<u8>(), 0..40),
        step in 1..50_usize,
    ) {
        let whole = [TPU, EARLY_LOG, GPU, RECENT, RUN_TIME, SENTENCES].concat();
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
            prop_assert!(it.bytes.is_none() || it.logical_bytes <= it.bytes);
        }
    }
}
