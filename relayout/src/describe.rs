//! The text that describes a plan, and the bytes that a run moves.

use core::fmt;

#[cfg(feature = "std")]
use crate::kernels::cost::threads::STARTED;
use crate::kernels::task::{Kernel, Task};
use crate::machine::Machine;
use crate::measurement::Measurement;
use crate::nest::Loop;
use crate::plan::Plan;
use crate::way::Way;

/// The bytes that a run moves between the processor and memory, if nothing is in the cache before.
/// [`PlanOn::traffic`] returns it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Traffic {
    /// The bytes of elements that are read.
    pub read: usize,
    /// The bytes of elements that are written.
    pub written: usize,
    /// The bytes of the destination that are read before they are written, since a store through
    /// the cache fetches the line first; 0 if the run writes past the cache.
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

/// A plan on a [`Machine`], as [`Plan::on`] gives it. Its text is that of the plan, with what
/// depends on the machine.
#[derive(Clone, Copy)]
pub struct PlanOn<'p> {
    plan: &'p Plan,
    machine: Machine,
}

impl Plan {
    /// Returns what can be told of the first run of this plan on a machine: its text says whether
    /// the run writes past the cache. The text of the plan alone is the same on all machines. What
    /// plans have learned is left out: [`measurement`](Self::measurement) tells it.
    ///
    /// ```
    /// use xlayout_core::DynLayout;
    /// use xlayout_relayout::{Machine, Plan};
    /// let a: DynLayout = "f32[4096,4096]{1,0}".parse().unwrap();
    /// let b: DynLayout = "f32[4096,4096]{0,1}".parse().unwrap();
    /// let plan = Plan::new(&a, &b).unwrap();
    /// assert!(plan.on(Machine::REFERENCE).to_string().ends_with(" past the cache"));
    /// println!("{}", plan.on(Machine::here()));
    /// ```
    #[must_use]
    pub const fn on(&self, machine: Machine) -> PlanOn<'_> {
        PlanOn {
            plan: self,
            machine,
        }
    }

    /// The bytes that a run reads.
    fn read(&self) -> usize {
        let src = &self.identity.src;
        let read = (self.elements() as u128 * src.bits as u128).div_ceil(8);
        // A source with zero strides has fewer bytes than the elements that are read.
        read.min(src.bytes as u128) as usize
    }
}

impl PlanOn<'_> {
    /// Returns the traffic that the run is expected to cause.
    ///
    /// ```
    /// use xlayout_core::DynLayout;
    /// use xlayout_relayout::{Machine, Plan};
    /// let a: DynLayout = "u8[2,3]{1,0}".parse().unwrap();
    /// let b: DynLayout = "u8[2,3]{0,1}".parse().unwrap();
    /// let traffic = Plan::new(&a, &b).unwrap().on(Machine::REFERENCE).traffic();
    /// assert_eq!((traffic.read, traffic.written, traffic.fetched), (6, 6, 6));
    /// ```
    #[must_use]
    pub fn traffic(&self) -> Traffic {
        let written = self.plan.bytes();
        Traffic {
            read: self.plan.read(),
            written,
            fetched: if self.streams() { 0 } else { written },
        }
    }

    /// Returns the number of threads that [`run_threads`](Plan::run_threads) uses where it may use
    /// all cores of the machine.
    ///
    /// ```
    /// use xlayout_core::DynLayout;
    /// use xlayout_relayout::{Machine, Plan};
    /// let threads = |a: &str, b: &str| {
    ///     let (a, b): (DynLayout, DynLayout) = (a.parse().unwrap(), b.parse().unwrap());
    ///     Plan::new(&a, &b).unwrap().on(Machine::REFERENCE).threads()
    /// };
    /// assert_eq!(threads("f32[100,100]{1,0}", "f32[100,100]{0,1}"), 1);
    /// assert_eq!(threads("f32[8192,8192]{1,0}", "f32[8192,8192]{0,1}"), 8);
    /// ```
    #[cfg(feature = "std")]
    #[must_use]
    pub fn threads(&self) -> usize {
        self.plan.worth(self.machine, 0, STARTED)
    }

    /// Whether the run writes past the cache, if the destination begins at a line.
    fn streams(&self) -> bool {
        let Some(task) = self.plan.way.largest_task() else {
            return false;
        };
        // Elements at strides, and those of a table, are stored one by one.
        if task.kernel == Kernel::Strided || !task.tiny.is_empty() {
            return false;
        }
        let machine = || self.machine;
        let choice = self
            .plan
            .fixed()
            .choice_on(&task, task.keeps_lines, machine);
        choice.past
    }
}

