//! What is found in the modules of files. The answer counts whole files: a file may end in an error after some of its modules, and
//! then nothing of it is kept.

use std::path::Path;

use super::graph::Module;
use super::page::Page;
use super::tally::Tally;

/// Takes the graph of each module while files are read.
pub(super) trait Take {
    /// A module ends.
    fn module(&mut self, path: &Path, module: Module, tally: &Tally);

    /// A file ends. If it is not whole, an error ended it or it is no HLO, and nothing of its modules is kept.
    fn end_file(&mut self, is_whole: bool);
}

/// Items of files that are read one after the other.
#[derive(Debug)]
pub(super) struct OfFiles<T> {
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
    pub(super) fn push(&mut self, item: T) {
        self.all.push(item);
    }

    /// Ends the file that is being read. Its items are kept if it is whole.
    pub(super) fn end_file(&mut self, is_whole: bool) {
        if !is_whole {
            self.all.truncate(self.ended);
        }
        self.ended = self.all.len();
    }

    /// The items of the files that ended.
    pub(super) fn into_ended(mut self) -> Vec<T> {
        self.all.truncate(self.ended);
        self.all
    }
}

/// An answer for each module, and a page.
pub(super) struct EachModule<'a, T> {
    page: Page,
    all: OfFiles<T>,
    answer: &'a mut dyn FnMut(&Path, Module, &Tally) -> T,
}

impl<'a, T> EachModule<'a, T> {
    pub(super) fn new(page: Page, answer: &'a mut dyn FnMut(&Path, Module, &Tally) -> T) -> Self {
        Self {
            page,
            all: OfFiles::default(),
            answer,
        }
    }

    /// The answers and the page of the files that ended.
    pub(super) fn found(self) -> (Vec<T>, Page) {
        (self.all.into_ended(), self.page)
    }
}

impl<T> Take for EachModule<'_, T> {
    fn module(&mut self, path: &Path, module: Module, tally: &Tally) {
        self.page.add(path, &module, tally);
        self.all.push((self.answer)(path, module, tally));
    }

    fn end_file(&mut self, is_whole: bool) {
        self.page.end_file(is_whole);
        self.all.end_file(is_whole);
    }
}
