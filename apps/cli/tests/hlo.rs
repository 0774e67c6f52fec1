//! `xlayout hlo`, run as a person runs it. The goldens lie in `hlo/`, each looked at in a terminal
//! of 80 columns.

mod by_hand;
use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use crate::program::expect_file;
use serde_json::Value;
use unicode_width::UnicodeWidthStr;

const MODULES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/hlo");

/// The program, in the folder of the modules, so that their names are short.
fn program(arguments: &[&str]) -> Command {
    let mut command = crate::program::command(&[&["hlo"], arguments].concat());
    command.current_dir(MODULES);
    command
}

fn run(arguments: &[&str]) -> Output {
    program(arguments).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// Both outputs and the exit code, where it is not 0.
fn shown(output: &Output) -> String {
    let mut all = text(&output.stdout) + &text(&output.stderr);
    match output.status.code() {
        Some(0) => {}
        Some(code) => all += &format!("exit code {code}\n"),
        None => panic!("a signal"),
    }
    all
}

fn golden(name: &str, text: &str) {
    expect_file![format!("hlo/{name}")].assert_eq(text);
}

fn check(name: &str, arguments: &str) {
    let arguments: Vec<&str> = arguments.split(' ').collect();
    let text = shown(&run(&arguments));
    if name.ends_with(".txt") {
        // Shapes and names of files are as long as they are.
        let long = |line: &&str| line.width() > 80 && !line.contains('{');
        assert_eq!(text.lines().find(long), None);
    }
    golden(name, &text);
}

fn json(arguments: &[&str]) -> Value {
    let output = run(arguments);
    serde_json::from_slice(&output.stdout).unwrap()
}

fn modules() -> Vec<PathBuf> {
    let files = fs::read_dir(MODULES).unwrap();
    let mut files: Vec<_> = files.map(|file| file.unwrap().path()).collect();
    files.sort();
    assert_eq!(files.len(), 14);
    files
}

/// Runs with a text on standard input.
fn with_input(arguments: &[&str], input: &[u8]) -> Output {
    let mut command = program(arguments);
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_vec();
    let writer = std::thread::spawn(move || {
        // A program that has seen enough closes the pipe.
        let _ = stdin.write_all(&input);
    });
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    output
}

#[test]
fn what_wastes_my_memory() {
    check("overview.txt", "cnn_grad.v5e.hlo --top 4");
    check("no_padding.txt", "f8_matmul.v5e.hlo --top 3");
}

#[test]
fn one_table_of_the_entry_computation() {
    check(
        "entry.txt",
        "while_bool.v5e.hlo --entry --no-views --by shape --sort padding",
    );
}

#[test]
fn several_files_are_one_answer() {
    let files: Vec<_> = modules()
        .iter()
        .map(|file| file.file_name().unwrap().to_str().unwrap().to_owned())
        .collect();
    let files = files.join(" ");
    check("by_layout.txt", &format!("--by layout --top 5 {files}"));
    check("by_type.txt", &format!("--by type --top all {files}"));
    check("by_space.txt", &format!("--by space {files}"));
}

/// A file that is named twice is counted twice, and each head describes one file.
#[test]
fn a_file_named_twice_has_its_own_head() {
    let output = run(&["int8_matmul.v5e.hlo", "int8_matmul.v5e.hlo", "--top", "1"]);
    let text = text(&output.stdout);
    let heads = text
        .matches("int8_matmul.v5e.hlo: module jit__lambda, ")
        .count();
    assert_eq!(heads, 2, "{text}");
    assert!(!text.contains("2 modules"), "{text}");
}

#[test]
fn csv_is_for_spreadsheets() {
    check("arrays.csv", "int4_matmul.v5e.hlo --csv");
    check(
        "layouts.csv",
        "rng_complex.v5e.hlo --csv --by layout --sort count --top 3",
    );
}

#[test]
fn json_has_everything() {
    check("everything.json", "int8_matmul.v5e.hlo --json --top 3");
}

#[test]
fn the_long_help_teaches() {
    let text = text(&run(&["--help"]).stdout);
    let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
    assert_eq!(lines.iter().find(|line| line.width() > 80), None);
    golden("help.txt", &(lines.join("\n") + "\n"));
}

#[test]
fn a_module_without_layouts_says_so() {
    let text = b"HloModule m\n\nENTRY %e (p: f32[1024]) -> f32[1024] {\n  %p = f32[1024] parameter(0)\n  ROOT %r = f32[1024] negate(%p)\n}\n";
    golden("without_layouts.txt", &shown(&with_input(&["-"], text)));
}

const BROKEN: &str = "\
HloModule m, is_scheduled=true, entry_computation_layout={(f32[2]{0})->f32[2]{1}}

%f (p: f32[2]) -> f32[2]
  %p = fp32[2]{0} parameter(0)
  %q = f32[2,3]{1,1} parameter(1)
}

