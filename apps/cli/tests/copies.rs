//! `xlayout hlo copies` and `xlayout hlo diff`, run as a person runs them. The goldens lie in
//! `hlo/`, each looked at in a terminal of 80 columns.

use std::process::Output;

use crate::program::expect_file;
use serde_json::Value;

const MODULES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/copies");

fn run(arguments: &str) -> Output {
    let arguments: Vec<&str> = ["hlo"].into_iter().chain(arguments.split(' ')).collect();
    let mut command = crate::program::command(&arguments);
    command.current_dir(MODULES).output().unwrap()
}

/// Both outputs and the exit code, where it is not 0.
fn shown(output: &Output) -> String {
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    let mut all = text(&output.stdout) + &text(&output.stderr);
    match output.status.code() {
        Some(0) => {}
        Some(code) => all += &format!("exit code {code}\n"),
        None => panic!("a signal"),
    }
    all
}

fn check(name: &str, arguments: &str) {
    expect_file![format!("hlo/{name}")].assert_eq(&shown(&run(arguments)));
}

#[test]
fn copies_for_people() {
    check("copies_conv.txt", "copies conv_nchw.default.v5e.hlo");
    check("copies_cache.txt", "copies kv_cache_update.default.v5e.hlo");
    check(
        "copies_rope.txt",
        "copies rope_interleave.default.v5e.hlo --top 3",
    );
    check(
        "copies_scan.txt",
        "copies scan_transposed.default.v5e.hlo --top 2",
    );
    check("copies_none.txt", "copies narrow_minor.default.v5e.hlo");
    check("copies_help.txt", "copies --help");
    check(
        "copies_time.txt",
        "copies ../gpu/asynchronous.hlo --device a100-80gb --top 2",
    );
    check(
        "copies_by.txt",
        "copies ../hlo . --bandwidth 819GB/s --by opcode",
    );
    check(
        "copies_by.csv",
        "copies . --device v5e --by source --csv --top 3",
    );
    check(
        "copies.csv",
        "copies kv_cache_update.default.v5e.hlo --device v5e --csv",
    );
    check(
        "copies_constraint.txt",
        "copies ../constraints/topk_gather.default.v5e.hlo --top 2",
    );
}

/// A module as XLA writes it for GPUs: libraries behind custom calls, fusions of several kinds,
/// command buffers, asynchronous calls.
#[test]
fn a_module_of_a_gpu() {
    check("gpu_copies.txt", "copies ../gpu/train_step.hlo");
    check("gpu_memory.txt", "memory ../gpu/train_step.hlo");
    check("gpu_opcodes.txt", "../gpu/train_step.hlo --by opcode");
    check(
        "gpu_asynchronous.txt",
        "copies ../gpu/asynchronous.hlo --top all",
    );
}

#[test]
fn copies_for_programs() {
    check(
        "copies_cache.json",
        "copies kv_cache_update.default.v5e.hlo --json",
    );
}

#[test]
fn differences_for_people() {
    check(
        "diff_conv.txt",
        "diff conv_nchw.default.v5e.hlo conv_nchw.auto.v5e.hlo",
    );
    check(
        "diff_same.txt",
        "diff conv_nchw.auto.v5e.hlo conv_nchw.auto.v5e.hlo",
    );
    check("diff_help.txt", "diff --help");
}

#[test]
fn differences_for_programs() {
    let answer = run("diff mla_projection.default.v5e.hlo mla_projection.auto.v5e.hlo --json");
    let answer: Value = serde_json::from_slice(&answer.stdout).unwrap();
    let names = |key: &str| -> Vec<&str> {
        let copies = answer[key].as_array().unwrap();
        copies
            .iter()
            .map(|copy| copy["instruction"].as_str().unwrap())
            .collect()
    };
    assert_eq!(names("copies_removed"), ["copy.1", "copy"]);
    assert!(names("copies_added").is_empty());
    assert_eq!(answer["padding_bytes"], 0);
    assert_eq!(answer["copied_bytes"], -(8 << 20));
    let layouts = answer["layouts"].as_array().unwrap();
    assert_eq!(layouts[0]["result"], 0);
    assert_eq!(layouts[0]["b"], "{2,3,0,1:T(8,128)(2,1)}");
}

#[test]
fn the_exit_code_is_for_ci() {
    let code = |arguments: &str| run(arguments).status.code();
    let before = "mla_projection.default.v5e.hlo";
    let after = "mla_projection.auto.v5e.hlo";
    assert_eq!(code(&format!("diff {before} {after}")), Some(1));
    assert_eq!(
        code(&format!("diff {before} {after} --fail-on worse")),
        Some(0)
    );
    assert_eq!(
        code(&format!("diff {after} {before} --fail-on worse")),
        Some(1)
    );
    assert_eq!(
        code(&format!(
            "diff {after} {before} --fail-on worse --allow 8388608"
        )),
        Some(0)
    );
    assert_eq!(
        code(&format!("diff {after} {before} --fail-on never")),
        Some(0)
    );
    assert_eq!(code(&format!("diff {after} {after}")), Some(0));
    assert_eq!(code("diff missing.hlo also_missing.hlo"), Some(3));
    assert_eq!(code("diff . conv_nchw.auto.v5e.hlo"), Some(2));
    assert_eq!(code("copies missing.hlo"), Some(3));
}
