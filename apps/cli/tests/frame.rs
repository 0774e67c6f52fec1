//! The help and version of the program, and its exit codes.

use std::io::Read;
use std::process::Stdio;

use crate::program::{answer, command, expect_file, run};
use expect_test::expect;

const COMMANDS: [&str; 10] = [
    "explain",
    "draw",
    "diff",
    "shard",
    "emit",
    "algebra",
    "hlo",
    "convert",
    "completions",
    "man",
];

/// The goldens lie in `frame/`, as printed but for blanks at the ends of lines.
fn golden(name: &str, text: &str) {
    let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
    let narrow = |line: &&str| line.chars().count() <= 80;
    assert!(lines.iter().all(narrow), "more than 80 columns: {text}");
    expect_file![format!("frame/{name}")].assert_eq(&(lines.join("\n") + "\n"));
}

#[test]
fn alone_it_prints_a_short_help() {
    let text = answer(&[]);
    assert_eq!(text, answer(&["-h"]));
    golden("short_help.txt", &text);
}

#[test]
fn the_long_help_teaches() {
    golden("long_help.txt", &answer(&["--help"]));
    // The help of `hlo` is with its other recorded outputs.
    for command in [
        "explain", "draw", "diff", "shard", "emit", "algebra", "convert",
    ] {
        golden(
            &format!("{command}_help.txt"),
            &answer(&[command, "--help"]),
        );
    }
}

/// The commands below `Examples:`.
fn examples(page: &str) -> Vec<&str> {
    let lines = page.lines().skip_while(|line| *line != "Examples:").skip(1);
    let lines = lines.take_while(|line| line.starts_with("  "));
    lines
        .filter(|line| !line.starts_with("   "))
        .map(str::trim)
        .collect()
}

/// A folder with the files that the examples name.
#[cfg(unix)]
fn folder_of_examples() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let module = include_str!("data/hlo/int8_matmul.v5e.hlo");
    std::fs::create_dir(at("dump")).unwrap();
    for name in ["module.txt", "dump/module_0.after_optimizations.txt"] {
        std::fs::write(at(name), module).unwrap();
    }
    std::fs::write(at("train.log"), include_str!("data/oom/tpu.txt")).unwrap();
    std::fs::write(at("zeros.bin"), vec![0; 4 * 100 * 300]).unwrap();
    std::fs::write(at("bytes.bin"), vec![7; 64 * 64]).unwrap();
    std::fs::write(at("weights.bin"), vec![1; 2 * 8 * 4]).unwrap();
    for words in [
        "zeros.bin a.npy --from f32[100,300]",
        "zeros.bin big.npy --from f32[100,300]",
        "weights.bin model.safetensors --from bf16[8,4] --tensor embed.weight",
    ] {
        let words = ["convert"].into_iter().chain(words.split(' '));
        let words: Vec<_> = words.collect();
        let status = command(&words).current_dir(&folder).output().unwrap();
        assert!(status.status.success(), "{status:?}");
    }
    folder
}

/// Every example runs as a shell runs it: what is before and after the program in a pipe is left
/// out.
#[cfg(unix)]
#[test]
fn the_examples_of_the_help_work() {
    let program = crate::program::path();
    let path = std::env::join_paths(
        [program.parent().unwrap().to_owned()]
            .into_iter()
            .chain(std::env::split_paths(&std::env::var_os("PATH").unwrap())),
    );
    let path = path.unwrap();
    let pages = COMMANDS.iter().map(|command| answer(&[command, "--help"]));
    for page in pages.chain([answer(&["--help"])]) {
        let folder = folder_of_examples();
        let lines = examples(&page);
        assert!(lines.len() >= 2, "{page}");
        for line in lines {
            let stage = line.split(" | ").find(|part| part.starts_with("xlayout "));
            let stage = stage.unwrap_or_else(|| panic!("no example: {line}"));
            let stage = stage.split(" > ").next().unwrap();
            let output = std::process::Command::new("sh")
                .args(["-c", stage])
                .env("PATH", &path)
                .current_dir(&folder)
                .stdin(std::fs::File::open(folder.path().join("module.txt")).unwrap())
                .output()
                .unwrap();
            let error = String::from_utf8(output.stderr).unwrap();
            assert_eq!(error, "", "{line}");
            // `diff` and `equal` answer no.
            let asks = [
                "xlayout diff ",
                "xlayout shard diff ",
                "xlayout algebra equal ",
            ];
            let asks = asks.iter().any(|question| stage.starts_with(question));
            let no = asks && output.status.code() == Some(1);
            assert!(no || output.status.success(), "{line}");
            let quiet = stage.contains("--svg") || stage.contains("--html");
            assert!(quiet || !output.stdout.is_empty(), "{line}");
        }
    }
}

