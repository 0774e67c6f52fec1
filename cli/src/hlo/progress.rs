//! A bar on stderr for long inputs; only where stderr is a terminal.

use std::cell::RefCell;
use std::io::{self, Read};
use std::rc::Rc;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Inputs that are shorter are read before anybody looks.
const SHORT: u64 = 32 << 20;

#[derive(Clone, Default)]
pub(crate) struct Progress {
    bar: Rc<RefCell<Option<ProgressBar>>>,
}

impl Progress {
    /// An input that moves the bar as it is read.
    pub(crate) fn watch<R: Read>(&self, input: R, name: &str, length: Option<u64>) -> Watched<R> {
        Watched {
            input,
            progress: self.clone(),
            name: name.to_owned(),
            length,
            read: 0,
        }
    }

    /// Does something while the bar is away.
    pub(crate) fn suspend(&self, work: impl FnOnce()) {
        match &*self.bar.borrow() {
            Some(bar) => bar.suspend(work),
            None => work(),
        }
    }

    /// Takes the bar away.
    pub(crate) fn end(&self) {
        if let Some(bar) = self.bar.borrow_mut().take() {
            bar.finish_and_clear();
        }
    }

    fn begin(&self, name: &str, length: Option<u64>) {
        let target = ProgressDrawTarget::stderr();
        let bar = ProgressBar::with_draw_target(length, target);
        let template = match length {
            Some(_) => "{msg} {bar:30} {percent:>3}% of {total_bytes}, {eta} left",
            None => "{msg} {spinner} {bytes}, {bytes_per_sec}",
        };
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        bar.set_message(crate::words::shortened(name, 30));
        *self.bar.borrow_mut() = Some(bar);
    }
}

pub(crate) struct Watched<R> {
    input: R,
    progress: Progress,
    name: String,
    length: Option<u64>,
    read: u64,
}

impl<R: Read> Read for Watched<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.input.read(buffer)?;
        self.read += read as u64;
        let long = match self.length {
            Some(length) => length > SHORT,
            None => self.read > SHORT,
        };
        if long {
            if self.progress.bar.borrow().is_none() {
                self.progress.begin(&self.name, self.length);
            }
            if let Some(bar) = &*self.progress.bar.borrow() {
                bar.set_position(self.read);
            }
        }
        Ok(read)
    }
}
