//! Compares what units have written with the source, or with the checksums of then.

use std::path::Path;
use std::sync::Mutex;

use serde::Serialize;
use xlayout::ArrayLayout;

use super::prepare::{Files, Prepared};
use super::{Progress, Record, RunOptions, Step, in_tensor};
use crate::array::Part;
use crate::copy::Sink;
use crate::error::Outcome;
use crate::plan::{Object, Unit, Which, read};
use crate::positioned::OpenFile;
use crate::stop::Stop;
use crate::store::Store;
use crate::words::short;

/// A place where the destination is not what the source is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Difference {
    /// The file of the destination.
    pub object: String,
    /// What is different, in words.
    pub what: String,
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
        unit.check_names(head)?;
        let (store, files) = (Store::new(&head.destination)?, Files::new(head)?);
        progress(Step::Begin(unit.written));
        let record = match checksums {
            true => Some(Record::read(head, number, &unit)?),
            false => None,
        };
        for object in &unit.objects {
            stop.check()?;
            if store.length(&object.name)?.is_none() {
                found.push(different(object, "it is not there".to_owned()));
                continue;
            }
            let file = store.open(&object.name)?;
            let what = match &record {
                Some(record) => of_checksum(record, object, &file)?,
                None => of_elements((object, &unit), &files, &file, options, stop)?,
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

fn of_checksum(record: &Record, object: &Object<'_>, file: &OpenFile) -> Outcome<Option<String>> {
    let Some(written) = record.objects.iter().find(|done| done.name == object.name) else {
        return Ok(Some(
            "no run of this plan has recorded a checksum of it".to_owned(),
        ));
    };
    if file.length != written.bytes {
        return Ok(Some(format!(
            "it has {} bytes, and {} were written",
            file.length, written.bytes
        )));
    }
    let found = file.crc32(file.length)?;
    Ok((found != written.crc32).then(|| {
        format!(
            "its CRC-32 is {found:08x}, and {:08x} was written",
            written.crc32
        )
    }))
}

/// A sink that compares what it gets with a file.
struct Compared<'a> {
    file: &'a OpenFile,
    /// The first byte that differs.
    first: Mutex<Option<u64>>,
}

impl Sink for Compared<'_> {
    fn write(&self, bytes: &[u8], at: u64) -> Outcome {
        let mut found = vec![0; bytes.len().min(1 << 20)];
        for (k, part) in bytes.chunks(1 << 20).enumerate() {
            let at = at + ((k as u64) << 20);
            let found = &mut found[..part.len()];
            self.file.read(found, at)?;
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
    (object, unit): (&Object<'_>, &Unit<'_>),
    files: &Files<'_>,
    file: &OpenFile,
    options: RunOptions,
    stop: &Stop,
) -> Outcome<Option<String>> {
    let prepared = Prepared::new(files, object)?;
    let (bytes, has) = (prepared.bytes(object), file.length);
    if has != bytes {
        return Ok(Some(format!(
            "it has {has} bytes, and {bytes} were planned"
        )));
    }
    let compared = Compared {
        file,
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
            (files, &compared),
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
