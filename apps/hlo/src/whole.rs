//! Answers for the modules of files. Only complete files count: a file may end in an error after
//! some of its modules, and then their answers are dropped.

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

/// Asks for an answer for each module of files that are read one after another.
#[derive(Debug)]
pub struct Each<T, F> {
    answer: F,
    all: Vec<T>,
    /// The number of answers of completed files.
    ended: usize,
}

impl<T, F: FnMut(&Path, Module, &Tally) -> T> Each<T, F> {
    /// Begins without answers.
    pub fn new(answer: F) -> Self {
        Self {
            answer,
            all: Vec::new(),
            ended: 0,
        }
    }

    /// The answers for the modules of the completed files.
    pub fn into_ended(mut self) -> Vec<T> {
        self.all.truncate(self.ended);
        self.all
    }
}

impl<T, F: FnMut(&Path, Module, &Tally) -> T> Take for Each<T, F> {
    fn module(&mut self, path: &Path, module: Module, tally: &Tally) {
        self.all.push((self.answer)(path, module, tally));
    }

    fn end_file(&mut self, is_whole: bool) {
        if !is_whole {
            self.all.truncate(self.ended);
        }
        self.ended = self.all.len();
    }
}
