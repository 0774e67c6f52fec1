//! Arrays in files: read, converted block by block to another layout, and written.
//!
//! ```
//! use std::fs;
//! use xlayout_checkpoints::{Format, Input, Job, Means, OutputFile, Stop, formats::npy};
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
//! let job = Job::new(None, &input.arrays[0], layout, header.len() as u64);
//! let place = OutputFile::new(&to, false)?;
//! let file = place.create(header.len() as u64 + 24)?;
//! xlayout_checkpoints::Sink::write(&file, &header, 0)?;
//! let stop = Stop::default();
//! let means = Means { threads: 1, memory: Some(1 << 20), stop: &stop, progress: &|_| {} };
//! job.run((&input, &file), means)?;
//! file.finish()?;
//! let words: Vec<u8> = fs::read(&to)?[128..].iter().step_by(4).copied().collect();
//! assert_eq!(words, [0, 3, 1, 4, 2, 5]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A checkpoint, a folder of files, is converted to another sharding in units of work, which any
//! number of machines run: [`Draft`] makes a plan, [`run_units`] runs its units, [`verify_units`]
//! compares both folders.
//!
//! ```
//! use std::fs;
//! use xlayout_checkpoints::{Draft, Means, PlanOptions, Stop, formats::safetensors};
//! use xlayout_checkpoints::{run_units, verify_units};
//!
//! let folder = tempfile::tempdir()?;
//! let at = |name: &str| folder.path().join(name);
//! let header = safetensors::header(&[("w", &"u8[4,2]{1,0}".parse()?)], &[]);
//! fs::create_dir(at("ckpt"))?;
//! fs::write(at("ckpt/model.safetensors"), [header, (0..8).collect()].concat())?;
//! fs::write(at("spec.toml"), "[[tensor]]\nname = 'w'\nsharding = '{devices=[1,2]<=[2]}'\n")?;
//!
//! let options = PlanOptions { units: 2, object_bytes: 5_000_000_000, memory: 1 << 28 };
//! let draft = Draft::new(&at("ckpt"), &at("out"), &at("spec.toml"), options)?;
//! draft.write(&mut fs::File::create(at("plan.json"))?)?;
//! let means = Means { threads: 1, memory: None, stop: &Stop::default(), progress: &|_| {} };
//! // On two machines, in any sequence.
//! for unit in [1, 0] {
//!     run_units(&at("plan.json"), Some(unit), means)?;
//! }
//! assert!(verify_units(&at("plan.json"), None, means, false)?.differences.is_empty());
//! let column = fs::read(at("out/shard-00002-model-00001-of-00001.safetensors"))?;
//! assert!(column.ends_with(&[1, 3, 5, 7]));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![forbid(unsafe_code)]

pub mod array;
mod blocks;
mod checkpoint;
mod checksum;
#[cfg(feature = "command")]
pub mod command;
mod copy;
mod decode;
mod error;
pub mod formats;
#[doc(hidden)]
pub mod fuzzing;
mod layout_for;
mod names;
mod numbers;
mod output;
mod pieces;
mod plan;
mod positioned;
mod source;
mod spec;
mod stop;
mod store;
mod unit;
#[doc(hidden)]
use std::path::Path;

pub use array::{Array, Encoding};
pub use copy::{Means, Sink, Sources, Step};
pub use error::{Error, Outcome, Remark, TextSpan};
pub use formats::{Format, Input, Said};
pub use layout_for::{LayoutFor, Mistake};
pub use output::{OutputFile, Unfinished};
pub use pieces::Job;
pub use plan::{Draft, PlanOptions, Summary};
pub use positioned::OpenFile;
pub use stop::Stop;
pub use unit::{Difference, UnitReport, Verified, run_units, verify_units, write_file};

/// Whether a path means the standard input or output.
#[must_use]
pub fn is_standard(path: &Path) -> bool {
    path == Path::new("-")
}
