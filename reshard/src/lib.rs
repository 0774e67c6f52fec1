//! Arrays in files: read, brought into another layout block by block, and written.
//!
//! ```
//! use std::fs;
//! use xlayout_reshard::{Format, Input, Job, Means, OutputFile, Part, Stop, formats::npy};
//!
//! let folder = tempfile::tempdir()?;
//! let (from, to) = (folder.path().join("a.npy"), folder.path().join("b.npy"));
//! let elements: Vec<u8> = (0..6_u32).flat_map(u32::to_le_bytes).collect();
//! let header = npy::header(&"u32[2,3]{1,0}".parse()?).unwrap();
//! fs::write(&from, [header, elements].concat())?;
//!
//! // Row-major to column-major.
//! let input = Input::open(&from, Format::Npy, None)?;
//! let layout = "u32[2,3]{0,1}".parse()?;
//! let header = npy::header(&layout).unwrap();
//! let part = Part { layout, origin: vec![0, 0], offset: header.len() as u64 };
//! let place = OutputFile::new(&to, false)?;
//! let file = place.create(part.offset + 24)?;
//! xlayout_reshard::Sink::write(&file, &header, 0)?;
//! let means = Means { threads: 1, memory: 1 << 20 };
//! Job { pieces: &input.arrays, part: &part }.run((&input, &file), means, &Stop::default(), &|_| {})?;
//! file.finish()?;
//! let words: Vec<u8> = fs::read(&to)?[128..].iter().step_by(4).copied().collect();
//! assert_eq!(words, [0, 3, 1, 4, 2, 5]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![forbid(unsafe_code)]

pub mod array;
mod blocks;
mod checksum;
mod copy;
mod decode;
mod error;
pub mod formats;
#[doc(hidden)]
pub mod fuzzing;

mod known;
mod output;
mod pieces;
mod plan;
mod positioned;
mod source;
mod spec;
mod stop;
mod unit;
#[doc(hidden)]
pub mod words;

use std::path::Path;

pub use array::{Array, Encoding, Part};
pub use copy::{Job, Means, Sink, Sources};
pub use error::{Error, Outcome, Remark, TextSpan, floor_boundary};
pub use formats::Format;
pub use formats::Input;
pub use known::Known;
pub use output::{OutputFile, Unfinished};
pub use plan::{Draft, PlanOptions, Summary};
pub use stop::Stop;
pub use unit::{
    Difference, Progress, RunOptions, Step, UnitReport, run_units, verify_units, write_file,
};

/// Whether a path means the standard input or output.
#[must_use]
pub fn is_standard(path: &Path) -> bool {
    path == Path::new("-")
}
