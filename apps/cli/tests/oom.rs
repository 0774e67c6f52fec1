//! Reports of XLA that ran out of memory, and modules that do not fit in a memory.

use crate::program::{answer, answer_to, expect_file, refusal, run};
use serde_json::Value;

#[test]
fn reports_are_explained() {
    for (name, golden) in [
        ("tpu", expect_file!["oom/tpu.txt"]),
        ("early_log", expect_file!["oom/early_log.txt"]),
        ("gpu", expect_file!["oom/gpu.txt"]),
        ("recent", expect_file!["oom/recent.txt"]),
        ("run_time", expect_file!["oom/run_time.txt"]),
        ("others", expect_file!["oom/others.txt"]),
        ("figures", expect_file!["oom/figures.txt"]),
    ] {
        let file = format!("tests/data/oom/{name}.txt");
        golden.assert_eq(&answer(&["hlo", &file]));
    }
    let both = ["tests/data/oom/tpu.txt", "tests/data/oom/gpu.txt"];
    expect_file!["oom/both.txt"].assert_eq(&answer(&["hlo", both[0], both[1], "--top", "1"]));
}

/// What each sentence says, and what to do: the library checks the figures.
#[test]
fn each_sentence_has_an_answer() {
    let sentences = include_str!("data/oom/sentences.txt").split("\n\n");
    let answers = sentences.map(|sentence| {
        let (_, text) = sentence.split_once('\n').unwrap();
        format!("{}\n\n{}", text.trim_end(), answer_to(&["hlo", "-"], text))
    });
    let all = answers.collect::<Vec<_>>().join("\n");
    expect_file!["oom/sentences.txt"].assert_eq(&all);
}

/// A log with modules and reports: all of them are listed, and the first failure is explained.
#[test]
fn a_log_is_read_as_a_whole() {
    let module = include_str!("data/copies/narrow_minor.default.v5e.hlo");
    let report = include_str!("data/oom/run_time.txt");
    let marked = |before: &str, text: &str| {
        let lines = text.lines().map(|line| format!("{before}{line}\n"));
        lines.collect::<String>()
    };
    let warning = "W0000 00:00:1.2 3 a.cc:4] Can't reduce memory use below 2.00GiB (2147483648 bytes) by \
        rematerialization; only reduced to 3.00GiB (3221225472 bytes), down from 4.00GiB\n";
    let log = [
        "step 1: loss = 3.5\n",
        &marked("2026-08-07T12:00:05.1234567Z ", module),
        warning,
        &marked("(RayTrainWorker pid=1, ip=10.0.0.1) ", report),
        &marked("[rank0]: ", &module.replace("jit_f", "jit_g")),
        "done\n",
    ]
    .concat();
    let text = answer_to(&["hlo", "-", "--top", "2"], &log);
    expect_file!["oom/log.txt"].assert_eq(&text);
    let json: Value = serde_json::from_str(&answer_to(&["hlo", "-", "--json"], &log)).unwrap();
    let reports = json["out_of_memory"][0]["reports"].as_array().unwrap();
    let causes: Vec<_> = reports.iter().map(|report| &report["cause"]).collect();
    assert_eq!(causes, ["rematerialization", "load"]);
    assert_eq!(json["modules"], 2);
    // Other questions are about the modules.
    let text = answer_to(&["hlo", "copies", "-"], &log);
    assert!(text.contains("2 modules make no copies"), "{text}");
}

#[test]
fn programs_get_every_figure() {
    let text = answer(&["hlo", "tests/data/oom/tpu.txt", "--json"]);
    expect_file!["oom/tpu.json"].assert_eq(&text);
    let log = include_str!("data/oom/recent.txt");
    let piped: Value = serde_json::from_str(&answer_to(&["hlo", "-", "--json"], log)).unwrap();
    let report = &piped["out_of_memory"][0]["reports"][0];
    assert_eq!(report["limit_bytes"], 16_911_433_728_u64);
}

#[test]
fn a_report_is_no_module() {
    let file = "tests/data/oom/gpu.txt";
    let told = [
        refusal(&["hlo", "memory", file]),
        refusal(&["hlo", file, "--csv"]),
        refusal(&["hlo", "memory", file, "--limit", "16GB"]),
        refusal(&["hlo", "memory", file, "--device", "v5f"]),
    ];
    expect_file!["oom/refused.txt"].assert_eq(&told.join("\n\n"));
    // Modules are answered beside it.
    let module = "tests/data/copies/narrow_minor.default.v5e.hlo";
    let text = answer(&["hlo", module, file]);
    assert!(
        text.contains("gpu.txt, line 4: ") && text.contains("narrow_minor"),
        "{text}"
    );
    // Rows of a table say nothing of a report.
    let output = run(&["hlo", module, file, "--csv"]);
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(told.contains("alone explains it"), "{told}");
}

#[test]
fn a_module_fits_or_does_not() {
    let module = "tests/data/copies/narrow_minor.default.v5e.hlo";
    let told = answer(&["hlo", "memory", module, "--device", "v5e", "--top", "1"]);
    assert!(told.contains("It fits: "), "{told}");
    let output = run(&["hlo", "memory", module, "--limit", "16M", "--top", "4"]);
    assert_eq!((output.status.code(), output.stderr.len()), (Some(1), 0));
    expect_file!["oom/does_not_fit.txt"].assert_eq(&String::from_utf8(output.stdout).unwrap());

    let fit = |limit: &str| {
        let output = run(&["hlo", "memory", module, "--limit", limit, "--json"]);
        let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
        (output.status.code(), answer["fit"].clone(), answer)
    };
    let (code, one, answer) = fit("16M");
    assert_eq!((code, &one["fits"]), (Some(1), &Value::from(false)));
    let own = &answer["spaces"][0];
    assert_eq!(
        (&own["space"], &own["peak_bytes"]),
        (&Value::from(0), &one["needed_bytes"])
    );
    // The limit itself fits, a byte less does not.
    let needed = one["needed_bytes"].as_u64().unwrap();
    assert_eq!(one["excess_bytes"], needed - (16 << 20));
    let codes = [needed, needed - 1].map(|limit| fit(&limit.to_string()).0);
    assert_eq!(codes, [Some(0), Some(1)]);
}
