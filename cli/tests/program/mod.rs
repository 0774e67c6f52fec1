//! Runs the built program as a person would.

use std::io::Write;
use std::process::{Command, Output, Stdio};

/// The program, far from the colours and the width of the terminal that the tests run in.
pub(crate) fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_xlayout"));
    command.args(arguments).stdin(Stdio::null());
    for name in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "COLUMNS"] {
        command.env_remove(name);
    }
    command
}

pub(crate) fn run(arguments: &[&str]) -> Output {
    command(arguments).output().expect("the program was built")
}

/// Returns stdout, and checks that the program succeeds.
pub(crate) fn answer(arguments: &[&str]) -> String {
    let output = run(arguments);
    let error = String::from_utf8(output.stderr).unwrap();
    assert_eq!(
        (output.status.code(), error.as_str()),
        (Some(0), ""),
        "{arguments:?}"
    );
    String::from_utf8(output.stdout).unwrap()
}

/// The exit code and the error; nothing may be answered.
pub(crate) fn refusal(arguments: &[&str]) -> String {
    let output = run(arguments);
    assert_eq!(
        String::from_utf8(output.stdout).unwrap(),
        "",
        "{arguments:?}"
    );
    let error = String::from_utf8(output.stderr).unwrap();
    let code = output.status.code().expect("an exit code, no signal");
    format!("exit code {code}\n{error}")
}

/// Returns stdout of the program with this standard input.
pub(crate) fn answer_to(arguments: &[&str], input: &str) -> String {
    let mut child = command(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(input.as_bytes()).unwrap();
    drop(stdin);
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    String::from_utf8(output.stdout).unwrap()
}

/// The words of a command line, in which single quotes may be.
pub(crate) fn words(line: &str) -> Vec<String> {
    let mut words = vec![None::<String>];
    let mut quoted = false;
    for c in line.chars() {
        let word = words.last_mut().unwrap();
        match c {
            '\'' => {
                quoted = !quoted;
                word.get_or_insert_default();
            }
            ' ' if !quoted => words.push(None),
            _ => word.get_or_insert_default().push(c),
        }
    }
    words.into_iter().flatten().collect()
}
