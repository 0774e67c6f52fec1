//! Files of `xlayout hlo` that are cut, damaged or made to use much memory.

use std::fs;
use std::io::Write as _;
use std::path::Path;

use flate2::Compression;

use crate::program::{PACKAGE, run};

/// Writes a file and returns its path.
fn written(folder: &Path, file: &str, bytes: &[u8]) -> String {
    let path = folder.join(file);
    fs::write(&path, bytes).unwrap();
    path.to_str().unwrap().to_owned()
}

fn gzip(bytes: &[u8], level: Compression) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), level);
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// The exit code, what is printed, and the error.
fn said(arguments: &[&str]) -> (Option<i32>, String, String) {
    let output = run(arguments);
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (
        output.status.code(),
        text(output.stdout),
        text(output.stderr),
    )
}

/// A module with this number of arrays of this shape. One of them has a wrong layout.
fn text(name: &str, shape: &str, arrays: usize) -> String {
    let mut text = format!("HloModule {name}\n\nENTRY e {{\n  p = {shape} parameter(0)\n");
    for k in 1..arrays {
        text += &format!("  a{k} = {shape} negate(p), metadata={{op_name=\"{name}/negate\"}}\n");
    }
    text + "  ROOT wrong = f32[2]{7} negate(p)\n}\n"
}

/// The answer names the files that it counts. A file that ends in an error is not counted.
#[test]
fn nothing_of_a_file_that_ends_early_is_counted() {
    let folder = tempfile::tempdir().unwrap();
    let good = written(
        folder.path(),
        "good.hlo",
        text("good", "f32[2]{0}", 4).as_bytes(),
    );
    // Two modules, of which the first one is whole.
    let two = text("first", "f32[3]{0}", 5000) + &text("second", "f32[2]{0}", 5000);
    let packed = gzip(two.as_bytes(), Compression::none());
    let cut = written(folder.path(), "cut.hlo.gz", &packed[..packed.len() - 9]);
    for arguments in [
        &["--json"][..],
        &["--by", "layout"],
        &["--by", "opcode"],
        &["--by", "scope"],
    ] {
        let alone = said(&[&["hlo", &good], arguments].concat());
        let both = said(&[&["hlo", &cut, &good, &cut], arguments].concat());
        assert_eq!((alone.0, both.0), (Some(1), Some(3)), "{}", both.2);
        assert_eq!(alone.1, both.1, "{arguments:?}");
        assert!(
            both.2.contains(&format!("cannot read `{cut}`")),
            "{}",
            both.2
        );
        assert!(
            both.2.contains("1 place in 1 file could not be read"),
            "{}",
            both.2
        );
    }
}

/// A file that ends early is on no page, and no command tells of its modules.
#[test]
fn no_module_of_a_file_that_ends_early_is_shown() {
    let folder = tempfile::tempdir().unwrap();
    let good = text("good", "f32[2]{0}", 4).replace("{7}", "{0}");
    let good = written(folder.path(), "good.hlo", good.as_bytes());
    let two = text("first", "f32[3]{0}", 5000) + &text("second", "f32[2]{0}", 5000);
    let two = gzip(two.replace("{7}", "{0}").as_bytes(), Compression::none());
    let cut = written(folder.path(), "cut.hlo.gz", &two[..two.len() - 9]);
    for arguments in [
        &["--html", "-"][..],
        &["memory", "--html", "-"],
        &["memory"],
        &["memory", "--json"],
        &["copies", "--html", "-"],
        &["copies"],
        &["copies", "--json"],
    ] {
        let read = |files: &[&str]| {
            let (commands, options): (Vec<&str>, Vec<&str>) = arguments
                .iter()
                .partition(|word| word.len() > 1 && !word.starts_with('-'));
            said(&[&["hlo"][..], &commands, files, &options].concat())
        };
        let alone = read(&[&good]);
        let both = read(&[&cut, &good, &cut]);
        assert_eq!((alone.0, both.0), (Some(0), Some(3)), "{}", both.2);
        assert!(!alone.1.is_empty());
        assert_eq!(alone.1, both.1, "{arguments:?}");
        assert!(
            both.2.contains(&format!("cannot read `{cut}`")),
            "{}",
            both.2
        );
    }
}

/// The name of a module after all optimizations, or of a `.hlo.pb`, says what the file should be.
#[test]
fn a_folder_tells_of_damaged_modules() {
    let good = text("good", "f32[2]{0}", 4).replace("{7}", "{0}");
    for (module, damaged) in [
        (
            "module_0.after_optimizations.txt",
            "module_1.after_optimizations.txt",
        ),
        (
            "module_0.after_optimizations.txt",
            "module_1.after_optimizations.hlo.pb",
        ),
        ("module.hlo", "other.hlo.pb"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        written(folder.path(), module, good.as_bytes());
        written(folder.path(), "notes.md", b"# Notes\n");
        let damaged = written(folder.path(), damaged, b"\x0a\xff\x00\x01\x02\x03");
        let (code, answer, error) = said(&["hlo", folder.path().to_str().unwrap()]);
        assert_eq!(code, Some(3), "{error}");
        assert!(answer.contains("f32[2]{0}"), "{answer}");
        assert!(error.contains(&format!("`{damaged}`")), "{error}");
        assert!(error.contains("1 file is left out, 1 is read"), "{error}");
    }
}

/// The name of the file does not decide whether its own assignment is read.
#[test]
fn a_proto_of_any_name_has_its_assignment() {
    let stem = "tests/data/dump/tpu/module_0000.jit_f.cl_1003875606.after_optimizations";
    let bytes = fs::read(Path::new(PACKAGE).join(format!("{stem}.hlo.pb"))).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let answer = |name: &str| {
        let file = written(folder.path(), name, &bytes);
        let (code, answer, error) = said(&["hlo", "memory", &file, "--json"]);
        assert_eq!((code, &error[..]), (Some(0), ""));
        let assigned = format!("\"assigned_by\": \"{file}\"");
        assert!(answer.contains(&assigned), "{name}: {answer}");
        answer.replace(&file, "")
    };
    let expected = answer("m.hlo.pb");
    for name in ["m.pb", "module", "m.pb.1"] {
        assert_eq!(answer(name), expected);
    }
}
