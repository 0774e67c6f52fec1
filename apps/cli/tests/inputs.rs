//! The files that `xlayout hlo` takes: folders of a dump, binary modules, compressed files, pipes,
//! modules of the CPU.
//!
//! `data/dump` has files that jaxlib 0.10.2 and libtpu 0.0.51 wrote with `--xla_dump_to`.

use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::Stdio;

use crate::program::{PACKAGE, address_space, answer, command, least_memory, limited, run};
use serde_json::Value;

const TPU: &str = "tests/data/dump/tpu/module_0000.jit_f.cl_1003875606.after_optimizations";
const CPU: &str = "tests/data/dump/cpu/module_0000.jit_f.cpu_after_optimizations";

fn read(file: String) -> Vec<u8> {
    fs::read(Path::new(PACKAGE).join(file)).unwrap()
}

fn json(arguments: &[&str]) -> Value {
    serde_json::from_str(&answer(arguments)).unwrap()
}

/// What does not depend on the file.
fn without_file(mut value: Value) -> Value {
    match &mut value {
        Value::Object(map) => {
            for key in ["file", "files", "line", "assigned_by"] {
                map.remove(key);
            }
            for (_, inside) in map.iter_mut() {
                *inside = without_file(inside.take());
            }
        }
        Value::Array(all) => {
            for one in all {
                *one = without_file(one.take());
            }
        }
        _ => {}
    }
    value
}

fn copied(folder: &Path, file: &str, bytes: &[u8]) -> String {
    let path = folder.join(file);
    fs::write(&path, bytes).unwrap();
    path.to_str().unwrap().to_owned()
}

#[test]
fn text_and_proto_of_a_module_give_the_same_answers() {
    for stem in [TPU, CPU] {
        for command in [&["hlo"][..], &["hlo", "copies"], &["hlo", "memory"]] {
            let of = |end: &str| {
                let file = format!("{stem}{end}");
                without_file(json(&[command, &[&file, "--json"]].concat()))
            };
            assert_eq!(of(".txt"), of(".hlo.pb"), "{stem} {command:?}");
        }
    }
}

