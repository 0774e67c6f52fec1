//! The parts of files that could not be read, with their places.

use std::path::{Path, PathBuf};

use serde::Serialize;

use super::source::{Excerpt, Mark};

/// Text that could not be read.
#[derive(Clone, Debug, Serialize)]
pub struct Mistake {
    /// Where it is.
    #[serde(flatten)]
    pub mark: Mark,
    /// What was found.
    pub message: String,
    /// The text around it.
    #[serde(skip)]
    pub excerpt: Excerpt,
    /// What to write.
    pub help: Option<String>,
}

/// Receives each mistake that is reported, with the name of its file.
pub type Tell = Box<dyn FnMut(&Path, &Mistake)>;

/// The mistakes of all files. They are reported while reading, and the first ones are kept for
/// JSON.
pub struct Mistakes {
    file: PathBuf,
    /// The largest number of mistakes that are reported.
    limit: usize,
    /// The number of mistakes in files that contain HLO.
    pub count: usize,
    /// The number of files with mistakes.
    pub files: usize,
    told: usize,
    /// The number of reported mistakes in files that do not count.
    told_in_vain: usize,
    /// `told` and the length of `kept` before the open file.
    before: (usize, usize),
    /// Mistakes of a file that may turn out not to be HLO.
    waiting: Vec<Mistake>,
    found_hlo: bool,
    in_file: usize,
    keep: bool,
    /// The reported mistakes with their files, if they are kept.
    pub kept: Vec<(PathBuf, Mistake)>,
    tell: Tell,
}

/// The largest number of mistakes that wait until some HLO is found; no HLO text begins with more.
const MOST_WAITING: usize = 1000;

impl Mistakes {
    /// Reports at most `limit` mistakes, and keeps them if `keep` is set.
    pub fn new(limit: usize, keep: bool, tell: Tell) -> Self {
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

    /// Begins a file.
    pub fn open(&mut self, file: &Path) {
        self.file = file.to_owned();
        self.waiting.clear();
        self.found_hlo = false;
        self.in_file = 0;
        self.before = (self.told, self.kept.len());
    }

    /// Ends a file that cannot be read to its end: none of its mistakes count.
    pub fn abandon(&mut self) {
        let (told, kept) = self.before;
        self.told_in_vain += self.told - told;
        self.kept.truncate(kept);
    }

    /// Notes that the file contains HLO.
    pub fn found_hlo(&mut self) {
        if !self.found_hlo {
            self.found_hlo = true;
            for mistake in std::mem::take(&mut self.waiting) {
                self.say(&mistake);
            }
        }
    }

    /// Adds a mistake of the open file.
    pub fn add(&mut self, mistake: Mistake) {
        self.in_file += 1;
        if self.found_hlo {
            self.say(&mistake);
        } else if self.waiting.len() < MOST_WAITING {
            self.waiting.push(mistake);
        }
    }

    /// The number of mistakes in the open file so far.
    pub fn in_file(&self) -> usize {
        self.in_file
    }

    /// Ends a file and returns whether it is HLO. Mistakes in other files do not count.
    pub fn close(&mut self) -> bool {
        if self.found_hlo {
            self.count += self.in_file;
            self.files += usize::from(self.in_file > 0);
        }
        self.found_hlo
    }

    /// Whether one more mistake would be reported: only then is an excerpt made.
    pub fn wanted(&self) -> bool {
        if self.found_hlo {
            self.told < self.limit
        } else {
            self.waiting.len() < MOST_WAITING
        }
    }

    fn say(&mut self, mistake: &Mistake) {
        if self.told < self.limit {
            self.told += 1;
            (self.tell)(&self.file, mistake);
            if self.keep {
                self.kept.push((self.file.clone(), mistake.clone()));
            }
        }
    }

    /// The number of mistakes that were not reported.
    pub fn untold(&self) -> usize {
        self.count - (self.told - self.told_in_vain).min(self.count)
    }
}

#[cfg(test)]
impl Mistake {
    /// The mistake as the program shows it, with the excerpt on one line.
    pub(crate) fn told(&self, file: &Path) -> String {
        let Self { mark, message, .. } = self;
        let Mark { line, column, .. } = mark;
        let file = file.display();
        let help = self.help.as_deref().unwrap_or_default();
        format!(
            "error: {message}\n --> {file}:{line}:{column}\n{}\n{help}",
            self.excerpt.text
        )
    }
}
