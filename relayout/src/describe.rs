//! The text that describes a plan, and the bytes that a run moves.

use core::fmt;

use crate::kernels::task::{Kernel, Task};
use crate::measurement::Measurement;
use crate::nest::Loop;
use crate::plan::Plan;
use crate::way::Way;

/// The bytes that a run moves between the processor and memory, if nothing is in the cache before.
/// [`Plan::traffic`] returns it and has an example.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Traffic {
    /// The bytes of elements that are read.
    pub read: usize,
    /// The bytes of elements that are written.
    pub written: usize,
    /// The bytes of the destination that are read before they are written, since a store through
    /// the cache fetches the line first; 0 if the plan writes past the cache.
    pub fetched: usize,
}

impl Traffic {
    /// The sum of all three; `usize::MAX` if it is larger.
    #[must_use]
    pub const fn total(&self) -> usize {
        self.read
            .saturating_add(self.written)
            .saturating_add(self.fetched)
    }
}

impl Plan {
    /// Returns the traffic that a run is expected to cause.
    ///
    /// ```
    /// use xlayout_core::DynLayout;
    /// use xlayout_relayout::Plan;
    /// let a: DynLayout = "u8[2,3]{1,0}".parse().unwrap();
    /// let b: DynLayout = "u8[2,3]{0,1}".parse().unwrap();
    /// let traffic = Plan::new(&a, &b).unwrap().traffic();
    /// assert_eq!((traffic.read, traffic.written, traffic.fetched), (6, 6, 6));
    /// ```
    #[must_use]
    pub fn traffic(&self) -> Traffic {
        let src = &self.identity.src;
        let read = (self.elements() as u128 * src.bits as u128).div_ceil(8);
        let fetched = if self.streams() { 0 } else { self.bytes() };
        Traffic {
            // A source with zero strides has fewer bytes than the elements that are read.
            read: read.min(src.bytes as u128) as usize,
            written: self.bytes(),
            fetched,
        }
    }

    /// Whether the plan writes past the cache, if the destination begins at a line.
    fn streams(&self) -> bool {
        self.way.largest_task().is_some_and(|task| {
            task.kernel != Kernel::Strided && self.by().call(&task, core::ptr::null()).choice.past
        })
    }
}

impl Plan {
    /// Returns the strategy that `Plan::measured` found, that [`with_measurement`](Self::with_measurement) set,
    /// or that plans for copies of this class have learned in their first runs; `None` before.
    #[must_use]
    pub fn measurement(&self) -> Option<Measurement> {
        self.by().choice.map(Measurement)
    }

    /// Returns the same plan with a strategy that was measured before. If the strategy does not fit
    /// the layouts, the plan keeps the estimated one.
    #[must_use]
    pub fn with_measurement(self, measurement: Measurement) -> Self {
        self.with(measurement.0)
    }
}

/// Describes the plan for people: the arrays, the kernel with its loops, the loops around it, and
/// the bytes. Any version may change the text.
///
/// ```
/// use xlayout_core::DynLayout;
/// use xlayout_relayout::Plan;
/// let a: DynLayout = "f32[4096,4096]{1,0}".parse().unwrap();
/// let b: DynLayout = "f32[4096,4096]{0,1}".parse().unwrap();
/// let plan = Plan::new(&a, &b).unwrap().to_string();
/// assert!(plan.starts_with("f32[4096,4096]{1,0} -> f32[4096,4096]{0,1}: transpose in registers"));
/// ```
impl fmt::Display for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let identity = &self.identity;
        match &identity.src_shape {
            Some(shape) => write!(f, "{shape} -> ")?,
            None => f.write_str("strides of bytes -> ")?,
        }
        write!(f, "{}: ", identity.dst_shape)?;
        match &self.way {
            Way::Nothing => return f.write_str("no elements, nothing to copy"),
            Way::Task(task, _) => task.fmt(f)?,
            Way::Boxes(boxed) => {
                if let Some(nest) = boxed.nests().next() {
                    Task::new(&nest).fmt(f)?;
                }
                match boxed.nests().count() - 1 {
                    1 => f.write_str("\n  and 1 smaller box at an edge")?,
                    others => write!(f, "\n  and {others} smaller boxes at the edges")?,
                }
            }
            Way::Bits(boxed) => {
                let (from, to) = (boxed.cells.src_bits, boxed.cells.dst_bits);
                write!(f, "bits, {from} to {to} for each element")?;
                if let Some(nest) = boxed.nests().next() {
                    write!(f, ", {} at a time", nest.width)?;
                    loops(f, "outside, in elements", nest.loops.as_slice())?;
                }
            }
            Way::General(_) => f.write_str(
                "element by element, since the tiles of both sides do not divide each other",
            )?,
        }
        if let Some(measurement) = self.measurement() {
            write!(f, "\n  measured: {measurement}")?;
        }
        let Traffic { read, written, .. } = self.traffic();
        write!(f, "\n  reads {read} bytes, writes {written}")?;
        let notes = [
            (self.streams(), " past the cache"),
            (self.fill.is_some(), ", fills the padding"),
        ];
        let mut said = notes.into_iter().filter(|note| note.0);
        said.try_for_each(|note| f.write_str(note.1))
    }
}

impl fmt::Debug for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Plan({self})")
    }
}

impl fmt::Display for Task {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bytes = self.width;
        if !self.tiny.is_empty() && !self.holds_block() {
            let count = self.bytes() / bytes;
            return write!(f, "{count} elements of {bytes} bytes, from a table");
        }
        let (rows, columns) = (self.row_count, self.column_count);
        match self.kernel {
            Kernel::Copy => write!(f, "one run")?,
            Kernel::Rows => write!(f, "runs")?,
            Kernel::Runs => write!(f, "{rows} x {columns} runs that trade places, each")?,
            Kernel::Panel => write!(f, "transpose in registers, {rows} x {columns} elements")?,
            Kernel::Interleave => write!(f, "interleave {rows} rows of elements")?,
            Kernel::Deinterleave => write!(f, "take apart {columns} rows of elements")?,
            Kernel::Strided => write!(f, "elements at strides, each")?,
        }
        write!(f, " of {bytes} bytes")?;
        let is_panel = !self.columns.as_slice().is_empty();
        let name = ["inside", "contiguous in the destination"][usize::from(is_panel)];
        loops(f, name, self.rows.as_slice())?;
        loops(f, "contiguous in the source", self.columns.as_slice())?;
        if let Some(cell) = &self.cell {
            let (rows, columns) = (cell.rows, cell.columns);
            write!(f, "\n  each of {rows} x {columns} elements, transposed")?;
        }
        loops(f, "outside", self.outer.as_slice())
    }
}

/// Writes loops, the innermost first: the number of steps, and the bytes that a step moves on each
/// side.
fn loops(f: &mut fmt::Formatter<'_>, name: &str, loops: &[Loop]) -> fmt::Result {
    for (k, by) in loops.iter().enumerate() {
        match k {
            0 => write!(f, "\n  {name}: ")?,
            _ => f.write_str(", ")?,
        }
        write!(f, "{} ({} -> {})", by.size, by.src, by.dst)?;
    }
    Ok(())
}
