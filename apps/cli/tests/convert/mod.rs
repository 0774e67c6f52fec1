//! `xlayout convert`, run as the built program.

mod archives;
mod bad_files;
mod damaged;
mod failures;
mod goldens;
mod recorded;
mod refusals;
mod round_trips;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A folder for a test, which vanishes with it.
struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Self {
        Self(tempfile::tempdir().expect("a folder for the test"))
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn write(&self, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
        std::fs::write(self.path(name), bytes).expect("the file of a test");
        self.path(name)
    }

    fn read(&self, name: &str) -> Vec<u8> {
        std::fs::read(self.path(name)).expect("the file that was written")
    }

    /// The names of all files, also of hidden ones.
    fn names(&self) -> Vec<String> {
        let mut names: Vec<_> = std::fs::read_dir(self.0.path())
            .expect("the folder of the test")
            .map(|entry| {
                entry
                    .expect("an entry")
                    .file_name()
                    .to_string_lossy()
                    .into_owned()
            })
            .collect();
        names.sort();
        names
    }

    /// Runs `xlayout convert` here, with words separated by blanks; single quotes are around a word
    /// with blanks.
    fn convert(&self, words: &str) -> Output {
        let words = crate::program::words(words);
        self.run(&words.iter().map(String::as_str).collect::<Vec<_>>())
    }

    fn run(&self, words: &[&str]) -> Output {
        self.command(words).output().expect("the program runs")
    }

    fn command(&self, words: &[&str]) -> Command {
        let mut command = crate::program::command(&[&["convert"], words].concat());
        command.current_dir(self.0.path());
        command
    }

    /// Runs it, and it works.
    fn works(&self, words: &str) {
        let output = self.convert(&format!("{words} --quiet"));
        assert!(output.status.success(), "{words}: {}", text(&output.stderr));
        assert_eq!(
            (text(&output.stdout), text(&output.stderr)),
            (String::new(), String::new())
        );
    }

    /// Runs the program, checks that it fails with this code and leaves no files, and returns its
    /// output.
    fn fails(&self, words: &str, code: i32) -> String {
        let before = self.names();
        let output = self.convert(words);
        assert_eq!(
            output.status.code(),
            Some(code),
            "{words}: {}",
            text(&output.stderr)
        );
        assert_eq!(self.names(), before, "{words} left something behind");
        text(&output.stderr)
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// A file that NumPy or safetensors wrote; `data/make.py` says how.
fn recorded(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/convert/data")
        .join(name)
}

/// Its path as a word for `Folder::convert`.
fn quoted(name: &str) -> String {
    format!("'{}'", recorded(name).display())
}

fn recorded_bytes(name: &str) -> Vec<u8> {
    std::fs::read(recorded(name)).expect("a recorded file")
}
