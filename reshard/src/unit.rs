//! The work of a unit: its objects are written one after the other, or compared with the source.
//!
//! ```text
//! record = what a run of the same unit has written (a text in `.xlayout` of the destination)
//! for each object that is not in the record, or is not there:
//!     look whether the files of its pieces are those that were planned
//!     write it under another name: its header, then each part from its pieces
//!     sync, rename, sync the folder
//!     record = record and its checksum; written under another name, synced, renamed
//! ```
//!
//! A run that is killed leaves files without a name and whole objects; the next one goes on behind them.

use std::collections::{BTreeSet, HashMap};
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use serde::{Deserialize, Serialize};
use serde_json::json;
use xlayout::ArrayLayout;

use crate::array::Part;
use crate::checksum::Summed;
use crate::copy::{Job, Means, Sink, Sources};
use crate::error::{Error, Outcome};
use crate::formats::{npy, safetensors};
use crate::output::OutputFile;
use crate::plan::{Checked, Head, Object, Unit, Which, read};
use crate::positioned;
use crate::source::{self, OFFSETS_KEY, Offsets, VERSION_KEY};
use crate::stop::Stop;
use crate::words::short;

/// The folder of the records, in the destination.
const RECORDS: &str = ".xlayout";

/// What a unit may use.
#[derive(Clone, Copy, Debug)]
pub struct RunOptions {
    /// How many threads; they share the memory.
    pub threads: usize,
    /// The bytes of all buffers, in place of those that the plan gives the unit.
    pub memory: Option<usize>,
}

/// What a run did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct UnitReport {
    /// The number of the unit.
    pub unit: usize,
    /// The files that it wrote.
    pub objects: usize,
    /// The files that an earlier run had written.
    pub done_before: usize,
    /// The bytes of elements that it read.
    pub read: u64,
    /// The bytes that the plan says.
    pub planned: u64,
    /// The bytes that it wrote, with headers.
    pub written: u64,
}

/// A place where the destination is not what the source is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Difference {
    /// The file of the destination.
    pub object: String,
    /// What is different, in words.
    pub what: String,
}

/// What is told of the work: how many bytes of elements there are, and each number of them that is done.
pub type Progress<'a> = &'a (dyn Fn(Step) + Sync);

/// A step of the work.
#[derive(Clone, Copy, Debug)]
pub enum Step {
    /// These bytes are to be done, of one unit.
    Begin(u64),
    /// These bytes are done.
    Done(u64),
}

/// What a run of a unit has written.
#[derive(Debug, Serialize, Deserialize)]
struct Record {
    /// Of the unit's text and of the files that the plan was made for.
    plan_crc32: u32,
    objects: Vec<Written>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct Written {
    name: String,
    bytes: u64,
    crc32: u32,
}

/// The files that the pieces of an object are in.
struct Files {
    open: HashMap<usize, (File, PathBuf)>,
    read: AtomicU64,
}

impl Sources for Files {
    fn read(&self, file: usize, bytes: &mut [u8], at: u64) -> Outcome {
        let Some((file, path)) = self.open.get(&file) else {
            unreachable!("the files of all pieces are open")
        };
        self.read.fetch_add(bytes.len() as u64, Ordering::Relaxed);
        positioned::read(file, bytes, at).map_err(|error| Error::of_file("read", path, &error))
    }