ENTRY %main (p: f32[2]) -> f32[2] {
  %good = f32[2]{0} parameter(0)
  %r = (f32[2]{0}, s32[3]{0:T(1 tuple(%p)
  %s = f32[2]{0}
  %t = f32[2]{0} add(%p, %q
  %u f32[2]{0} add(%p, %q)
  ?? = f32[2]{0} add(%p, %q)
  %v = f32[2]{0} add(%p), metadata={op_name=\"x
  %w = f32[9000000000,9000000000]{1,0:T(8,128)} add(%p)
  %x = f32[2]{0} add(%p), metadata={op_name=\"jit(f)/jit(main)/dot_general\" source_file=\"/home/user/program.py\" source_line=77], x=1
  %y = f32[2]{0} add(%p)), a={b]}
  %z = f32[2]{0} add(%p\0)
  ROOT %fine = f32[2]{0} negate(%good)
";

#[test]
fn mistakes_are_told_and_do_not_stop() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("broken.txt"), BROKEN).unwrap();
    let run = |arguments: &[&str]| {
        let mut command = program(arguments);
        shown(&command.current_dir(folder.path()).output().unwrap())
    };
    golden("first_mistakes.txt", &run(&["broken.txt", "--by", "shape"]));
    golden(
        "all_mistakes.txt",
        &run(&["broken.txt", "--by", "shape", "--all-mistakes"]),
    );
    let answer: Value = {
        let mut command = program(&["broken.txt", "--json"]);
        let output = command.current_dir(folder.path()).output().unwrap();
        serde_json::from_slice(&output.stdout).unwrap()
    };
    assert_eq!(answer["mistakes"].as_array().unwrap().len(), 5);
    let mistake = &answer["mistakes"][1];
    assert_eq!(
        (&mistake["line"], &mistake["column"]),
        (&3.into(), &25.into())
    );
    assert_eq!(mistake["file"], "broken.txt");
}

#[test]
fn what_is_no_hlo_is_called_by_its_name() {
    let folder = tempfile::tempdir().unwrap();
    let files: [(&str, &[u8]); 12] = [
        ("empty.txt", b""),
        ("lines.txt", b"\n\n\n"),
        ("words.txt", b"hello world\nthis is text (really)\n"),
        ("lowered.mlir", b"// c\nmodule @jit_f attributes {} {\n  %0 = stablehlo.add %a, %b : tensor<2xf32>\n}\n"),
        ("loc.mlir", b"#loc1 = loc(\"x\")\nmodule @jit_f {\n}\n"),
        ("module.pb", b"\x0a\x95\x01\x0a\x0bjit__lambda\x12\x04main\x1a\x0c\x00\x01\x02"),
        ("module.txt.gz", b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03"),
        ("module.zst", b"\x28\xb5\x2f\xfd\x00"),
        ("utf16.txt", b"\xff\xfeH\x00l\x00o\x00"),
        ("a.npy", b"\x93NUMPY\x01\x00"),
        ("random.bin", b"\x81\x03\xfe\x99\x00\x00\xc3\x28\xa0\x01"),
        ("page.html", b"<!DOCTYPE html>\n<html></html>\n"),
    ];
    let mut all = String::new();
    for (name, bytes) in files {
        fs::write(folder.path().join(name), bytes).unwrap();
        let mut command = program(&[name]);
        let output = command.current_dir(folder.path()).output().unwrap();
        assert_eq!(output.status.code(), Some(3), "{name}");
        assert!(output.stdout.is_empty(), "{name}");
        all += &text(&output.stderr);
    }
    for name in [".", "no-such-file", "words.txt/x"] {
        let mut command = program(&[name]);
        let output = command.current_dir(folder.path()).output().unwrap();
        assert_eq!(output.status.code(), Some(3), "{name}");
        all += &text(&output.stderr);
    }
    golden("no_hlo.txt", &all);
}

/// Modules as XLA's CPU compiler prints them (jaxlib 0.10.2): scalars without a layout, and a
/// canonical one.
#[test]
fn modules_of_the_cpu() {
    let folder = Path::new(MODULES).join("../cpu");
    let run = |file: &str| {
        let mut command = program(&[file, "--top", "4"]);
        shown(&command.current_dir(&folder).output().unwrap())
    };
    golden("cpu_scalars.txt", &run("while.hlo"));
    golden("cpu_canonical.txt", &run("switch.canonical.hlo"));
    golden("cpu_gather.txt", &run("gather.hlo"));
}

#[test]
fn a_folder_is_the_modules_in_it() {
    let folder = tempfile::tempdir().unwrap();
    let dump = folder.path().join("dump");
    fs::create_dir_all(dump.join("inside")).unwrap();
    let run = |arguments: &[&str]| {
        let mut command = program(arguments);
        shown(&command.current_dir(folder.path()).output().unwrap())
    };
    let mut all = run(&["dump/inside"]);
    fs::write(
        dump.join("x-buffer-assignment.txt"),
        "BufferAssignment:\nallocation 0: size 4, output shape is |s32[]|\n",
    )
    .unwrap();
    all += &run(&["dump"]);
    for name in ["while.hlo", "gather.hlo"] {
        let module = Path::new(MODULES).join("../cpu").join(name);
        fs::copy(module, dump.join(name)).unwrap();
    }
    fs::write(dump.join("x.o"), b"\x7fELF\x02\x01\x01\0\0\0\0").unwrap();
    fs::write(
        dump.join("broken.txt"),
        "%a = f32[2]{0} parameter(0)\n%b = f32[2]{7} copy(%a)\n",
    )
    .unwrap();
    all += &run(&["dump", "--by", "type"]);
    golden("folder.txt", &all);
    // Output for programs has no notes.
    let answer: Value = {
        let mut command = program(&["dump", "--json"]);
        let output = command.current_dir(folder.path()).output().unwrap();
        serde_json::from_slice(&output.stdout).unwrap()
    };
    assert_eq!(answer["files"].as_array().unwrap().len(), 3);
}

#[test]
fn one_bad_file_does_not_hide_the_others() {
    let output = run(&["no-such-file", "int8_matmul.v5e.hlo", "--by", "space"]);
    assert_eq!(output.status.code(), Some(3));
    assert!(text(&output.stdout).contains("int8_matmul.v5e.hlo: module jit__lambda"));
    assert!(text(&output.stderr).contains("cannot read `no-such-file`"));
}

#[cfg(unix)]
#[test]
fn no_permission_is_said() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("secret.txt");
    fs::copy(Path::new(MODULES).join("int8_matmul.v5e.hlo"), &path).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o0)).unwrap();
    let output = run(&[path.to_str().unwrap()]);
    match fs::File::open(&path) {
        // Nothing is forbidden to root.
        Ok(_) => assert_eq!(output.status.code(), Some(0)),
        Err(_) => {
            assert_eq!(output.status.code(), Some(3));
            assert!(text(&output.stderr).contains("permission denied"));
        }
    }
}

#[test]
fn a_pipe_is_as_good_as_a_file() {
    let file = Path::new(MODULES).join("lstm.v5e.hlo");
    let piped = with_input(&["-", "--csv"], &fs::read(file).unwrap());
    assert_eq!(shown(&piped), shown(&run(&["lstm.v5e.hlo", "--csv"])));
}

#[test]
fn whoever_stops_reading_is_not_bothered() {
    for form in ["--csv", "--json", "--no-views"] {
        let mut command = program(&["transformer_grad.v5e.hlo", "--top", "all", form]);
        let mut child = command
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        assert_eq!(
            (output.status.code(), text(&output.stderr)),
            (Some(0), String::new())
        );
    }
}

#[test]
fn colours_are_for_terminals() {
    let mut command = program(&["int8_matmul.v5e.hlo"]);
    command.env("CLICOLOR_FORCE", "1");
    let coloured = command.output().unwrap().stdout;
    assert!(coloured.contains(&0x1b));
    let plain = run(&["int8_matmul.v5e.hlo"]).stdout;
    assert!(!plain.contains(&0x1b));
    assert_eq!(anstream::adapter::strip_bytes(&coloured).into_vec(), plain);
}

/// All modules, counted by other means: another scanner, and padding by the rules of `T(8,128)` and
/// its kind.
#[test]
fn all_modules_counted_by_hand() {
    let mut arrays = 0;
    for file in modules() {
        let name = file.file_name().unwrap().to_str().unwrap();
        let answer = json(&[name, "--json"]);
        let by_hand = by_hand::count(&fs::read_to_string(&file).unwrap());
        let mut found = BTreeMap::new();
        for array in answer["arrays"].as_array().unwrap() {
            let number = |key: &str| array[key].as_u64().unwrap();
            let one = by_hand::Found {
                count: number("count"),
                logical: number("logical_bytes"),
                allocated: number("allocated_bytes"),
            };
            assert_eq!(number("total_allocated_bytes"), one.count * one.allocated);
            found.insert(array["shape"].as_str().unwrap().to_owned(), one);
        }
        assert_eq!(found, by_hand, "{name}");
        let total = |bytes: fn(&by_hand::Found) -> u64| {
            by_hand
                .values()
                .map(|found| found.count * bytes(found))
                .sum::<u64>()
        };
        let totals = &answer["totals"];
        assert_eq!(
            totals["count"],
            by_hand.values().map(|found| found.count).sum::<u64>()
        );
        assert_eq!(totals["logical_bytes"], total(|found| found.logical));
        assert_eq!(totals["allocated_bytes"], total(|found| found.allocated));
        assert_eq!(answer["mistakes_in_all"], 0);
        for groups in ["layouts", "memory_spaces", "element_types"] {
            let groups = answer[groups].as_array().unwrap();
            let sum: u64 = groups
                .iter()
                .map(|g| g["allocated_bytes"].as_u64().unwrap())
                .sum();
            assert_eq!(totals["allocated_bytes"], sum);
        }
        arrays += found.len();
    }
    assert_eq!(arrays, 234);
}

/// The program itself, on a small module with a changed byte and cut short: an answer, or a reason.
#[test]
fn damaged_files_end_well() {
    let module = fs::read(Path::new(MODULES).join("rank6_transpose.v5e.hlo")).unwrap();
    let check = |input: &[u8], what: String| {
        let output = with_input(&["-", "--csv"], input);
        let code = output.status.code();
        assert!(
            matches!(code, Some(0 | 1 | 3)),
            "{what}: {}",
            shown(&output)
        );
        assert!(!text(&output.stderr).contains("panicked"), "{what}");
        // A code that is not 0 has its reason.
        assert_eq!(code == Some(0), output.stderr.is_empty(), "{what}");
    };
    std::thread::scope(|scope| {
        for part in 0..4 {
            let module = &module;
            let check = &check;
            scope.spawn(move || {
                for at in (part..module.len()).step_by(4) {
                    let mut flipped = module.clone();
                    flipped[at] ^= 1 << (at % 8);
                    check(&flipped, format!("byte {at} flipped"));
                    check(&module[..at], format!("cut at {at}"));
                }
            });
        }
    });
}
