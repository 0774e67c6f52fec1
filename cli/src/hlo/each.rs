//! An answer for each module, and a page.

use std::path::Path;

use xlayout_hlo::{Module, OfFiles, Take, Tally};

use super::page::Page;

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