    fn soon(&self, file: usize, at: u64, bytes: usize) {
        if let Some((file, _)) = self.open.get(&file) {
            positioned::soon(file, at, bytes);
        }
    }
}

impl Files {
    /// Opens the files of some pieces; `known` are those that were looked at before.
    fn open(head: &Head, parts: &[Checked], known: &mut BTreeSet<usize>) -> Outcome<Self> {
        let mut open = HashMap::new();
        let pieces = parts
            .iter()
            .flat_map(|part| part.pieces.iter().map(move |piece| (part, piece)));
        for (part, piece) in pieces {
            let number = piece.file;
            if open.contains_key(&number) {
                continue;
            }
            let planned = &head.files[number];
            let path = head.source.join(&planned.name);
            let tensor = format!("tensor `{}` is in it", short(&part.tensor));
            let failed = |error| Error::of_file("read", &path, &error).note(&tensor);
            let file = File::open(&path).map_err(failed)?;
            if known.insert(number) {
                let bytes = file.metadata().map_err(failed)?.len();
                let what = if bytes != planned.bytes {
                    Some(format!("it has {bytes} bytes, and had {}", planned.bytes))
                } else {
                    let found = source::header_crc32(&file, &path, planned.header.min(bytes))?;
                    (found != planned.crc32).then(|| "its header is another one".to_owned())
                };
                if let Some(what) = what {
                    let path = path.display();
                    return Err(Error::file(format_args!(
                        "`{path}` is not the file that was planned: {what}"
                    ))
                    .note(tensor)
                    .help("make the plan again"));
                }
            }
            open.insert(number, (file, path));
        }
        Ok(Self {
            open,
            read: AtomicU64::new(0),
        })
    }
}

/// Writes a file: its header, then the parts, each with the name of its tensor if it has one.
///
/// # Errors
/// Those of reading and writing; nothing is left under the name of the file then.
pub fn write_file(
    place: &OutputFile,
    (header, bytes): (&[u8], u64),
    jobs: &[(Option<&str>, Job<'_>)],
    from: &dyn Sources,
    (means, stop): (Means, &Stop),
    done: &(dyn Fn(usize) + Sync),
) -> Outcome<u32> {
    let file = place.create(bytes)?;
    let sink = Summed::new(&file);
    sink.write(header, 0)?;
    for (tensor, job) in jobs {
        job.run((from, &sink), means, stop, done)
            .map_err(|error| in_tensor(error, *tensor))?;
    }
    stop.check()?;
    let crc32 = sink.finish(bytes);
    file.finish()?;
    Ok(crc32)
}

fn in_tensor(error: Error, tensor: Option<&str>) -> Error {
    match tensor {
        Some(tensor) => error.note(format_args!("at tensor `{}`", short(tensor))),
        None => error,
    }
}

/// Runs a unit of a plan, or all of them one after the other.
///
/// # Errors
/// When the plan does not fit its files; those of reading and writing.
pub fn run_units(
    plan: &Path,
    which: Which,
    options: RunOptions,
    stop: &Stop,
    progress: Progress<'_>,
) -> Outcome<Vec<UnitReport>> {
    let mut reports = Vec::new();
    read(plan, which, &mut |head, number, unit| {
        reports.push(run(head, number, &unit, options, stop, progress)?);
        Ok(())
    })?;
    Ok(reports)
}

fn run(
    head: &Head,
    number: usize,
    unit: &Unit<'_>,
    options: RunOptions,
    stop: &Stop,
    progress: Progress<'_>,
) -> Outcome<UnitReport> {
    unit.check_names()?;
    let records = head.destination.join(RECORDS);
    for folder in [&head.destination, &records] {
        match fs::create_dir(folder) {
            Err(error) if error.kind() != std::io::ErrorKind::AlreadyExists => {
                return Err(Error::of_file("make", folder, &error));
            }
            _ => {}
        }
    }
    let mut record = Record::read(head, number, unit)?;
    record.objects.retain(|object| {
        fs::metadata(head.destination.join(&object.name))
            .is_ok_and(|found| found.is_file() && found.len() == object.bytes)
    });
    let mut report = UnitReport {
        unit: number,
        planned: unit.read,
        ..UnitReport::default()
    };
    progress(Step::Begin(unit.written));
    let mut known = BTreeSet::new();
    for object in &unit.objects {
        stop.check()?;
        if record.objects.iter().any(|done| done.name == object.name) {
            report.done_before += 1;
            progress(Step::Done(object.bytes));
            continue;
        }
        let prepared = Prepared::new(head, object, &mut known)?;
        let path = head.destination.join(&*object.name);
        let place = OutputFile::new(&path, true)?;
        place.remove_abandoned();
        let bytes = prepared.header.len() as u64
            + if object.text.is_some() {
                0
            } else {
                object.bytes
            };
        let crc32 = write_file(
            &place,
            (&prepared.header, bytes),
            &prepared.jobs(),
            &prepared.files,
            (prepared.means(unit, options), stop),
            &|bytes| progress(Step::Done(bytes as u64)),
        )?;
        report.objects += 1;
        report.read += prepared.files.read.into_inner();
        report.written += bytes;
        record.objects.push(Written {
            name: object.name.to_string(),
            bytes,
            crc32,
        });
        record.write(head, number)?;
    }
    if unit.objects.is_empty() {
        record.write(head, number)?;
    }
    Ok(report)
}

/// An object, read from the plan and ready to be written or compared.
struct Prepared {
    parts: Vec<Checked>,
    header: Vec<u8>,
    files: Files,
}

impl Prepared {
    fn new(head: &Head, object: &Object<'_>, known: &mut BTreeSet<usize>) -> Outcome<Self> {
        let mut parts = object.check(head)?;
        let header = header(head, object, &parts)?;
        for part in &mut parts {
            part.part.offset += header.len() as u64;
        }
        Ok(Self {
            files: Files::open(head, &parts, known)?,
            parts,
            header,
        })
    }

    fn jobs(&self) -> Vec<(Option<&str>, Job<'_>)> {
        let job = |checked| {
            let Checked {
                tensor,
                pieces,
                part,
            }: &Checked = checked;
            (Some(tensor.as_str()), Job { pieces, part })
        };
        self.parts.iter().map(job).collect()
    }

    fn means(&self, unit: &Unit<'_>, options: RunOptions) -> Means {
        Means {
            threads: options.threads,
            memory: (options.memory)
                .unwrap_or_else(|| usize::try_from(unit.memory).unwrap_or(usize::MAX)),
        }
    }
}

/// What comes before the elements; all of an object that is a text.
fn header(head: &Head, object: &Object<'_>, parts: &[Checked]) -> Outcome<Vec<u8>> {
    if let Some(text) = &object.text {
        return Ok(text.as_bytes().to_vec());
    }
    if head.npy {
        let header = match parts {
            [only] => npy::header(&only.part.layout),
            _ => None,
        };
        let what = format!(
            "the plan is damaged: `{}` is no `.npy` file",
            short(&object.name)
        );
        return header.ok_or_else(|| Error::file(what).help("make the plan again"));
    }
    let mut metadata = head.metadata.clone();
    if head.devices > 1 {
        let mut offsets = serde_json::Map::new();
        for part in parts {
            let saved_offsets = part.part.origin.clone();
            offsets.insert(part.tensor.clone(), json!(Offsets { saved_offsets }));
        }
        let text = serde_json::Value::Object(offsets).to_string();
        metadata.extend([
            (OFFSETS_KEY.to_owned(), text),
            (VERSION_KEY.to_owned(), "1.0".to_owned()),
        ]);
    }
    let tensors: Vec<_> = parts
        .iter()
        .map(|part| (part.tensor.as_str(), &part.part.layout))
        .collect();
    Ok(safetensors::header(&tensors, &metadata))
}

impl Record {
    fn path(head: &Head, number: usize) -> PathBuf {
        head.destination
            .join(RECORDS)
            .join(format!("unit-{number:05}.json"))
    }

    /// What was recorded of this unit; nothing if it was another plan's.
    fn read(head: &Head, number: usize, unit: &Unit<'_>) -> Outcome<Self> {
        let identity = serde_json::to_vec(&(&head.files, head.devices, head.npy, unit));
        let identity =
            identity.map_err(|error| Error::file(format_args!("cannot read the plan: {error}")))?;
        let plan_crc32 = crc32fast::hash(&identity);
        let none = Self {
            plan_crc32,
            objects: Vec::new(),
        };
        let path = Self::path(head, number);
        let text = match fs::read(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(none),
            Err(error) => return Err(Error::of_file("read", &path, &error)),
        };
        // What is damaged records nothing: the unit is done again.
        let found = serde_json::from_slice(&text).ok();
        Ok(found
            .filter(|found: &Self| found.plan_crc32 == plan_crc32)
            .unwrap_or(none))
    }

    fn write(&self, head: &Head, number: usize) -> Outcome {
        let path = Self::path(head, number);
        let text = serde_json::to_vec(self).map_err(|error| {
            Error::file(format_args!("cannot write `{}`: {error}", path.display()))
        })?;
        let place = OutputFile::new(&path, true)?;
        let file = place.create(text.len() as u64)?;
        file.write(&text, 0)?;
        file.finish()
    }
}

/// Compares the destination with the source, element by element, or with the checksums that were recorded when it
/// was written; answers where they differ.
///
/// # Errors
/// When the plan does not fit its files; those of reading; when a unit is not done.
pub fn verify_units(
    plan: &Path,
    which: Which,
    (options, checksums): (RunOptions, bool),
    stop: &Stop,
    progress: Progress<'_>,
) -> Outcome<Vec<Difference>> {
    let mut found = Vec::new();
    read(plan, which, &mut |head, number, unit| {
        unit.check_names()?;
        progress(Step::Begin(unit.written));
        let record = match checksums {
            true => Some(Record::read(head, number, &unit)?),
            false => None,
        };
        let mut known = BTreeSet::new();
        for object in &unit.objects {
            stop.check()?;
            let path = head.destination.join(&*object.name);
            let file = match File::open(&path) {
                Ok(file) => file,
                Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                    found.push(different(object, "it is not there".to_owned()));
                    continue;
                }
                Err(error) => return Err(Error::of_file("read", &path, &error)),
            };
            let what = match &record {
                Some(record) => of_checksum(record, object, (&file, &path), stop)?,
                None => {
                    let prepared = Prepared::new(head, object, &mut known)?;
                    of_elements(&prepared, (object, &unit), (&file, &path), options, stop)?
                }
            };
            found.extend(what.map(|what| different(object, what)));
            progress(Step::Done(object.bytes));
        }
        Ok(())
    })?;
    Ok(found)
}

fn different(object: &Object<'_>, what: String) -> Difference {
    Difference {
        object: object.name.to_string(),
        what,
    }
}

fn of_checksum(
    record: &Record,
    object: &Object<'_>,
    (file, path): (&File, &Path),
    stop: &Stop,
) -> Outcome<Option<String>> {
    let Some(written) = record.objects.iter().find(|done| done.name == object.name) else {
        return Ok(Some(
            "no run of this plan has recorded a checksum of it".to_owned(),
        ));
    };
    let bytes = file
        .metadata()
        .map_err(|error| Error::of_file("read", path, &error))?
        .len();
    if bytes != written.bytes {
        return Ok(Some(format!(
            "it has {bytes} bytes, and {} were written",
            written.bytes
        )));
    }
    stop.check()?;
    let found = source::header_crc32(file, path, bytes)?;
    Ok((found != written.crc32).then(|| {
        format!(
            "its CRC-32 is {found:08x}, and {:08x} was written",
            written.crc32
        )
    }))
}

/// A sink that compares what it gets with a file.
struct Compared<'a> {
    file: &'a File,
    path: &'a Path,
    /// The first byte that differs.
    first: Mutex<Option<u64>>,
}

impl Sink for Compared<'_> {
    fn write(&self, bytes: &[u8], at: u64) -> Outcome {
        let mut found = vec![0; bytes.len().min(1 << 20)];
        for (k, part) in bytes.chunks(1 << 20).enumerate() {
            let at = at + ((k as u64) << 20);
            let found = &mut found[..part.len()];
            positioned::read(self.file, found, at)
                .map_err(|error| Error::of_file("read", self.path, &error))?;
            if let Some(byte) = part.iter().zip(found).position(|(a, b)| *a != *b) {
                let mut first = self
                    .first
                    .lock()
                    .unwrap_or_else(|poison| poison.into_inner());
                let at = at + byte as u64;
                *first = Some(first.map_or(at, |first| first.min(at)));
                break;
            }
        }
        Ok(())
    }
}

