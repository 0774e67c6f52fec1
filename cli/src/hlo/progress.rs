//! A bar on stderr for long inputs; only where stderr is a terminal.

use std::cell::RefCell;
use std::io::{self, Read, Seek, SeekFrom};
use std::rc::Rc;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// The length from which a bar is shown. Shorter inputs are read at once.
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
            times: 1,
            read: 0,
        }
    }

    /// A file that is read twice, at any places; the bar of the input before it goes away.
    ///
    /// # Errors
    /// If its length cannot be asked for.
    pub(crate) fn watch_twice<R: Read + Seek>(
        &self,
        mut file: R,
        name: &str,
    ) -> io::Result<Watched<R>> {
        let length = file.seek(SeekFrom::End(0))?;
        file.rewind()?;
        self.end();
        Ok(Watched {
            times: 2,
            ..self.watch(file, name, Some(length))
        })
    }

    /// Does the work while the bar is hidden.
    pub(crate) fn suspend(&self, work: impl FnOnce()) {
        match &*self.bar.borrow() {
            Some(bar) => bar.suspend(work),
            None => work(),
        }
    }

    /// Removes the bar.
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
    /// The number of times that the input is read.
    times: u64,
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
                // An average: some parts are read more often than others.
                let position = self.read / self.times;
                bar.set_position(position.min(self.length.unwrap_or(u64::MAX)));
            }
        }
        Ok(read)
    }
}

impl<R: Seek> Seek for Watched<R> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.input.seek(to)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first bytes of a proto are looked at, and then its file is read twice: the bar moves to its end.
    #[test]
    fn the_bar_of_a_file_that_is_read_twice_moves() {
        let progress = Progress::default();
        let position = || progress.bar.borrow().as_ref().map(ProgressBar::position);
        let length = SHORT + 2;
        let bytes = || io::Cursor::new(vec![0; length as usize]);
        let mut beginning = progress.watch(bytes(), "m.hlo.pb", Some(length));
        beginning.read_exact(&mut [0; 100]).unwrap();
        assert_eq!(position(), Some(100));
        let mut file = progress.watch_twice(bytes(), "m.hlo.pb").unwrap();
        assert_eq!(position(), None);
        io::copy(&mut file, &mut io::sink()).unwrap();
        assert_eq!(position(), Some(length / 2));
        for _ in 0..2 {
            file.rewind().unwrap();
            io::copy(&mut file, &mut io::sink()).unwrap();
            assert_eq!(position(), Some(length));
        }
    }
}
