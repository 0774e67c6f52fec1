//! A plan: for each unit of work the byte ranges that it reads, and the files that it writes whole.
//!
//! The text is one JSON object, whose head is one line and each unit another one, so that one unit is read in little
//! memory (here lines are broken):
//!
//! ```text
//! {"xlayout_plan":1,"source":FOLDER,"destination":FOLDER,"format":"safetensors","devices":16,"metadata":[[KEY,VALUE],…],
//!  "files":[{"name":…,"bytes":…,"header":BYTES,"crc32":OF THE HEADER},…],"units":[
//! {"memory":BYTES,"read":BYTES,"written":BYTES,"objects":[
//!   {"name":FILE,"bytes":WITHOUT ITS HEADER,"parts":[
//!     {"tensor":NAME,"layout":OF THE PART,"origin":INDEX OF ITS FIRST ELEMENT,"at":BEHIND THE HEADER,
//!      "pieces":[{"file":NUMBER,"at":BYTE,"layout":…,"origin":…,
//!        "encoded":[BYTES IN THE FILE,[HOW,…]]},…],
//!      "reads":[[FILE,FIRST BYTE,BYTES OF A RUN,RUNS,FROM ONE RUN TO THE NEXT],…]},…]},…]},
//! …
//! ]}
//! ```

mod check;
mod make;
mod place;
mod summary;
mod template;
mod write;

use std::borrow::Cow;
use std::fmt::Display;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};

use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};

use crate::array::Encoding;
use crate::checkpoint::{Kind, SourceFile};
use crate::error::{Error, Outcome};

pub use make::{Draft, PlanOptions};
pub use summary::Summary;

pub(crate) use check::damaged;

/// The version of the text.
const VERSION: u32 = 1;

/// The end of the first line.
const UNITS: &str = ",\"units\":[";

/// What all units share.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Head {
    xlayout_plan: u32,
    pub(crate) source: PathBuf,
    pub(crate) destination: PathBuf,
    /// What is written.
    pub(crate) format: Kind,
    /// Between how many devices the tensors are divided.
    pub(crate) devices: u64,
    /// Of a safetensors file.
    pub(crate) metadata: Vec<(String, String)>,
    pub(crate) files: Vec<SourceFile>,
}

/// A unit of work. No other one writes its objects.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Unit<'a> {
    /// The bytes of its buffers.
    pub(crate) memory: u64,
    pub(crate) read: u64,
    pub(crate) written: u64,
    pub(crate) objects: Vec<Object<'a>>,
}

/// A file that is written.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Object<'a> {
    pub(crate) name: Cow<'a, str>,
    /// Without the header.
    pub(crate) bytes: u64,
    /// All of a file that has no tensors: an index.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) text: Option<Cow<'a, str>>,
    pub(crate) parts: Vec<ObjectPart<'a>>,
}

/// A part of a tensor in a file.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ObjectPart<'a> {
    pub(crate) tensor: Cow<'a, str>,
    pub(crate) layout: Cow<'a, str>,
    pub(crate) origin: Cow<'a, [usize]>,
    /// Behind the header.
    pub(crate) at: u64,
    pub(crate) pieces: Vec<PlannedPiece<'a>>,
    /// File, first byte, bytes of a run, number of runs, from one run to the next.
    pub(crate) reads: Vec<[u64; 5]>,
}

/// What a file of the source has of a tensor.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct PlannedPiece<'a> {
    pub(crate) file: u32,
    pub(crate) at: u64,
    pub(crate) layout: Cow<'a, str>,
    pub(crate) origin: Cow<'a, [usize]>,
    /// The bytes of a number that is stored most significant byte first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) swap: Option<usize>,
    /// The bytes in the file and how they become elements, if they are not the same.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) encoded: Option<Cow<'a, (u64, Vec<Encoding>)>>,
}

/// Which units of a plan are wanted: all, or the one with this number.
pub(crate) type Which = Option<usize>;

/// What is done with each of them.
pub(crate) type Each<'a> = &'a mut dyn FnMut(&Head, usize, Unit<'static>) -> Outcome;

/// Reads a plan, and calls `each` with the units that are wanted, after all of the text was found to be a plan.
/// Answers how many units there are.
///
/// # Errors
/// When it is no plan, or has no such unit; that of `each`.
pub(crate) fn read(path: &Path, which: Which, each: Each<'_>) -> Outcome<usize> {
    let open = || {
        let file = File::open(path).map_err(|error| Error::of_file("read", path, &error))?;
        Ok(BufReader::with_capacity(1 << 18, file))
    };
    let mut found = None;
    // No plan has as many units as the largest number.
    let wanted = which.or(Some(usize::MAX));
    let units = read_text(open()?, path, wanted, &mut |head, _, unit| {
        found = Some((head.clone(), unit));
        Ok(())
    })?;
    match (which, found) {
        (None, _) => read_text(open()?, path, None, each),
        (Some(number), Some((head, unit))) => each(&head, number, unit).map(|()| units),
        (Some(number), None) => {
            let what = format_args!("`{}` has no unit {number}", path.display());
            let has = crate::words::counted(units, "unit");
            Err(Error::usage(what).help(format_args!("it has {has}, which count from 0")))
        }
    }
}

pub(crate) fn read_text(
    text: impl BufRead,
    path: &Path,
    which: Which,
    each: Each<'_>,
) -> Outcome<usize> {
    let wrong = |what: &dyn Display| {
        let what = format_args!("`{}` is no plan: {what}", path.display());
        Error::file(what).help("make one with `xlayout reshard plan`")
    };
    let mut lines = text.lines();
    let mut next = || match lines.next() {
        Some(line) => line.map_err(|error| wrong(&error)),
        None => Err(wrong(&"it ends too early")),
    };
    let line = next()?;
    let head = line
        .strip_suffix(UNITS)
        .ok_or_else(|| wrong(&" line does not end with its `units`"))?;
    let head: Head = serde_json::from_str(&format!("{head}}}")).map_err(|error| wrong(&error))?;
    if head.xlayout_plan != VERSION {
        let found = head.xlayout_plan;
        return Err(wrong(&format_args!(
            "it is of version {found}, and this program reads version {VERSION}"
        )));
    }
    for number in 0.. {
        let line = next()?;
        let unit = line.strip_suffix(',').unwrap_or(&line);
        let place = |error| wrong(&format_args!("unit {number}: {error}"));
        match which.is_none_or(|wanted| wanted == number) {
            true => each(&head, number, serde_json::from_str(unit).map_err(place)?)?,
            false => serde_json::from_str(unit)
                .map(|IgnoredAny| ())
                .map_err(place)?,
        }
        if unit.len() == line.len() {
            return match next()? == "]}" && lines.next().is_none() {
                true => Ok(number + 1),
                false => Err(wrong(&"something follows the units")),
            };
        }
    }
    unreachable!("a text has an end")
}
