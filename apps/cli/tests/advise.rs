//! `xlayout advise` with a compiler that this test plays: a script that gives modules that were
//! compiled before. `advise/check.py` runs it with JAX.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use serde_json::Value;

use crate::program::command;

/// A folder with a model as `default.hlo` and `auto.hlo`, and a script in place of Python. If the
/// compiler may choose, it gives `auto.hlo`; `given` is what the script does with layouts; `$to` is
/// the file. The lines to paste are the layouts that it was asked for.
fn folder(model: &str, given: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let copies = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/copies");
    for variant in ["default", "auto"] {
        let module = copies.join(format!("{model}.{variant}.v5e.hlo"));
        fs::copy(module, folder.path().join(format!("{variant}.hlo"))).unwrap();
    }
    let script = format!(
        "#!/bin/sh\necho '{{}}'\nwhile read -r request; do\n\
         to=$(printf '%s' \"$request\" | sed 's/.*\"to\":\"\\([^\"]*\\)\".*/\\1/')\n\
         layouts=$(printf '%s' \"$request\" | tr -d '\"{{}}')\n\
         case $request in\n*'\"paste\"'*) echo \"{{\\\"paste\\\":[\\\"asked for $layouts\\\"]}}\" ;;\n*'\"auto\"'*) {AUTO} ;;\n*'\"in\":{{}},\"out\":{{}}'*) cp default.hlo \"$to\"; echo '{{}}' ;;\n*) {given} ;;\nesac\ndone\n"
    );
    let python = folder.path().join("python");
    fs::write(&python, script).unwrap();
    fs::set_permissions(&python, fs::Permissions::from_mode(0o755)).unwrap();
    folder
}

/// Returns stdout, stderr, and the exit code.
fn advised(folder: &tempfile::TempDir, words: &[&str]) -> (String, String, Option<i32>) {
    let python = folder.path().join("python");
    let python = python.to_str().unwrap();
    let words = [&["advise", "model.py", "--python", python], words].concat();
    let output = command(&words).current_dir(folder).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (
        text(output.stdout),
        text(output.stderr),
        output.status.code(),
    )
}

const AUTO: &str = "cp auto.hlo \"$to\"; echo '{}'";

#[test]
fn what_is_better_is_kept() {
    let both = format!(
        "case $request in *'\"in\":{{\"0\"'*'\"out\":{{\"0\"'*) {AUTO} ;; *) cp default.hlo \"$to\"; echo '{{}}' ;; esac"
    );
    let folder = folder("rope_interleave", &both);
    let (told, wrong, code) = advised(&folder, &[]);
    assert_eq!((&*wrong, code), ("", Some(0)));
    let first = told.lines().next().unwrap();
    assert_eq!(
        first,
        "model.py: copies 28.0 MiB, moves 8.00 MiB, padding 0 B, peak 16.0 MiB"
    );
    assert!(told.contains("\nkept  parameter 0 "), "{told}");
    let lines = "Paste  copies 0 B, moves 0 B, padding 0 B, peak 12.0 MiB\n  \
                 asked for in:0:[0,3,2,1],out:0:[0,3,2,1],paste:true\n";
    assert!(told.ends_with(lines), "{told}");
    let (json, _, _) = advised(&folder, &["--json"]);
    let json: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["after"]["copied_bytes"], 0);
    assert_eq!(json["after"], json["trials"][0]["figures"]);
}

#[test]
fn what_is_worse_or_refused_is_not_kept() {
    // Moves between memory spaces take the place of the copies.
    let (told, _, code) = advised(&folder("conv_nchw", AUTO), &[]);
    assert!(told.contains("\nnot kept  the result "), "{told}");
    assert!(
        told.ends_with("Nothing is better: 3 choices tried.\n"),
        "{told}"
    );
    assert_eq!(code, Some(0));
    let refuse = "echo '{\"error\":\"ValueError: no\"}'";
    let (told, _, code) = advised(&folder("rope_interleave", refuse), &[]);
    assert!(
        told.contains("\nrefused  parameter 0 ") && told.contains("ValueError: no"),
        "{told}"
    );
    assert!(
        told.ends_with("Nothing is better: 3 choices tried.\n"),
        "{told}"
    );
    assert_eq!(code, Some(0));
}

/// Only both layouts together are better: the advice has them one by one.
#[test]
fn what_the_compiler_chooses_is_tried() {
    let both = format!(
        "case $request in *'\"0\"'*'\"1\"'*) {AUTO} ;; *) cp default.hlo \"$to\"; echo '{{}}' ;; esac"
    );
    let (told, wrong, code) = advised(&folder("mla_projection", &both), &[]);
    assert_eq!((&*wrong, code), ("", Some(0)));
    let words = [
        "\nnot kept  result 1 ",
        "\nnot kept  result 0 ",
        "\nkept  result 0 ",
    ];
    let places = words.map(|word| told.find(word));
    assert!(places.is_sorted() && places[0].is_some(), "{told}");
    let lines = "  asked for in:,out:0:[1,0,3,2],1:[0,2,1],paste:true\n";
    assert!(told.ends_with(lines), "{told}");
}

/// The script tells its arguments.
#[test]
fn the_devices_are_those_that_are_asked_for() {
    let folder = folder("rope_interleave", "exit");
    let python = folder.path().join("python");
    fs::write(
        python,
        "#!/bin/sh\necho '{\"error\":\"asked for '\"$6 [$7]\"'\"}'\n",
    )
    .unwrap();
    for (words, asked) in [
        (&[][..], "tpu []"),
        (&["--device", "v6e:2x2"], "tpu [v6e:2x2]"),
        (&["--cpu"], "cpu []"),
    ] {
        let (_, wrong, _) = advised(&folder, words);
        assert!(wrong.contains(&format!("asked for {asked}\n")), "{wrong}");
    }
    let (_, _, code) = advised(&folder, &["--cpu", "--device", "v6e:2x2"]);
    assert_eq!(code, Some(2));
}

#[test]
fn a_compiler_that_fails_is_told() {
    let (_, wrong, code) = advised(&folder("rope_interleave", "exit 7"), &[]);
    assert_eq!(
        wrong,
        "error: Python ended without an answer, exit status: 7\n"
    );
    assert_eq!(code, Some(3));
    let none = folder("rope_interleave", "exit");
    fs::write(
        none.path().join("python"),
        "#!/bin/sh\necho '{\"error\":\"no jax\"}'\n",
    )
    .unwrap();
    let (_, wrong, code) = advised(&none, &[]);
    assert!(
        wrong.starts_with("error: cannot load `model.py`: no jax\n"),
        "{wrong}"
    );
    assert_eq!(code, Some(3));
    fs::remove_file(none.path().join("python")).unwrap();
    let (_, wrong, code) = advised(&none, &[]);
    assert!(wrong.starts_with("error: cannot start `"), "{wrong}");
    assert_eq!(code, Some(3));
}
