//! Reads XLA's HLO modules, as text or as protocol buffers, and answers questions about them.
//!
//! | question | answered by |
//! |---|---|
//! | Which arrays are there, and how much of their memory is padding? | [`Findings`], [`group`], [`advice`] |
//! | Which operations copy data, why, and what removes them? | [`copies`] |
//! | How much memory is in use at each step, and by which arrays? | [`memory`] |
//! | What differs between two compilations? | [`diff`] |
//! | What does a report of XLA say that ran out of memory? | [`oom`] |
//! | How much memory has a device, and how fast is it? | [`device`] |
//!
//! A module goes in, findings come out, as structs, which serde writes as `--json` of
//! `xlayout hlo` does. The [book](https://github.com/xlayout/xlayout/blob/main/book/src/modules.md)
//! reads one, from its first report to the last byte that is copied.
//!
//! ```
//! let text = b"HloModule m, is_scheduled=true
//!
//! ENTRY %e {
//!   %p = f32[8,100]{1,0:T(8,128)} parameter(0)
//!   ROOT %c = f32[8,100]{0,1:T(8,128)} copy(%p)
//! }
//! ";
//! let found = xlayout_hlo::read_all(&text[..], "m.txt".as_ref(), |path, module, tally| {
//!     let copies = xlayout_hlo::copies::examine(path, &module, tally, usize::MAX);
//!     let (memory, errors) = xlayout_hlo::memory::answer_beside(path, &module, tally, 10);
//!     assert!(errors.is_empty());
//!     (copies, memory.unwrap())
//! })?;
//! let (copies, memory) = &found[0];
//! assert_eq!(copies.copies[0].instruction, "c");
//! // Padding of 28 lanes in the parameter, of 120 lanes in the result.
//! assert_eq!(memory.peak, 8 * 128 * 4 + 104 * 128 * 4);
//! # Ok::<(), xlayout_hlo::Error>(())
//! ```
//!
//! A text is read from its beginning to its end, in memory that does not depend on its length; a
//! binary module of at most 1 GiB is read into memory. Without a [`Take`] no graph is made of its
//! modules. What cannot be read in a text is reported with its place ([`Mistakes`]), and does not
//! end the reading; no input ends the process.

#![forbid(unsafe_code)]

pub mod advice;
mod arrays;
#[cfg(feature = "command")]
pub mod command;
pub mod copies;
pub mod device;
pub mod diff;
mod error;
mod findings;
mod graph;
pub mod group;
mod kind;
mod log;
mod marks;
pub mod memory;
mod mistake;
mod modules;
pub mod oom;
mod opcode;
#[cfg(feature = "page")]
pub mod page;
mod proto;
mod quoted;
mod read;
mod scan;
mod size;
mod source;
mod tally;
#[cfg(test)]
mod tests;
mod unpack;
mod whole;
#[doc(hidden)]
mod wrong;

use std::io;
use std::path::Path;

pub use error::Error;
pub use findings::{Extent, Findings, Scope};
pub use graph::{Instruction, Module, SourceLine};
pub use mistake::{Mistake, Mistakes, Tell};
pub use modules::{EntryArray, FirstLine, Modules};
pub use opcode::Opcode;
pub use read::{Read, read};
pub use size::{parse_bandwidth, parse_size};
pub use source::{Excerpt, Mark};
pub use tally::{Array, Bytes, Tally, layout, logical_bytes};
pub use unpack::{unpacked, without_packing};
pub use whole::{Each, Take};

/// Reads the modules of an input, compressed or not, and calls `answer` for each. `shown` is its
/// name.
///
/// Skips what cannot be read in a text; [`read`] reports it.
///
/// # Errors
/// If the input cannot be read to its end, or is not HLO.
pub fn read_all<T>(
    input: impl io::Read,
    shown: &Path,
    answer: impl FnMut(&Path, Module, &Tally) -> T,
) -> Result<Vec<T>, Error> {
    let mut each = Each::new(answer);
    let mut findings = Findings::new(Scope::ALL, Mistakes::new(0, false, Box::new(|_, _| {})));
    findings.take = Some(&mut each);
    read(input, shown, &mut findings)?.of_hlo(shown)?;
    Ok(each.into_ended())
}
