//! A bar on stderr for long inputs; only where stderr is a terminal.

use std::cell::RefCell;
use std::io::Read;
use std::rc::Rc;

use indicatif::{ProgressBar, ProgressBarIter, ProgressDrawTarget, ProgressStyle};

/// The length from which a bar is shown. Shorter inputs are read at once.
const SHORT: u64 = 32 << 20;

/// The bar of the input that is being read.
#[derive(Clone)]
pub(crate) struct Progress(Rc<RefCell<ProgressBar>>);

impl Default for Progress {
    fn default() -> Self {
        Self(Rc::new(RefCell::new(ProgressBar::hidden())))
    }
}

impl Progress {
    /// An input that moves a bar as it is read, in place of the bar of the input before it.
    pub(crate) fn watch<R: Read>(
        &self,
        input: R,
        name: &str,
        length: Option<u64>,
    ) -> ProgressBarIter<R> {
        self.end();
        let target = match length {
            Some(..=SHORT) => ProgressDrawTarget::hidden(),
            _ => ProgressDrawTarget::stderr(),
        };
        let bar = ProgressBar::with_draw_target(length, target);
        let template = match length {
            Some(_) => "{msg} {bar:30} {percent:>3}% of {total_bytes}, {eta} left",
            None => "{msg} {spinner} {bytes}, {bytes_per_sec}",
        };
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        bar.set_message(crate::words::shortened(name, 30));
        self.0.replace(bar.clone());
        bar.wrap_read(input)
    }

    /// Does the work while the bar is hidden.
    pub(crate) fn suspend(&self, work: impl FnOnce()) {
        self.0.borrow().suspend(work);
    }

    /// Removes the bar.
    pub(crate) fn end(&self) {
        self.0.borrow().finish_and_clear();
    }
}
