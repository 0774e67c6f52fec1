//! What is found in the modules of files. The answer counts whole files: a file may end in an error after some of its modules, and
//! then nothing of it is kept.

use std::path::Path;

use super::graph::Module;
use super::tally::Tally;

/// Takes the graph of each module while files are read.
pub trait Take {
    /// A module ends.
    fn module(&mut self, path: &Path, module: Module, tally: &Tally);

    /// A file ends. If it is not whole, an error ended it or it is no HLO, and nothing of its modules is kept.
    fn end_file(&mut self, is_whole: bool);
}

/// Items of files that are read one after the other.
#[derive(Debug)]
pub struct OfFiles<T> {
    all: Vec<T>,
    /// How many are of files that ended.
    ended: usize,
}

impl<T> Default for OfFiles<T> {
    fn default() -> Self {
        Self {
            all: Vec::new(),
            ended: 0,
        }
    }
}

impl<T> OfFiles<T> {
    /// Adds an item of the file that is being read.
    pub fn push(&mut self, item: T) {
        self.all.push(item);
    }

    /// Ends the file that is being read. Its items are kept if it is whole.
    pub fn end_file(&mut self, is_whole: bool) {
        if !is_whole {
            self.all.truncate(self.ended);
        }
        self.ended = self.all.len();
    }

    /// The items of the files that ended.
    pub fn into_ended(mut self) -> Vec<T> {
        self.all.truncate(self.ended);
        self.all
    }
}
