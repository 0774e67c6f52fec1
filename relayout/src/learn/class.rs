//! Which copies are alike: what was learned of one holds for the others.

use core::fmt;

use crate::kernels::task::Task;

/// What decides which strategy is the fastest, beside the machine: the kind of the nest of loops, the element,
/// where lines collide in the caches, how long rows and columns are, the size, the number of threads.
///
/// Lengths are classes of powers of two; the size is a class of powers of the square root of two.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Class([u32; Self::NAMES.len()]);

/// The memory of the destination.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pages {
    /// The caller's, who has written to it before as a rule.
    Known,
    /// Allocated for this copy: the system makes its pages while they are written.
    Fresh,
}

impl Class {
    /// The words of its text, in this sequence.
    const NAMES: [&'static str; 12] = [
        "kernel",
        "width",
        "cell",
        "aligned",
        "down",
        "across",
        "outer",
        "source-pitch",
        "destination-pitch",
        "size",
        "threads",
        "fresh",
    ];

    /// The class of copies of so many bytes, most of them by this task.
    pub(crate) fn new(
        task: &Task,
        total: usize,
        aligned: bool,
        (threads, pages): (usize, Pages),
    ) -> Self {
        let length = |len: usize| len.max(1).ilog2();
        // Lines collide where pitches have a power of two as a divisor. From a page on, all are alike.
        let pitch = |pitch: isize| pitch.trailing_zeros().min(12);
        let first = |loops: &crate::nest::Loops<{ crate::kernels::task::COMPOSITE }>,
                     of: fn(&crate::nest::Loop) -> isize| {
            loops.as_slice().first().map_or(0, |by| pitch(of(by)))
        };
        let size = 2 * length(total)
            + u32::from(total.max(1) as u128 * total as u128 >= 1 << (2 * length(total) + 1));
        Self([
            task.kernel as u32,
            length(task.width),
            u32::from(task.cell.is_some()),
            u32::from(aligned),
            length(task.row_count * task.width),
            length(task.column_count * task.width),
            task.outer.len() as u32,
            first(&task.rows, |by| by.src),
            first(&task.columns, |by| by.dst),
            size,
            threads as u32,
            u32::from(pages == Pages::Fresh),
        ])
    }
}

impl fmt::Display for Class {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (k, (name, number)) in Self::NAMES.iter().zip(self.0).enumerate() {
            let blank = if k == 0 { "" } else { " " };
            write!(f, "{blank}{name}={number}")?;
        }
        Ok(())
    }
}

impl Class {
    /// The class whose text this is.
    pub(crate) fn read(text: &str) -> Option<Self> {
        let mut words = text.split_ascii_whitespace();
        let mut class = Self([0; Self::NAMES.len()]);
        for (name, number) in Self::NAMES.iter().zip(&mut class.0) {
            *number = words
                .next()?
                .strip_prefix(name)?
                .strip_prefix('=')?
                .parse()
                .ok()?;
        }
        words.next().is_none().then_some(class)
    }
}
