//! A plan: for each unit of work the byte ranges that it reads, and the files that it writes whole.
//!
//! The text is one JSON object. Each unit is one line, so that a unit is read with little memory:
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

use std::fmt;
use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};

use serde::de::{
    DeserializeSeed, Deserializer, Error as _, IgnoredAny, MapAccess, SeqAccess, Visitor,
};
use serde::{Deserialize, Serialize};

use crate::checkpoint::{Kind, SourceFile};
use crate::error::{Error, Outcome};
use crate::pieces::Job;

pub use make::{Draft, PlanOptions};
pub use summary::Summary;

pub(crate) use check::damaged;

/// The version of the text.
const VERSION: u32 = 1;

/// The data that all units share.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Head {
    xlayout_plan: u32,
    pub(crate) source: PathBuf,
    pub(crate) destination: PathBuf,
    /// The format that is written.
    pub(crate) format: Kind,
    /// The number of devices between which the tensors are divided.
    pub(crate) devices: u64,
    /// The metadata of a safetensors file.
    pub(crate) metadata: Vec<(String, String)>,
    pub(crate) files: Vec<SourceFile>,
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
        let has = crate::words::counted(units, "unit");
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
    let mut json = serde_json::Deserializer::from_reader(text);
    let mut plan = Plan {
        which,
        each,
        head: None,
        failed: None,
    };
    let read = json.deserialize_map(&mut plan);
    let read = read.and_then(|units| json.end().map(|()| units));
    read.map_err(|error| {
        plan.failed.unwrap_or_else(|| {
            let what = format_args!("`{}` is no plan: {error}", path.display());
            Error::file(what).help("make one with `xlayout reshard plan`")
        })
    })
}

/// Reads the text: only the head, or with a head, the units.
struct Plan<'e> {
    which: Which,
    each: Each<'e>,
    head: Option<Head>,
    failed: Option<Error>,
}

impl<'de> DeserializeSeed<'de> for &mut Plan<'_> {
    type Value = usize;

    fn deserialize<D: Deserializer<'de>>(self, json: D) -> Result<usize, D::Error> {
        json.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for &mut Plan<'_> {
    type Value = usize;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.head {
            None => "a plan of `xlayout reshard`",
            Some(_) => "a list of units",
        })
    }

    /// The head is before the units.
    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<usize, A::Error> {
        let mut fields = serde_json::Map::new();
        while let Some(key) = map.next_key::<String>()? {
            if key != "units" {
                fields.insert(key, map.next_value()?);
                continue;
            }
            if !fields.contains_key("xlayout_plan") {
                return Err(A::Error::custom("it does not begin with `xlayout_plan`"));
            }
            let head: Head = serde_json::from_value(fields.into()).map_err(A::Error::custom)?;
            if head.xlayout_plan != VERSION {
                let found = head.xlayout_plan;
                return Err(A::Error::custom(format_args!(
                    "it is of version {found}, and this program reads version {VERSION}"
                )));
            }
            self.head = Some(head);
            let units = map.next_value_seed(self)?;
            return match map.next_key::<String>()? {
                None => Ok(units),
                Some(_) => Err(A::Error::custom("something follows the units")),
            };
        }
        Err(A::Error::custom("it has no `units`"))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut units: A) -> Result<usize, A::Error> {
        let Some(head) = &self.head else {
            unreachable!("the units are read behind the head");
        };
        for number in 0.. {
            if self.which.is_some_and(|wanted| wanted != number) {
                if units.next_element::<IgnoredAny>()?.is_none() {
                    return Ok(number);
                }
                continue;
            }
            let Some(unit) = units.next_element()? else {
                return Ok(number);
            };
            if let Err(error) = (self.each)(head, number, unit) {
                self.failed = Some(error);
                return Err(A::Error::custom("the work failed"));
            }
        }
        unreachable!("a text has an end")
    }
}
