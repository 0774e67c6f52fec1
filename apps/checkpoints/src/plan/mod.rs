//! A plan: for each unit of work the byte ranges that it reads, and the files that it writes whole.
//!
//! The text is JSON in lines: the data that all units share, then each unit, so that a unit is read
//! with little memory:
//!
//! ```text
//! {"xlayout_plan":1,"units":NUMBER,"source":FOLDER,"destination":FOLDER,
//!  "format":"safetensors","devices":16,
//!  "metadata":[[KEY,VALUE],…],
//!  "files":[{"name":…,"bytes":…,"header":BYTES,"crc32":OF THE HEADER},…],
//!  "stated":[{"from":SHARDING,"files":AS IN THE SPECIFICATION},…]}
//! {"memory":BYTES,"read":BYTES,"written":BYTES,"objects":[
//!   {"name":FILE,"bytes":WITHOUT ITS HEADER,"parts":[
//!     {"tensor":NAME,"layout":OF THE PART,"origin":INDEX OF ITS FIRST ELEMENT,"at":BEHIND THE
//!         HEADER,
//!      "pieces":[{"file":NUMBER,"at":BYTE,"layout":…,"origin":…,
//!        "encoded":[BYTES IN THE FILE,[HOW,…]]},…],
//!      "reads":[[FILE,FIRST BYTE,BYTES OF A RUN,RUNS,FROM ONE RUN TO THE NEXT],…],
//!      "stated":NUMBER, WHERE THE FILES DO NOT SAY WHERE THE PIECES BEGIN},…]},…]}
//! …
//! ```

mod check;
mod make;
mod objects;
mod options;
mod place;
mod summary;
mod template;
mod write;

use std::fmt::Display;
use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};

use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};
use serde_json::error::Category;

use crate::checkpoint::{Kind, SourceFile};
use crate::error::{Error, Outcome};
use crate::names::FileOrder;
use crate::pieces::Job;

pub use make::Draft;
pub use options::PlanOptions;
pub use summary::Summary;

pub(crate) use check::damaged;
pub(crate) use place::devices;

/// The version of the text.
const VERSION: u32 = 1;

/// The data that all units share.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a plan of `xlayout reshard`")]
pub(crate) struct Head {
    xlayout_plan: u32,
    /// The number of units that follow.
    units: usize,
    pub(crate) source: PathBuf,
    pub(crate) destination: PathBuf,
    /// The format that is written.
    pub(crate) format: Kind,
    /// The number of devices between which the tensors are divided.
    pub(crate) devices: u64,
    /// The metadata of a safetensors file.
    pub(crate) metadata: Vec<(String, String)>,
    pub(crate) files: Vec<SourceFile>,
    /// What the specification states of tensors whose files do not say which part they have.
    #[serde(default)]
    pub(crate) stated: Vec<Stated>,
}

/// A statement of the specification about the files of a tensor.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Stated {
    /// The text of the sharding of the source.
    pub(crate) from: String,
    /// Which file is that of which device.
    pub(crate) files: Option<FileOrder>,
}

/// A unit of work. No other unit writes its objects.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Unit {
    /// The bytes of its buffers.
    pub(crate) memory: u64,
    pub(crate) read: u64,
    pub(crate) written: u64,
    pub(crate) objects: Vec<Object>,
}

/// A file that is written.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Object {
    pub(crate) name: String,
    /// Its bytes without the header.
    pub(crate) bytes: u64,
    /// The content of a file without tensors: an index.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) text: Option<String>,
    pub(crate) parts: Vec<Job>,
}

/// The requested units of a plan: all, or the one with this number.
pub(crate) type Which = Option<usize>;

/// The function that is called with each of them.
pub(crate) type Each<'a> = &'a mut dyn FnMut(&Head, usize, Unit) -> Outcome;

/// Reads a plan, and calls `each` with the requested units after the whole text was checked.
///
/// # Errors
/// When it is not a plan, or has no such unit; the error of `each`.
pub(crate) fn read(path: &Path, which: Which, each: Each<'_>) -> Outcome {
    let mut read = |which| {
        let file = File::open(path).map_err(|error| Error::of_file("read", path, &error))?;
        read_text(BufReader::with_capacity(1 << 18, file), path, which, each)
    };
    // No plan has this many units, so no unit is returned.
    let units = read(Some(usize::MAX))?;
    if let Some(number) = which.filter(|number| *number >= units) {
        let what = format_args!("`{}` has no unit {number}", path.display());
        let has = xlayout_words::counted(units, "unit");
        return Err(Error::usage(what).help(format_args!("it has {has}, which count from 0")));
    }
    read(which).map(drop)
}

/// Returns the number of units.
pub(crate) fn read_text(
    text: impl std::io::Read,
    path: &Path,
    which: Which,
    each: Each<'_>,
) -> Outcome<usize> {
    let wrong = |error: &dyn Display| {
        let what = format_args!("`{}` is no plan: {error}", path.display());
        Error::file(what).help_in(
            "write one with `Draft::write`",
            "make one with `xlayout reshard plan`",
        )
    };
    let not_read = |error: serde_json::Error| match error.classify() {
        Category::Io => Error::of_file("read", path, &error.into()),
        _ => wrong(&error),
    };
    let mut json = serde_json::Deserializer::from_reader(text);
    let head = Head::deserialize(&mut json).map_err(not_read)?;
    if head.xlayout_plan != VERSION {
        let found = head.xlayout_plan;
        return Err(wrong(&format_args!(
            "it is of version {found}, and this program reads version {VERSION}"
        )));
    }
    for number in 0..head.units {
        if which.is_none_or(|wanted| wanted == number) {
            let unit = Unit::deserialize(&mut json).map_err(not_read)?;
            each(&head, number, unit)?;
        } else {
            IgnoredAny::deserialize(&mut json).map_err(not_read)?;
        }
    }
    json.end().map_err(not_read)?;
    Ok(head.units)
}
