//! Runs the tests in `kernel/python/tests`, in which JAX calls the kernels of this package.
//!
//! They take a Python with the packages of `kernel/python/requirements.txt`: the one that
//! `XLAYOUT_PYTHON` names, that of the environment `target/python` (`.ci/run` makes it), or
//! `python3`. Where none has them the tests are left out, and it is said.

use std::env::consts::{DLL_PREFIX, DLL_SUFFIX};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

const REQUIREMENTS: &str = include_str!("../../python/requirements.txt");
/// Prints what is missing. Prints nothing if everything is installed.
const CHECK: &str = "\
import importlib.metadata, sys
for line in sys.argv[1].splitlines():
    name, _, version = line.partition('==')
    try:
        found = importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        found = 'none'
    if found != version:
        print(f'{name} {version} (found: {found})', end='; ')
";

#[test]
fn jax_calls_the_kernels() {
    // Cargo puts what a test depends on beside the test, in `target/debug/deps`.
    let program = std::env::current_exe().expect("a test knows where it is");
    let kernels = program.with_file_name(format!("{DLL_PREFIX}xlayout_test_kernels{DLL_SUFFIX}"));
    assert!(kernels.is_file(), "{} was not built", kernels.display());
    let target = program
        .ancestors()
        .nth(3)
        .expect("it is in the target directory");
    let Some(python) = python(target) else {
        return;
    };
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("../python/tests");
    let output = Command::new(&python)
        .args(["-m", "pytest", "-q", "--tb=short", "-p", "no:cacheprovider"])
        .arg(tests)
        .env("XLAYOUT_TEST_KERNELS", &kernels)
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .output()
        .expect("Python runs");
    let text = String::from_utf8_lossy(&output.stdout);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{text}{errors}");
    // A run without tests is no success.
    assert!(text.contains(" passed"), "{text}{errors}");
}

/// A Python that has what the tests need.
fn python(target: &Path) -> Option<PathBuf> {
    let pins: Vec<&str> = REQUIREMENTS
        .lines()
        .filter(|line| line.contains("=="))
        .collect();
    let missing = |python: &Path| {
        let run = Command::new(python)
            .args(["-c", CHECK, &pins.join("\n")])
            .output();
        match run {
            Ok(output) if output.status.success() => {
                String::from_utf8_lossy(&output.stdout).into_owned()
            }
            Ok(output) => {
                let errors = String::from_utf8_lossy(&output.stderr);
                format!("{}: {errors}", output.status)
            }
            Err(error) => error.to_string(),
        }
    };
    if let Some(python) = std::env::var_os("XLAYOUT_PYTHON").map(PathBuf::from) {
        let missing = missing(&python);
        assert!(
            missing.is_empty(),
            "XLAYOUT_PYTHON is {}, which misses: {missing}",
            python.display()
        );
        return Some(python);
    }
    let environment = target.join("python/bin/python");
    let found = [environment, PathBuf::from("python3")]
        .into_iter()
        .find(|python| missing(python).is_empty());
    if found.is_none() {
        // Past the test harness, which would keep it to itself.
        let _ = writeln!(
            std::io::stderr(),
            "LEFT OUT: the tests of kernels with JAX. No Python has the packages of \
             kernel/python/requirements.txt. To run them:\n  \
             python3 -m venv {0}\n  {0}/bin/pip install -r kernel/python/requirements.txt",
            target.join("python").display()
        );
    }
    found
}
