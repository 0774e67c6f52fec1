//! Runs the built program as a person would. The tests may run outside cargo, in any folder:
//! `.ci/machines.py` has them start the program on other machines.

use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

/// The folder of this package. `data` and the goldens are in its `tests`.
pub(crate) const PACKAGE: &str = env!("CARGO_MANIFEST_DIR");

/// `expect_test`'s, which by itself finds a relative path only where cargo says the folder of the
/// package.
macro_rules! expect_file {
    ($path:expr) => {{
        let tests = std::path::Path::new($crate::program::PACKAGE).join("tests");
        expect_test::expect_file![tests.join($path)]
    }};
}
pub(crate) use expect_file;

/// The program that was built with the tests, or another one: cargo itself sets the variable to the
/// first.
pub(crate) fn path() -> PathBuf {
    let built = env!("CARGO_BIN_EXE_xlayout").into();
    std::env::var_os("CARGO_BIN_EXE_xlayout").map_or(built, PathBuf::from)
}

/// The program in the folder of this package, far from the colours and the width of the terminal
/// that the tests run in.
pub(crate) fn command(arguments: &[&str]) -> Command {
    prepared(Command::new(path()), arguments)
}

/// The program under a limit, such as `ulimit -f 8`, which the shell sets first.
#[cfg(unix)]
pub(crate) fn limited(limit: &str, arguments: &[&str]) -> Command {
    let mut shell = Command::new("bash");
    let script = format!("{limit} && exec \"$0\" \"$@\"");
    shell.args(["-c", &script]).arg(path());
    prepared(shell, arguments)
}

fn prepared(mut command: Command, arguments: &[&str]) -> Command {
    command.args(arguments).stdin(Stdio::null());
    command.current_dir(PACKAGE);
    for name in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "COLUMNS"] {
        command.env_remove(name);
    }
    command
}

/// The least address space, in MiB, with which the program gives the right answer: what it needs
/// here, whatever its allocator, its threads and its loader take. More never spoils an answer, so
/// halving finds it.
#[cfg(unix)]
pub(crate) fn least_memory(is_right: impl Fn(usize) -> bool) -> usize {
    let mut enough = 1;
    while !is_right(enough) {
        enough *= 2;
        assert!(enough <= 1 << 16, "not even 64 GiB are enough");
    }
    let mut too_little = enough / 2;
    while enough - too_little > 1 {
        let middle = too_little.midpoint(enough);
        if is_right(middle) {
            enough = middle;
        } else {
            too_little = middle;
        }
    }
    enough
}

/// What [`limited`] is told for this address space.
#[cfg(unix)]
pub(crate) fn address_space(mib: usize) -> String {
    format!("ulimit -v {}", mib << 10)
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

/// The words of a command line, in which quotes may be.
pub(crate) fn words(line: &str) -> Vec<String> {
    let mut words = vec![None::<String>];
    let mut quote = None;
    for c in line.chars() {
        let word = words.last_mut().unwrap();
        match c {
            '\'' | '"' if quote.is_none_or(|open| open == c) => {
                quote = if quote.is_none() { Some(c) } else { None };
                word.get_or_insert_default();
            }
            ' ' if quote.is_none() => words.push(None),
            _ => word.get_or_insert_default().push(c),
        }
    }
    words.into_iter().flatten().collect()
}