impl Plan {
    /// Returns the strategy that [`with_measurement`](Self::with_measurement) set, or that plans
    /// for copies of this class have learned in their first runs; `None` before.
    #[doc(hidden)]
    #[must_use]
    pub fn measurement(&self) -> Option<Measurement> {
        self.current().choice.map(Measurement)
    }

    /// Returns the same plan with a strategy that was measured before. If the strategy does not fit
    /// the layouts, the plan keeps the estimated one.
    #[doc(hidden)]
    #[must_use]
    pub fn with_measurement(self, measurement: Measurement) -> Self {
        self.with(measurement.0)
    }
}

/// Describes the plan for people: the arrays, the kernel with its loops, the loops around it, the
/// strategy if it is set, and the bytes. The text does not depend on the machine, nor on what was
/// learned; [`Plan::on`] tells more. Any version may change the text.
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
        self.describe(f, "")
    }
}

impl fmt::Display for PlanOn<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let stores = if self.streams() {
            " past the cache"
        } else {
            ""
        };
        self.plan.describe(f, stores)
    }
}

impl fmt::Debug for PlanOn<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PlanOn({self}, {:?})", self.machine)
    }
}

impl Plan {
    /// Writes the text of the plan. `stores`: how a run writes, if that is told.
    fn describe(&self, f: &mut fmt::Formatter<'_>, stores: &str) -> fmt::Result {
        let identity = &self.identity;
        match &identity.src_shape {
            Some(shape) => write!(f, "{shape} -> ")?,
            None => f.write_str("strides of bytes -> ")?,
        }
        write!(f, "{}: ", identity.dst_shape)?;
        match &self.way {
            Way::Nothing => return f.write_str("no elements, nothing to copy"),
            Way::Task(task, _) => write!(f, "{task}")?,
            Way::Boxes(boxed) => {
                if let Some(nest) = boxed.nests().next() {
                    write!(f, "{}", Task::new(&nest))?;
                }
                match boxed.nests().count() - 1 {
                    1 => f.write_str("\n  and 1 smaller box at an edge")?,
                    others => write!(f, "\n  and {others} smaller boxes at the edges")?,
                }
            }
            Way::Bits(boxed) => {
                let from = boxed.cells.src_bits;
                let to = boxed.cells.dst_bits;
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
        if let Some(choice) = self.fixed().choice {
            write!(f, "\n  measured: {}", Measurement(choice))?;
        }
        let read = self.read();
        let written = self.bytes();
        write!(f, "\n  reads {read} bytes, writes {written}{stores}")?;
        match self.fill {
            Some(_) => f.write_str(", fills the padding"),
            None => Ok(()),
        }
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
        let rows = self.row_count;
        let columns = self.column_count;
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
        let name = if is_panel {
            "contiguous in the destination"
        } else {
            "inside"
        };
        loops(f, name, self.rows.as_slice())?;
        loops(f, "contiguous in the source", self.columns.as_slice())?;
        if let Some(cell) = &self.cell {
            let rows = cell.rows;
            let columns = cell.columns;
            write!(f, "\n  each of {rows} x {columns} elements, transposed")?;
        }
        loops(f, "outside", self.outer.as_slice())
    }
}

/// Writes loops, the innermost first: the number of steps, and the bytes that a step moves on each
/// side.
fn loops(f: &mut fmt::Formatter<'_>, name: &str, loops: &[Loop]) -> fmt::Result {
    for (k, level) in loops.iter().enumerate() {
        match k {
            0 => write!(f, "\n  {name}: ")?,
            _ => f.write_str(", ")?,
        }
        write!(f, "{} ({} -> {})", level.size, level.src, level.dst)?;
    }
    Ok(())
}
