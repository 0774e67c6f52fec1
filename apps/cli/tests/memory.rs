//! `xlayout hlo memory` on modules of the TPU compiler, compared with the numbers of that compiler.

use crate::program::{answer, expect_file, refusal};
use serde_json::Value;

/// Model, `peak_memory_in_bytes`, and from the compiler's buffer assignment: what it allocates in
/// the default space for parameters, constants and results without the table of a tuple, and the
/// peak of its heap simulator in S(1).
const MODULES: [(&str, u64, u64, u64); 16] = [
    ("attention_bshd.default", 20_578_304, 6_291_456, 14_286_848),
    ("attention_bshd.auto", 20_578_304, 6_291_456, 14_286_848),
    ("conv_nchw.default", 32_833_536, 19_693_568, 13_139_968),
    ("conv_nchw.auto", 38_830_080, 25_985_024, 12_845_056),
    (
        "embedding_tied.default",
        165_421_056,
        114_692_096,
        50_728_960,
    ),
    ("embedding_tied.auto", 165_421_056, 114_692_096, 50_728_960),
    ("kv_cache_update.default", 4_737_024, 4_212_224, 524_288),
    ("kv_cache_update.auto", 8_408_576, 8_406_528, 0),
    ("mla_projection.default", 11_010_560, 7_864_320, 3_145_728),
    ("mla_projection.auto", 11_010_560, 7_864_320, 3_145_728),
    ("narrow_minor.default", 25_231_872, 25_231_360, 0),
    ("narrow_minor.auto", 25_231_872, 25_231_360, 0),
    ("rope_interleave.default", 16_777_216, 8_388_608, 8_388_608),
    ("rope_interleave.auto", 12_582_912, 8_388_608, 4_194_304),
    ("scan_transposed.default", 4_885_504, 2_619_904, 2_265_088),
    ("scan_transposed.auto", 4_885_504, 2_619_904, 2_265_088),
];

fn memory(file: &str) -> Value {
    serde_json::from_str(&answer(&["hlo", "memory", file, "--json"])).unwrap()
}

fn file(model: &str) -> String {
    format!("tests/data/copies/{model}.v5e.hlo")
}

#[test]
fn the_peaks_of_the_compiler() {
    for (model, peak, default, fast) in MODULES {
        let answer = memory(&file(model));
        let spaces = answer["spaces"].as_array().unwrap();
        let of = |number: i64| {
            let mut found = spaces.iter().filter(|space| space["space"] == number);
            found
                .next()
                .map_or(0, |space| space["live_bytes"].as_u64().unwrap())
        };
        assert_eq!((of(0), of(1)), (default, fast), "{model}");
        let sum: u64 = spaces
            .iter()
            .map(|space| space["peak_bytes"].as_u64().unwrap())
            .sum();
        assert_eq!(answer["peak_bytes"], sum);
        // A table of pointers for each tuple among the results is not counted.
        assert!(sum.abs_diff(peak) <= 1024, "{model}: {sum} and {peak}");
    }
}

/// Models in which XLA's figure is not the sum of what is alive: updates in place in the fast
/// memory, temporaries in two spaces, fusions and sorts in the memory of an operand. The figures
/// are `peak_memory_in_bytes` of libtpu 0.0.51.
#[test]
fn what_the_compiler_counts_is_not_what_is_alive() {
    for (model, peak) in [
        ("big_cond.v5e", 469_773_824),
        ("big_conv.v5e", 1_208_846_336),
        ("dus_chain.v6e", 8_509_952),
        ("fori_update.v4", 4_458_496),
        // Two outputs of a fusion alias one operand.
        ("fsdp.v5e", 39_845_888),
        ("gather_scatter.v4", 18_835_456),
        ("scan_grad.v5e", 12_260_352),
        ("scan_grad.v5p", 8_099_328),
        ("sort_pairs.v6e", 21_104_672),
    ] {
        let answer = memory(&format!("tests/data/peaks/{model}.hlo"));
        let ours = answer["peak_bytes"].as_u64().unwrap();
        assert!(ours.abs_diff(peak) <= 4096, "{model}: {ours} and {peak}");
        assert_ne!(answer["live_bytes"], answer["peak_bytes"], "{model}");
    }
}

#[test]
fn what_is_alive_adds_up_to_the_peak() {
    for (model, ..) in MODULES {
        let answer = memory(&file(model));
        for space in answer["spaces"].as_array().unwrap() {
            let buffers = space["buffers"].as_array().unwrap();
            let bytes = |buffer: &Value| buffer["bytes"].as_u64().unwrap();
            let sum: u64 = buffers.iter().map(bytes).sum();
            assert_eq!(space["live_bytes"], sum, "{model}");
            assert_eq!(space["alive"], buffers.len());
            assert!(buffers.is_sorted_by_key(|buffer| std::cmp::Reverse(bytes(buffer))));
            let timeline = space["timeline"].as_array().unwrap();
            let most = timeline.iter().map(|part| part.as_u64().unwrap()).max();
            assert_eq!(most, Some(sum), "{model}");
        }
    }
}

#[test]
fn goldens() {
    for (model, golden) in [
        (
            "attention_bshd.default",
            expect_file!["memory/attention.txt"],
        ),
        ("scan_transposed.default", expect_file!["memory/scan.txt"]),
        (
            "kv_cache_update.default",
            expect_file!["memory/kv_cache.txt"],
        ),
    ] {
        golden.assert_eq(&answer(&["hlo", "memory", &file(model)]));
    }
    expect_file!["memory/scan.json"].assert_eq(&answer(&[
        "hlo",
        "memory",
        "tests/data/copies/scan_transposed.auto.v5e.hlo",
        "--json",
        "--top",
        "2",
    ]));
}

#[test]
fn several_modules_and_files_that_are_none() {
    let both = [file("narrow_minor.auto"), file("narrow_minor.default")];
    let text = answer(&["hlo", "memory", &both[0], &both[1], "--json"]);
    let both: Value = serde_json::from_str(&text).unwrap();
    let peaks: Vec<_> = both["modules"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| &one["peak_bytes"])
        .collect();
    assert_eq!(peaks, [&Value::from(25_231_360), &Value::from(25_231_360)]);
    expect_file!["memory/refusals.txt"].assert_eq(
        &[
            refusal(&["hlo", "memory", "no/such/file"]),
            refusal(&["hlo", "memory"]),
            refusal(&["hlo", "memory", "Cargo.toml"]),
        ]
        .join("\n"),
    );
}

/// Sums by operation, scope and line: each is the sum of what ENTRY allocates.
#[test]
fn groups_of_the_summary_have_one_sum() {
    let sum = |by: &str| -> u64 {
        let text = answer(&[
            "hlo",
            &file("scan_transposed.default"),
            "--csv",
            "--by",
            by,
            "--all",
        ]);
        let rows = text.lines().skip(1);
        rows.map(|row| row.rsplit(',').nth(1).unwrap().parse::<u64>().unwrap())
            .sum()
    };
    let expected = sum("type");
    for by in ["opcode", "scope", "source"] {
        assert_eq!(sum(by), expected, "{by}");
    }
    let by = |by: &str| answer(&["hlo", &file("scan_transposed.default"), "--by", by]);
    expect_file!["memory/by.txt"].assert_eq(&["opcode", "scope", "source"].map(by).join("\n"));
}

#[test]
fn the_summary_ends_with_what_is_most_valuable() {
    for model in ["narrow_minor.default", "mla_projection.default"] {
        let text = answer(&["hlo", &file(model)]);
        expect_file![format!("memory/summary_{model}.txt")].assert_eq(&text);
    }
}