fn of_elements(
    prepared: &Prepared,
    (object, unit): (&Object<'_>, &Unit<'_>),
    (file, path): (&File, &Path),
    options: RunOptions,
    stop: &Stop,
) -> Outcome<Option<String>> {
    let text = object.text.is_some();
    let bytes = prepared.header.len() as u64 + if text { 0 } else { object.bytes };
    let has = file
        .metadata()
        .map_err(|error| Error::of_file("read", path, &error))?
        .len();
    if has != bytes {
        return Ok(Some(format!(
            "it has {has} bytes, and {bytes} were planned"
        )));
    }
    let compared = Compared {
        file,
        path,
        first: Mutex::default(),
    };
    let first = || {
        *compared
            .first
            .lock()
            .unwrap_or_else(|poison| poison.into_inner())
    };
    compared.write(&prepared.header, 0)?;
    if let Some(at) = first() {
        return Ok(Some(format!("byte {at}, in its header, is another one")));
    }
    for (tensor, job) in prepared.jobs() {
        job.run(
            (&prepared.files, &compared),
            prepared.means(unit, options),
            stop,
            &|_| {},
        )
        .map_err(|error| in_tensor(error, tensor))?;
        if let Some(at) = first() {
            let tensor = short(tensor.unwrap_or_default());
            return Ok(Some(format!(
                "tensor `{tensor}`: {}",
                element_at(job.part, at)
            )));
        }
    }
    Ok(None)
}

/// Which element of a part has a byte of its file.
fn element_at(part: &Part, at: u64) -> String {
    let bit = u128::from(at - part.offset) * 8;
    let place = (bit / part.layout.element_bits().max(1) as u128) as usize;
    match part.layout.multi_index(place) {
        Some(index) => {
            let index = index.iter().zip(&part.origin).map(|(k, origin)| k + origin);
            let index: Vec<String> = index.map(|k| k.to_string()).collect();
            format!("the element [{}] is another one", index.join(","))
        }
        None => format!("byte {at}, in its padding, is not zero"),
    }
}
