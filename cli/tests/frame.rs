//! What the program says of itself, and how it ends.

mod program;

use std::io::Read;
use std::process::Stdio;

use expect_test::{expect, expect_file};
use program::{answer, command, run};

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
    golden("explain_help.txt", &answer(&["explain", "--help"]));
}

#[test]
fn the_examples_of_the_help_work() {
    for page in [answer(&["explain", "--help"]), answer(&["--help"])] {
        let lines = page
            .lines()
            .filter_map(|line| line.strip_prefix("  xlayout explain '"));
        let mut seen = 0;
        for line in lines {
            let (shape, rest) = line.split_once('\'').unwrap();
            let rest = rest.split('|').next().unwrap().split_whitespace();
            let arguments: Vec<&str> = ["explain", shape].into_iter().chain(rest).collect();
            assert!(!answer(&arguments).is_empty());
            seen += 1;
        }
        assert!(seen > 0);
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
    for command in [
        "explain",
        "draw",
        "diff",
        "hlo",
        "convert",
        "completions",
        "man",
    ] {
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
fn the_readme_shows_what_the_program_says() {
    let readme = include_str!("../README.md");
    let sessions = readme
        .split("```text\n")
        .skip(1)
        .map(|rest| rest.split("```").next().unwrap());
    let mut seen = 0;
    for session in sessions {
        let (command, said) = session.split_once('\n').unwrap();
        let words = program::words(command);
        let arguments: Vec<&str> = words[2..].iter().map(String::as_str).collect();
        let output = run(&arguments);
        let answer = [output.stdout, output.stderr].concat();
        assert_eq!(String::from_utf8(answer).unwrap(), said, "{command}");
        seen += 1;
    }
    assert!(seen >= 3);
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
