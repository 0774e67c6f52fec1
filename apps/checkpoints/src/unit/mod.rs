//! The work of a unit: its objects are written one after the other, or compared with the source.
//!
//! ```text
//! record = what a run of the same unit has written (a text in `.xlayout` of the destination)
//! for each object that is not in the record, or is not there:
//!     look whether the files of its pieces are those that were planned
//! for each of them, as many at once as there are threads:
//!     write it under another name: its header, then each part from its pieces
//!     on another thread, while the next objects are written, for all objects that wait:
//!         sync, rename, sync the folders
//!         record = record and their checksums; written now and then under another name, synced,
//!             renamed
//! the record is written
//! ```
//!
//! A killed run leaves unnamed files and complete objects. The next run continues after the
//! recorded objects.

mod claims;
mod origins;
mod prepare;
mod probe;
mod verify;

use std::collections::HashSet;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, mpsc};
use std::thread;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use crate::array::Array;
use crate::checksum::Summed;
use crate::copy::{Means, Sink, Sources, Step, in_parallel};
use crate::error::{Error, Outcome};
use crate::output::{OutputFile, Unfinished, finish_all};
use crate::pieces::Job;
use crate::plan::{Head, Object, Unit, Which, read};
use crate::stop::lock;
use crate::store::Store;

use prepare::{PlanFiles, Prepared};
pub use verify::{Difference, Verified, verify_units};

/// The most objects, and about how many bytes of them, that are finished together. This takes as
/// long as for one object.
const BATCH: u64 = 64;
const BATCH_BYTES: u64 = 64 << 20;

/// The least time between two writes of a record. It is written when objects are finished.
const RECORD_AFTER: Duration = Duration::from_millis(500);

/// The folder of the records, in the destination.
const RECORDS: &str = ".xlayout";

/// The resources of a unit.
fn of_unit<'a>(means: Means<'a>, unit: &Unit) -> Means<'a> {
    let planned = usize::try_from(unit.memory).unwrap_or(usize::MAX);
    Means {
        memory: means.memory.or(Some(planned)),
        ..means
    }
}

/// The report of a run of a unit.
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
    /// The bytes that it reads according to the plan.
    pub planned: u64,
    /// The bytes that it wrote, with headers.
    pub written: u64,
}

/// The record of the objects that a unit has written.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Record {
    /// The CRC-32 of the unit's text and of the plan's source files.
    plan_crc32: u32,
    objects: Vec<Written>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct Written {
    name: String,
    bytes: u64,
    crc32: u32,
}

/// Writes a file: its header, then the parts, each with the name of its tensor if it has one. The
/// file is then complete and does not have its final name yet: [`Unfinished::finish`]. Returns its
/// CRC-32, too.
///
/// # Errors
/// Those of reading and writing; nothing is left of the file then.
pub fn write_file(
    place: &OutputFile,
    (header, bytes): (&[u8], u64),
    jobs: &[Job],
    from: &dyn Sources,
    means: Means<'_>,
) -> Outcome<(Unfinished, u32)> {
    let file = place.create(bytes)?;
    let sink = Summed::new(&file);
    sink.write(header, 0)?;
    for job in jobs {
        in_tensor(job, job.run((from, &sink), means))?;
    }
    means.stop.check()?;
    let crc32 = sink.finish(bytes);
    Ok((file, crc32))
}

fn in_tensor(job: &Job, done: Outcome) -> Outcome {
    done.map_err(|error| match &job.tensor {
        Some(_) => error.note(format_args!("at tensor `{}`", job.name())),
        None => error,
    })
}

/// Runs a unit of a plan, or all of them one after the other.
///
/// # Errors
/// When the plan does not fit its files; those of reading and writing.
pub fn run_units(plan: &Path, which: Which, means: Means<'_>) -> Outcome<Vec<UnitReport>> {
    let mut reports = Vec::new();
    read(plan, which, &mut |head, number, unit| {
        reports.push(run(head, number, &unit, of_unit(means, &unit))?);
        Ok(())
    })?;
    Ok(reports)
}

fn run(head: &Head, number: usize, unit: &Unit, means: Means<'_>) -> Outcome<UnitReport> {
    unit.check_names(head)?;
    let store = Store::new(&head.destination)?;
    let mut record = Record::read(&store, head, number, unit)?;
    let mut before = HashSet::new();
    for Written { name, bytes, .. } in &record.objects {
        if (store.find(name)?).is_some_and(|found| found.length == *bytes) {
            before.insert(name.clone());
        }
    }
    record.objects.retain(|done| before.contains(&done.name));
    (means.progress)(Step::Begin(unit.written));
    let each = unit.written / (unit.objects.len() as u64).max(1);
    let batch_limit = (BATCH_BYTES / each.max(1)).min(BATCH) as usize;
    let record = Mutex::new((record, Instant::now()));
    let finish = |batch: Vec<(Unfinished, Written)>| -> Outcome {
        let (files, written): (Vec<_>, Vec<_>) = batch.into_iter().unzip();
        finish_all(files)?;
        let (record, last) = &mut *lock(&record);
        record.objects.extend(written);
        // The growing text is not written too often. A large object is recorded at once.
        if batch_limit == 0 || last.elapsed() > RECORD_AFTER {
            record.write(&store, number)?;
            *last = Instant::now();
        }
        Ok(())
    };
    let report = thread::scope(|scope| {
        // Objects are finished while the next ones are written.
        let (sender, receiver) = mpsc::sync_channel(batch_limit);
        let all = move || {
            while let Ok(first) = receiver.recv() {
                let more = receiver.try_iter().take(batch_limit);
                finish([first].into_iter().chain(more).collect())?;
            }
            Ok(())
        };
        let thread = thread::Builder::new().spawn_scoped(scope, all).ok();
        let next = |written| match &thread {
            // After an error there is no receiver. `join` returns the error.
            Some(_) => sender.send(written).map_err(|_| Error::default()),
            // If no thread can be started, this one does its work, too.
            None => finish(vec![written]),
        };
        let report = objects((head, unit, number), &store, means, &before, &next);
        drop(sender);
        // A complete object is finished, also if the next one fails.
        match thread.map(thread::ScopedJoinHandle::join) {
            None => report,
            Some(Ok(finished)) => finished.and(report),
            Some(Err(panic)) => std::panic::resume_unwind(panic),
        }
    });
    let (record, _) = &*lock(&record);
    let recorded = if record.objects.len() > before.len() || unit.objects.is_empty() {
        record.write(&store, number)
    } else {
        Ok(())
    };
    report.and_then(|report| recorded.map(|()| report))
}

