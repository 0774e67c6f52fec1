//! What could not be read, and where.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::source::{Excerpt, Mark};
use crate::failure::{Code, Failure, TextSpan};

/// Text that could not be read.
#[derive(Clone, Debug)]
pub(crate) struct Mistake {
    pub(crate) mark: Mark,
    pub(crate) message: String,
    pub(crate) excerpt: Excerpt,
    pub(crate) help: Option<String>,
}

impl Mistake {
    fn to_failure(&self, file: &Path) -> Failure {
        let Excerpt { text, span } = &self.excerpt;
        let failure = Failure::new(Code::Answer, &self.message);
        // The renderer counts columns in the text that it shows. Blanks replace what was cut off before, since
        // it takes those away again; but not millions of them.
        let shown = text[..span.start].chars().count() as u64;
        let failure = match self.mark.column.checked_sub(shown + 1) {
            Some(cut @ 0..MOST_BLANKS) => {
                let text = " ".repeat(cut as usize) + text;
                let span = span.start + cut as usize..span.end + cut as usize;
                failure.at(TextSpan::of_line(
                    file,
                    self.mark.line as usize,
                    &text,
                    span,
                ))
            }
            _ => failure
                .at(TextSpan::of_argument("", text, span.clone()))
                .note(format_args!(
                    "it is in `{}`, on line {}, in column {}",
                    file.display(),
                    self.mark.line,
                    self.mark.column
                )),
        };
        match &self.help {
            Some(help) => failure.help(help),
            None => failure,
        }
    }

    fn to_json(&self, file: &Path) -> Value {
        json!({
            "file": file.display().to_string(),
            "line": self.mark.line,
            "column": self.mark.column,
            "message": self.message,
            "help": self.help,
        })
    }
}

/// A place further to the right is a number, without a caret under it.
const MOST_BLANKS: u64 = 1 << 14;

/// The mistakes of all files. They are reported while reading, and the first ones are kept for JSON.
pub(crate) struct Mistakes {
    file: PathBuf,
    /// The most mistakes that are reported.
    limit: usize,
    pub(crate) count: usize,
    pub(crate) files: usize,
    told: usize,
    /// How many of those that were told are of files that are not counted.
    told_in_vain: usize,
    /// `told` and the length of `kept` before the open file.
    before: (usize, usize),
    /// Those of a file that may turn out to be no HLO at all wait here.
    waiting: Vec<Mistake>,
    found_hlo: bool,
    in_file: usize,
    keep: bool,
    pub(crate) kept: Vec<Value>,
    tell: Box<dyn FnMut(&Failure)>,
}

/// How many mistakes are held back until something good is found; no text that is HLO begins with more.
const MOST_WAITING: usize = 1000;

impl Mistakes {
    pub(crate) fn new(limit: usize, keep: bool, tell: Box<dyn FnMut(&Failure)>) -> Self {
        Self {
            file: PathBuf::new(),
            limit,
            count: 0,
            files: 0,
            told: 0,
            told_in_vain: 0,
            before: (0, 0),
            waiting: Vec::new(),
            found_hlo: false,
            in_file: 0,
            keep,
            kept: Vec::new(),
            tell,
        }
    }

    /// Begins with a file.
    pub(crate) fn open(&mut self, file: &Path) {
        self.file = file.to_owned();
        self.waiting.clear();
        self.found_hlo = false;
        self.in_file = 0;
        self.before = (self.told, self.kept.len());
    }

    /// Ends a file that cannot be read to its end: nothing of it counts.
    pub(crate) fn abandon(&mut self) {
        let (told, kept) = self.before;
        self.told_in_vain += self.told - told;
        self.kept.truncate(kept);
    }

    /// Something in the file is HLO.
    pub(crate) fn found_hlo(&mut self) {
        if !self.found_hlo {
            self.found_hlo = true;
            for mistake in std::mem::take(&mut self.waiting) {
                self.say(&mistake);
            }
        }
    }

    pub(crate) fn add(&mut self, mistake: Mistake) {
        self.in_file += 1;
        if self.found_hlo {
            self.say(&mistake);
        } else if self.waiting.len() < MOST_WAITING {
            self.waiting.push(mistake);
        }
    }

    /// How many were found in the open file so far.
    pub(crate) fn in_file(&self) -> usize {
        self.in_file
    }

    /// Ends a file; answers whether it is HLO. What was wrong in one that is not does not count.
    pub(crate) fn close(&mut self) -> bool {
        if self.found_hlo {
            self.count += self.in_file;
            self.files += usize::from(self.in_file > 0);
        }
        self.found_hlo
    }

    /// Whether one more would be told: only then is it worth a picture.
    pub(crate) fn wanted(&self) -> bool {
        match self.found_hlo {
            true => self.told < self.limit,
            false => self.waiting.len() < MOST_WAITING,
        }
    }

    fn say(&mut self, mistake: &Mistake) {
        if self.told < self.limit {
            self.told += 1;
            (self.tell)(&mistake.to_failure(&self.file));
            if self.keep {
                self.kept.push(mistake.to_json(&self.file));
            }
        }
    }

    pub(crate) fn untold(&self) -> usize {
        self.count - (self.told - self.told_in_vain).min(self.count)
    }
}
