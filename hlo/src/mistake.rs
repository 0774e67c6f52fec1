//! What could not be read, and where.

use std::path::{Path, PathBuf};

use super::source::{Excerpt, Mark};

/// Text that could not be read.
#[derive(Clone, Debug)]
pub struct Mistake {
    /// Where it is.
    pub mark: Mark,
    /// What was found.
    pub message: String,
    /// The text around it.
    pub excerpt: Excerpt,
    /// What to write.
    pub help: Option<String>,
}

/// What is done with each mistake that is reported, and with the name of its file.
pub type Tell = Box<dyn FnMut(&Path, &Mistake)>;

/// The mistakes of all files. They are reported while reading, and the first ones are kept for JSON.
pub struct Mistakes {
    file: PathBuf,
    /// The most mistakes that are reported.
    limit: usize,
    /// How many there are in files that hold HLO.
    pub count: usize,
    /// How many files have some.
    pub files: usize,
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
    /// Those that were reported, with their files, if they are kept.
    pub kept: Vec<(PathBuf, Mistake)>,
    tell: Tell,
}

/// How many mistakes are held back until something good is found; no text that is HLO begins with more.
const MOST_WAITING: usize = 1000;

impl Mistakes {
    /// Reports so many mistakes at most, and keeps them if that is asked for.
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

    /// Begins with a file.
    pub fn open(&mut self, file: &Path) {
        self.file = file.to_owned();
        self.waiting.clear();
        self.found_hlo = false;
        self.in_file = 0;
        self.before = (self.told, self.kept.len());
    }

    /// Ends a file that cannot be read to its end: nothing of it counts.
    pub fn abandon(&mut self) {
        let (told, kept) = self.before;
        self.told_in_vain += self.told - told;
        self.kept.truncate(kept);
    }

    /// Something in the file is HLO.
    pub fn found_hlo(&mut self) {
        if !self.found_hlo {
            self.found_hlo = true;
            for mistake in std::mem::take(&mut self.waiting) {
                self.say(&mistake);
            }
        }
    }

    /// Notes a mistake of the open file.
    pub fn add(&mut self, mistake: Mistake) {
        self.in_file += 1;
        if self.found_hlo {
            self.say(&mistake);
        } else if self.waiting.len() < MOST_WAITING {
            self.waiting.push(mistake);
        }
    }

    /// How many were found in the open file so far.
    pub fn in_file(&self) -> usize {
        self.in_file
    }

    /// Ends a file; answers whether it is HLO. What was wrong in one that is not does not count.
    pub fn close(&mut self) -> bool {
        if self.found_hlo {
            self.count += self.in_file;
            self.files += usize::from(self.in_file > 0);
        }
        self.found_hlo
    }

    /// Whether one more would be told: only then is it worth a picture.
    pub fn wanted(&self) -> bool {
        match self.found_hlo {
            true => self.told < self.limit,
            false => self.waiting.len() < MOST_WAITING,
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

    /// How many were not reported.
    pub fn untold(&self) -> usize {
        self.count - (self.told - self.told_in_vain).min(self.count)
    }
}

#[cfg(test)]
impl Mistake {
    /// As the program shows it, on one line each.
    pub(crate) fn told(&self, file: &Path) -> String {
        let Self { mark, message, .. } = self;
        let (file, Mark { line, column, .. }) = (file.display(), mark);
        let help = self.help.as_deref().unwrap_or_default();
        format!(
            "error: {message}\n --> {file}:{line}:{column}\n{}\n{help}",
            self.excerpt.text
        )
    }
}