/// Writes the objects that are not done, several at once if there are threads for them, and passes
/// them to `next`.
fn objects(
    (head, unit, number): (&Head, &Unit, usize),
    store: &Store,
    means: Means<'_>,
    before: &HashSet<String>,
    next: &(dyn Fn((Unfinished, Written)) -> Outcome + Sync),
) -> Outcome<UnitReport> {
    let files = PlanFiles::new(head)?;
    let (done, wanted): (Vec<_>, Vec<_>) =
        (unit.objects.iter()).partition(|object| before.contains(&object.name));
    (means.progress)(Step::Done(done.iter().map(|object| object.bytes).sum()));
    // Each object has its part of the memory and of the threads, if the layouts of all can be cut
    // so small.
    let mut at_once = means.threads.min(wanted.len()).max(1);
    let memory_limit = means.memory.map_or(usize::MAX, |memory| memory / at_once);
    // Nothing is written of a plan that does not fit its files.
    for object in &wanted {
        let mut jobs = Prepared::new(&files, object)?.jobs;
        // The memory of jobs of equal layouts is the same, and takes long to find.
        let stored = |piece: &Array| (piece.layout.clone(), piece.stored_bytes());
        let pieces = |job: &Job| job.pieces.iter().map(stored).collect::<Vec<_>>();
        jobs.dedup_by_key(|job| (job.layout.clone(), pieces(job)));
        if jobs
            .iter()
            .any(|job| job.memory(memory_limit) > memory_limit as u64)
        {
            at_once = 1;
        }
    }
    let share = Means {
        threads: means.threads / at_once,
        memory: means.memory.map(|memory| memory / at_once),
        ..means
    };
    // Abandoned files of a folder are removed only once, because a remote file system may be slow.
    let folders = Mutex::new(HashSet::new());
    let written = AtomicU64::new(0);
    let object = |(): &mut (), k: usize| {
        let object: &Object = wanted[k];
        means.stop.check()?;
        let prepared = Prepared::new(&files, object)?;
        let place = store.output(&object.name)?;
        if lock(&folders).insert(object.name.rsplit_once('/').map(|(folder, _)| folder)) {
            place.remove_abandoned();
        }
        let bytes = prepared.bytes(object);
        let header = (&prepared.header[..], bytes);
        let (file, crc32) = write_file(&place, header, &prepared.jobs, &files, share)?;
        written.fetch_add(bytes, Ordering::Relaxed);
        let name = object.name.clone();
        next((file, Written { name, bytes, crc32 }))
    };
    in_parallel(at_once, wanted.len(), || (), object)?;
    Ok(UnitReport {
        unit: number,
        objects: wanted.len(),
        done_before: done.len(),
        read: files.read.load(Ordering::Relaxed),
        planned: unit.read,
        written: written.into_inner(),
    })
}

impl Record {
    fn name(number: usize) -> String {
        format!("{RECORDS}/unit-{number:05}.json")
    }

    /// Reads the record of this unit; an empty one if the record belongs to another plan.
    fn read(store: &Store, head: &Head, number: usize, unit: &Unit) -> Outcome<Self> {
        let identity = serde_json::to_vec(&(&head.files, head.devices, head.format, unit));
        let wrong = |error| Error::file(format_args!("cannot read the plan: {error}"));
        let plan_crc32 = crc32fast::hash(&identity.map_err(wrong)?);
        let mut objects = Vec::new();
        if let Some(open) = store.find(&Self::name(number))? {
            let text = open.bytes(0, open.length)?;
            // A damaged record is ignored: the unit is done again.
            let found: Option<Self> = serde_json::from_slice(&text).ok();
            let own = found.filter(|found| found.plan_crc32 == plan_crc32);
            objects = own.map_or(objects, |own| own.objects);
        }
        Ok(Self {
            plan_crc32,
            objects,
        })
    }

    fn write(&self, store: &Store, number: usize) -> Outcome {
        let name = Self::name(number);
        let wrong = |error| Error::file(format_args!("cannot write `{name}`: {error}"));
        let text = serde_json::to_vec(self).map_err(wrong)?;
        let place = store.output(&name)?;
        let file = place.create(text.len() as u64)?;
        file.write(&text, 0)?;
        file.finish()
    }
}
