//! Prepares an object of a plan and its source files for writing or comparing.

use std::collections::{HashMap, HashSet};
use std::fmt::Display;
use std::sync::atomic::AtomicU64;
use std::sync::{Arc, Mutex};

use serde_json::json;

use crate::array::Array;
use crate::checkpoint::Kind;
use crate::copy::Sources;
use crate::error::Outcome;
use crate::formats::{Format, safetensors};
use crate::pieces::Job;
use crate::plan::{Head, Object, damaged};
use crate::positioned::OpenFile;
use crate::source::{BYTES_ORIGIN_KEY, OFFSETS_KEY, ORIGIN_KEY, VERSION_KEY};
use crate::stop::lock;
use crate::store::Store;
use xlayout_words::short;

/// The most files that are open at once.
const MOST_OPEN: usize = 64;

/// The files of the source, for a unit.
pub(super) struct PlanFiles<'a> {
    pub(super) head: &'a Head,
    pub(super) store: Store,
    open: Mutex<HashMap<usize, Arc<OpenFile>>>,
    /// The files that were compared with the plan.
    known: Mutex<HashSet<usize>>,
    /// The number of bytes that were read.
    pub(super) read: Arc<AtomicU64>,
}

impl Sources for PlanFiles<'_> {
    /// Opens a file if it is not open. The first time, its length and header are compared with
    /// those of the plan.
    fn file(&self, number: usize) -> Outcome<Arc<OpenFile>> {
        let mut open = lock(&self.open);
        if let Some(file) = open.get(&number) {
            return Ok(Arc::clone(file));
        }
        let planned = &self.head.files[number];
        let mut file = self.store.open(&planned.name)?;
        file.read = Arc::clone(&self.read);
        if lock(&self.known).insert(number) {
            let wrong = |what: &dyn Display| {
                let what = format_args!("is not the file that was planned: {what}");
                Err(file.wrong(what).help("make the plan again"))
            };
            let has = file.length;
            let had = planned.bytes;
            if has != had {
                return wrong(&format_args!("it has {has} bytes, and had {had}"));
            }
            if file.crc32(planned.header.min(has))? != planned.crc32 {
                return wrong(&"its header is another one");
            }
        }
        if open.len() >= MOST_OPEN {
            open.clear();
        }
        let file = Arc::new(file);
        open.insert(number, Arc::clone(&file));
        Ok(file)
    }
}

impl<'a> PlanFiles<'a> {
    /// # Errors
    /// When the source is a URL that is not supported.
    pub(super) fn new(head: &'a Head) -> Outcome<Self> {
        Ok(Self {
            head,
            store: Store::new(&head.source)?,
            open: Mutex::default(),
            known: Mutex::default(),
            read: Arc::default(),
        })
    }
}

/// An object, read from the plan and ready to be written or compared.
pub(super) struct Prepared {
    pub(super) jobs: Vec<Job>,
    pub(super) header: Vec<u8>,
}

impl Prepared {
    /// # Errors
    /// When the plan is damaged, or a file differs from the plan.
    pub(super) fn new(files: &PlanFiles<'_>, object: &Object) -> Outcome<Self> {
        object.check(files.head)?;
        let header = header(files.head, object)?;
        let mut jobs = object.parts.clone();
        for job in &mut jobs {
            job.offset += header.len() as u64;
            // Of a chunk there is only the length to compare: that is done when it is read.
            let has_header = |piece: &&Array| files.head.files[piece.file].header > 0;
            for piece in job.pieces.iter().filter(has_header) {
                let name = job.name();
                let note = format_args!("tensor `{name}` is in it");
                files.file(piece.file).map_err(|error| error.note(note))?;
            }
        }
        Ok(Self { jobs, header })
    }

    /// The bytes of the file.
    pub(super) fn bytes(&self, object: &Object) -> u64 {
        let header = self.header.len() as u64;
        header + object.text.as_ref().map_or(object.bytes, |_| 0)
    }
}

/// The bytes before the elements, or the whole object if it is a text.
fn header(head: &Head, object: &Object) -> Outcome<Vec<u8>> {
    if let Some(text) = &object.text {
        return Ok(text.as_bytes().to_vec());
    }
    let wrong = || {
        damaged(format_args!(
            "`{}` cannot store its parts: a tensor of safetensors has a name, and any other \
             object has one array",
            short(&object.name)
        ))
    };
    let mut metadata = head.metadata.clone();
    if head.devices > 1 && head.format == Kind::Safetensors {
        let begin = |part: &Job| {
            let key = match safetensors::named(&part.layout) {
                Some(_) => ORIGIN_KEY,
                None => BYTES_ORIGIN_KEY,
            };
            Some((part.tensor.clone()?, json!({ key: part.origin })))
        };
        let begins: Option<serde_json::Map<_, _>> = object.parts.iter().map(begin).collect();
        let begins = begins.ok_or_else(wrong)?;
        metadata.extend([
            (OFFSETS_KEY.to_owned(), json!(begins).to_string()),
            (VERSION_KEY.to_owned(), "1.0".to_owned()),
        ]);
    }
    let format = match head.format {
        Kind::Safetensors => Format::Safetensors,
        Kind::Npy => Format::Npy,
        Kind::Zarr => Format::Raw,
    };
    format.header(&object.parts, &metadata).ok_or_else(wrong)
}