#[test]
fn man_pages_say_what_the_help_says() {
    let page = answer(&["man"]);
    for part in [
        ".TH xlayout 1",
        ".SH SYNOPSIS",
        ".SH \"EXIT STATUS\"",
        ".SH EXAMPLES",
    ] {
        assert!(page.contains(part), "{part}: {page}");
    }
    for command in COMMANDS {
        assert!(
            page.contains(&format!("xlayout\\-{command}(1)")),
            "{command}"
        );
        let own = answer(&["man", command]);
        assert!(own.contains(&format!(".TH xlayout-{command} 1")), "{own}");
        assert!(own.contains("EXIT STATUS"));
    }
}

#[test]
fn completions_of_all_shells_know_the_commands() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = answer(&["completions", shell]);
        assert!(
            script.contains("byte-offset") && script.contains("explain"),
            "{shell}"
        );
    }
}

#[test]
fn the_version() {
    assert_eq!(
        answer(&["--version"]),
        format!("xlayout {}\n", env!("CARGO_PKG_VERSION"))
    );
}

#[test]
fn a_closed_pipe_ends_quietly() {
    let wide = format!("({})", vec!["f32[2]"; 4000].join(","));
    let mut child = command(&["explain", &wide])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut first = [0; 1];
    child.stdout.take().unwrap().read_exact(&mut first).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(
        (output.status.code(), output.stderr.as_slice()),
        (Some(0), &b""[..])
    );
}

#[cfg(unix)]
#[test]
fn words_that_are_no_text_are_refused() {
    use std::os::unix::ffi::OsStrExt;
    let mut program = command(&["explain"]);
    program.arg(std::ffi::OsStr::from_bytes(b"f32[\xff]\n\x1b[31m"));
    let output = program.output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    expect![[r#"
        error: invalid UTF-8 was detected in one or more arguments

        Usage: xlayout explain [OPTIONS] <SHAPE>

        For more information, try '--help'.
    "#]]
    .assert_eq(&String::from_utf8(output.stderr).unwrap());
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_said() {
    let full = std::fs::File::options()
        .write(true)
        .open("/dev/full")
        .unwrap();
    let output = command(&["explain", "f32[2]"])
        .stdout(full)
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(3));
    expect![[r#"
        error: cannot write the answer: No space left on device (os error 28)
    "#]]
    .assert_eq(&String::from_utf8(output.stderr).unwrap());
}

#[test]
fn errors_have_colours_on_demand() {
    let output = run(&["--color", "always", "explain", "f33[2]"]);
    assert!(output.stderr.contains(&0x1b));
    let output = run(&["--color=always", "explan"]);
    assert!(output.stderr.contains(&0x1b));
    let output = run(&["explain", "f33[2]"]);
    assert!(!output.stderr.contains(&0x1b));
}

#[test]
fn the_readme_has_the_exit_codes() {
    let readme = include_str!("../README.md");
    let codes = answer(&["--help"]);
    for line in codes
        .lines()
        .skip_while(|line| *line != "Exit codes:")
        .skip(1)
    {
        let (code, meaning) = line.trim().split_once("  ").unwrap();
        assert!(
            readme.contains(&format!("| {code} | {meaning} |")),
            "{line}"
        );
    }
}