/// What does not depend on the file, of the memory of a module in a pipe.
fn of_pipe(bytes: &[u8]) -> Value {
    let mut child = command(&["hlo", "memory", "-", "--json"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(bytes).unwrap();
    let output = child.wait_with_output().unwrap();
    without_file(serde_json::from_slice(&output.stdout).unwrap())
}

#[test]
fn compressed_files_and_pipes_give_the_same_answers() {
    let folder = tempfile::tempdir().unwrap();
    for (end, stem) in [(".txt", TPU), (".hlo.pb", CPU)] {
        let bytes = read(format!("{stem}{end}"));
        let plain = copied(folder.path(), "plain", &bytes);
        let expected = without_file(json(&["hlo", "memory", &plain, "--json"]));
        // A pipe is read once, so without what XLA assigned, which a proto may say itself.
        let expected_of_pipe = of_pipe(&bytes);
        for key in ["live_bytes", "steps"] {
            assert_eq!(expected_of_pipe[key], expected[key]);
        }
        // A file may be several compressed parts.
        let (first, second) = bytes.split_at(bytes.len() / 2);
        let gzip = |part: &[u8]| {
            let mut encoder =
                flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
            encoder.write_all(part).unwrap();
            encoder.finish().unwrap()
        };
        let zstd = |part: &[u8]| {
            ruzstd::encoding::compress_to_vec(part, ruzstd::encoding::CompressionLevel::Fastest)
        };
        for (name, packed) in [
            ("a.gz", [gzip(first), gzip(second)].concat()),
            ("a.zst", [zstd(first), zstd(second)].concat()),
        ] {
            let file = copied(folder.path(), name, &packed);
            let found = without_file(json(&["hlo", "memory", &file, "--json"]));
            assert_eq!(found, expected, "{name} of {stem}");
            let found = of_pipe(&packed);
            assert_eq!(found, expected_of_pipe, "{name} of {stem}, in a pipe");
        }
    }
}

#[test]
fn of_a_dump_each_module_is_read_once_with_its_assignment() {
    for (folder, stem) in [("tpu", TPU), ("cpu", CPU)] {
        let folder = format!("tests/data/dump/{folder}");
        let output = run(&["hlo", "memory", &folder, "--json"]);
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(0), "{error}");
        assert_eq!(
            error,
            format!("note: `{folder}`: 4 files are left out, 1 is read\n")
        );
        let found: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(found["file"], format!("{stem}.txt"));
        assert_eq!(
            found["assigned_by"],
            format!("{stem}-buffer-assignment.txt")
        );
        // What XLA's own report of the memory says.
        let report = String::from_utf8(read(format!("{stem}-memory-usage-report.txt"))).unwrap();
        let totals: Vec<u64> = report
            .lines()
            .filter_map(|line| {
                line.strip_prefix("Total bytes: ")?
                    .split(' ')
                    .next()?
                    .parse()
                    .ok()
            })
            .collect();
        let spaces = found["spaces"].as_array().unwrap();
        let peaks: Vec<u64> = spaces
            .iter()
            .map(|space| space["peak_bytes"].as_u64().unwrap())
            .collect();
        assert_eq!(peaks, totals, "{folder}");
        assert_eq!(found["peak_bytes"], totals.iter().sum::<u64>());
        // No more can be alive than is allocated.
        for space in spaces {
            assert!(space["live_bytes"].as_u64() <= space["peak_bytes"].as_u64());
        }
    }
}

/// Modules without copies are reported in one line together.
#[test]
fn modules_without_copies_are_counted() {
    let folder = tempfile::tempdir().unwrap();
    let module = |name: &str, operation: &str| {
        let text = format!(
            "HloModule {name}, is_scheduled=true\n\nENTRY %e {{\n  a = f32[2,3]{{1,0}} parameter(0)\n  \
            ROOT b = f32[2,3]{{1,0}} {operation}(a)\n}}\n"
        );
        copied(folder.path(), &format!("{name}.txt"), text.as_bytes());
    };
    let said = || answer(&["hlo", "copies", folder.path().to_str().unwrap()]);
    module("one", "negate");
    assert!(
        said().ends_with("module one makes no copies\n"),
        "{}",
        said()
    );
    module("two", "negate");
    assert_eq!(said(), "2 modules make no copies\n");
    module("three", "copy");
    assert!(
        said().contains("module three makes 1 copy, which"),
        "{}",
        said()
    );
    assert!(
        said().ends_with("\n\n2 other modules make no copies\n"),
        "{}",
        said()
    );
}

#[test]
fn the_report_is_taken_where_the_assignment_is_missing() {
    let folder = tempfile::tempdir().unwrap();
    let module = copied(folder.path(), "m.txt", &read(format!("{TPU}.txt")));
    let alone = json(&["hlo", "memory", &module, "--json"]);
    assert_eq!(
        (&alone["peak_bytes"], &alone["assigned_by"]),
        (&Value::from(4_884_992), &Value::Null)
    );
    let report = read(format!("{TPU}-memory-usage-report.txt"));
    let report = copied(folder.path(), "m-memory-usage-report.txt", &report);
    let found = json(&["hlo", "memory", &module, "--json"]);
    assert_eq!(
        (&found["peak_bytes"], &found["assigned_by"]),
        (&Value::from(4_986_376), &Value::from(report))
    );
}

/// Bytes that are damaged give an error and exit code, and no panic.
#[test]
fn damaged_files() {
    let folder = tempfile::tempdir().unwrap();
    let proto = read(format!("{TPU}.hlo.pb"));
    let mut files: Vec<(String, Vec<u8>)> = Vec::new();
    for length in (1..proto.len()).step_by(997) {
        files.push((format!("cut{length}.hlo.pb"), proto[..length].to_vec()));
    }
    for at in (0..proto.len()).step_by(613) {
        let mut bytes = proto.clone();
        bytes[at] ^= 0x55;
        files.push((format!("changed{at}.hlo.pb"), bytes));
    }
    files.push(("cut.gz".to_owned(), vec![0x1f, 0x8b, 8, 0, 0]));
    files.push(("cut.zst".to_owned(), vec![0x28, 0xb5, 0x2f, 0xfd, 4]));
    for (name, bytes) in files {
        let file = copied(folder.path(), &name, &bytes);
        for command in [&["hlo"][..], &["hlo", "memory"], &["hlo", "copies"]] {
            let output = run(&[command, &[&file]].concat());
            let error = String::from_utf8_lossy(&output.stderr);
            let code = output.status.code();
            assert!(
                matches!(code, Some(0 | 1 | 3)),
                "{name} {command:?}: {code:?} {error}"
            );
            assert_eq!(
                code == Some(0),
                error.is_empty(),
                "{name} {command:?}: {error}"
            );
            assert!(!error.contains("panicked"), "{name} {command:?}: {error}");
        }
    }
    let assignment = folder.path().join("d-buffer-assignment.txt");
    fs::write(
        assignment,
        "BufferAssignment:\nallocation 0: size 5x, constant:\n",
    )
    .unwrap();
    let module = copied(folder.path(), "d.txt", &read(format!("{TPU}.txt")));
    let output = run(&["hlo", "memory", &module]);
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(error.contains("an allocation has no size"), "{error}");
    assert!(error.contains("d-buffer-assignment.txt:2"), "{error}");
    assert_eq!(output.status.code(), Some(3));
    // There is an answer without it.
    assert!(
        String::from_utf8(output.stdout)
            .unwrap()
            .contains("S(1), fast memory")
    );
}

/// A log that another command reads names that command.
#[test]
fn logs_of_other_commands() {
    let folder = tempfile::tempdir().unwrap();
    for (log, command) in [
        (
            "[spmd] Involuntary full rematerialization. from sharding {devices=[2]<=[2]} to {replicated}",
            "`xlayout shard diff A B SHAPE`",
        ),
        (
            "x.sharding: GSPMDSharding({devices=[2]<=[2]})",
            "`xlayout shard explain - SHAPE`",
        ),
        ("arg0: memref<2x3xf32>", "`xlayout explain -`"),
        ("GPU KV cache size: 178,880 tokens", "no failure"),
        ("W0000 nothing", "is HLO text"),
    ] {
        let file = copied(folder.path(), "a.log", log.as_bytes());
        let error = run(&["hlo", &file]).stderr;
        let error = String::from_utf8(error).unwrap();
        assert!(
            error.contains("holds no HLO") && error.contains(command),
            "{log}: {error}"
        );
    }
}

/// A few kilobytes that unpack to 8 MiB of blanks are read in constant memory, as a pipe of them
/// would be: with what the program needs for one blank, and 4 MiB more.
#[cfg(unix)]
#[test]
fn a_bomb_takes_no_memory() {
    let folder = tempfile::tempdir().unwrap();
    let packed = |name: &str, mib: usize| {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        encoder.write_all(b"\n").unwrap();
        for _ in 0..mib {
            encoder.write_all(&vec![b'\n'; 1 << 20]).unwrap();
        }
        copied(folder.path(), name, &encoder.finish().unwrap())
    };
    let holds_nothing = |file: &str, mib: usize| {
        let output = limited(&address_space(mib), &["hlo", file]).output();
        let output = output.unwrap();
        let error = String::from_utf8_lossy(&output.stderr);
        output.status.code() == Some(3) && error.contains("holds no HLO")
    };
    let small = packed("small.gz", 0);
    let bomb = packed("bomb.gz", 8);
    assert!(fs::metadata(&bomb).unwrap().len() < 1 << 17);
    let needed = least_memory(|mib| holds_nothing(&small, mib));
    assert!(holds_nothing(&bomb, needed + 4), "{needed} MiB without it");
}

/// Bytes that are made to take much memory: a binary module takes at most 150 bytes for each of its
/// own.
#[cfg(unix)]
#[test]
fn a_binary_module_takes_a_multiple_of_its_length() {
    const MIB: usize = 2;
    let varint = |mut number: usize| {
        let mut all = Vec::new();
        while number >= 0x80 {
            all.push(number as u8 | 0x80);
            number >>= 7;
        }
        all.push(number as u8);
        all
    };
    let field = |number: usize, bytes: &[u8]| -> Vec<u8> {
        [&varint(number << 3 | 2), &varint(bytes.len()), bytes].concat()
    };
    let repeated = |bytes: &[u8]| bytes.repeat((MIB << 20) / bytes.len());
    let tuple = [0x10, 13];
    let mut nested = [&tuple[..], &repeated(b"\x22\x02\x10\x11")].concat();
    for _ in 0..98 {
        nested = [&tuple[..], &field(4, &nested)].concat();
    }
    let shape = |shape: &[u8]| field(2, &[&field(1, b"x")[..], &field(3, shape)].concat());
    let computation = |inside: &[u8]| field(3, &[&field(1, b"c")[..], inside].concat());
    let module =
        |more: &[u8]| [&field(1, b"m")[..], more, &computation(&shape(&[0x10, 17]))].concat();
    let small = module(&[]);
    let name_and_shape = [field(1, b"x"), field(3, &[0x10, 17])].concat();
    let large = [
        // Aliases, entries of tables, parameters of the program, instructions.
        module(&field(8, &repeated(b"\x0a\x00"))),
        module(&field(17, &repeated(b"\x1a\x00"))),
        module(&field(4, &repeated(b"\x0a\x00"))),
        module(&field(4, &field(1, &nested))),
        module(&computation(&repeated(b"\x12\x00"))),
        module(&computation(&shape(&nested))),
        module(&computation(&field(
            2,
            &[name_and_shape.clone(), repeated(b"\xd2\x04\x00")].concat(),
        ))),
    ];
    let folder = tempfile::tempdir().unwrap();
    let is_read = |file: &str, mib: usize| {
        let output = limited(&address_space(mib), &["hlo", file]).output();
        matches!(output.unwrap().status.code(), Some(0 | 1 | 3))
    };
    let small = copied(folder.path(), "small.hlo.pb", &small);
    let needed = least_memory(|mib| is_read(&small, mib));
    for (number, bytes) in large.iter().enumerate() {
        let file = copied(folder.path(), "large.hlo.pb", bytes);
        // What is needed for the small one is rounded to a MiB, so that one more may be.
        assert!(
            is_read(&file, needed + MIB * 150 + 1),
            "{number}: {needed} MiB without it"
        );
    }
}
