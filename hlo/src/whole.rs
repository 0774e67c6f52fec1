//! Items found in the modules of files. Only complete files count: a file may end in an error after
//! some of its modules, and then its items are dropped.

use std::path::Path;

use super::graph::Module;
use super::tally::Tally;

/// Receives the graph of each module while files are read.
pub trait Take {
    /// Called at the end of a module.
    fn module(&mut self, path: &Path, module: Module, tally: &Tally);

    /// Called at the end of a file. If it is not whole, it ended in an error or is not HLO, and its
    /// modules do not count.
    fn end_file(&mut self, is_whole: bool);
}

/// Items of files that are read one after another.
#[derive(Debug)]
pub struct OfFiles<T> {
    all: Vec<T>,
    /// The number of items of completed files.
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

    /// The items of the completed files.
    pub fn into_ended(mut self) -> Vec<T> {
        self.all.truncate(self.ended);
        self.all
    }
}
