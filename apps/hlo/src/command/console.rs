//! Where `hlo` reads the input `-` and reports mistakes: the standard input and stderr, or texts in
//! memory. If stderr is a terminal, it shows a bar while a long input is read.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::rc::Rc;

use crate::Findings;
use indicatif::{ProgressBar, ProgressBarIter, ProgressDrawTarget, ProgressStyle};

use xlayout_command::table::plain;
use xlayout_command::{Failure, Outcome};

/// The length from which a bar is shown. Shorter inputs are read at once.
const SHORT: u64 = 32 << 20;

/// What stands for the standard input among the files.
const STDIN: &str = "-";

/// The name of a file in the answer.
pub(super) fn shown(path: &Path) -> &Path {
    match path.to_str() {
        Some(STDIN) => Path::new("standard input"),
        _ => path,
    }
}

#[derive(Clone)]
pub(crate) struct Console {
    /// The bar of the input that is being read.
    bar: Rc<RefCell<ProgressBar>>,
    memory: Option<Rc<RefCell<Memory>>>,
}

/// The inputs to read for each `-`, the first one first, and the mistakes that were reported.
#[derive(Debug, Default)]
struct Memory {
    inputs: VecDeque<Vec<u8>>,
    told: Vec<String>,
}

impl Default for Console {
    fn default() -> Self {
        Self {
            bar: Rc::new(RefCell::new(ProgressBar::hidden())),
            memory: None,
        }
    }
}

impl Console {
    /// A console whose inputs and mistakes are in memory.
    pub(super) fn in_memory(inputs: &[&[u8]]) -> Self {
        let memory = Memory {
            inputs: inputs.iter().map(|input| input.to_vec()).collect(),
            ..Memory::default()
        };
        Self {
            memory: Some(Rc::new(RefCell::new(memory))),
            ..Self::default()
        }
    }

    /// Reads a file into the findings: text or proto, compressed or not. A file that is not HLO
    /// does not change them.
    pub(super) fn read(&self, path: &Path, findings: &mut Findings<'_>) -> Outcome<crate::Read> {
        let is_stdin = path == Path::new(STDIN);
        let shown = shown(path);
        let failed = |error| Failure::of_file("read", shown, &error);
        let (input, length): (Box<dyn Read>, _) = if is_stdin {
            (self.input(), None)
        } else {
            let file = File::open(path).map_err(failed)?;
            let about = file.metadata().map_err(failed)?;
            (Box::new(file), about.is_file().then_some(about.len()))
        };
        let name = shown.display().to_string();
        let input = self.watch(input, &name, length);
        Ok(crate::read(input, shown, findings)?)
    }

    /// The next input to read for `-`. After the last one it is empty, as the standard input is at
    /// its end.
    fn input(&self) -> Box<dyn Read> {
        match &self.memory {
            None => Box::new(io::stdin().lock()),
            Some(memory) => {
                let next = memory.borrow_mut().inputs.pop_front();
                Box::new(io::Cursor::new(next.unwrap_or_default()))
            }
        }
    }

    /// Reports a mistake, with an empty line after it.
    pub(super) fn tell(&self, failure: &Failure) {
        match &self.memory {
            None => self.suspend(|| {
                failure.tell();
                eprintln!();
            }),
            Some(memory) => memory.borrow_mut().told.push(plain(&failure.render())),
        }
    }

    /// The mistakes that were reported so far; none if the console is not in memory.
    pub(super) fn told(&self) -> Vec<String> {
        let memory = self.memory.as_ref();
        memory.map_or_else(Vec::new, |memory| memory.borrow().told.clone())
    }

    /// An input that moves a bar as it is read, in place of the bar of the input before it.
    fn watch<R: Read>(&self, input: R, name: &str, length: Option<u64>) -> ProgressBarIter<R> {
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
        bar.set_message(crate::command::words::shortened(name, 30));
        self.bar.replace(bar.clone());
        bar.wrap_read(input)
    }

    /// Does the work while the bar is hidden.
    pub(super) fn suspend(&self, work: impl FnOnce()) {
        self.bar.borrow().suspend(work);
    }

    /// Removes the bar.
    pub(super) fn end(&self) {
        self.bar.borrow().finish_and_clear();
    }
}
