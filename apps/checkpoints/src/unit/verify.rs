//! Compares the output of units with the source, or with the checksums that were recorded.
//!
//! ```text
//! for each file that was written, and each part in it:
//!     the files of the source say themselves what the plan says of its pieces (`claims`)
//!     some elements are where the definition of both layouts says (`probe`)
//!     all bytes are those that a run would write: the header, the elements, the padding
//! ```

use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use serde::Serialize;
use xlayout::ArrayLayout;

use super::claims::Claims;
use super::prepare::{PlanFiles, Prepared};
use super::probe::probe;
use super::{Record, in_tensor, of_unit};
use crate::array;
use crate::copy::{Means, Sink, Step};
use crate::error::Outcome;
use crate::pieces::Job;
use crate::plan::{Object, Which, read};
use crate::positioned::OpenFile;
use crate::store::Store;
use xlayout_words::joined;

/// A difference between the destination and the source.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Difference {
    /// The file of the destination.
    pub object: String,
    /// The description of the difference.
    pub what: String,
}

/// What a comparison has found.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Verified {
    /// The differences; none if each element is that of the source.
    pub differences: Vec<Difference>,
    /// What was taken as true because no file of the source says it, a sentence each.
    pub assumed: Vec<String>,
}

/// Compares the destination with the source, element by element, or with the checksums that were
/// recorded when it was written. Where the files of the source say what they have, the plan is not
/// believed: it is compared with them.
///
/// # Errors
/// When the plan does not fit its files; those of reading; when a unit is not done.
pub fn verify_units(
    plan: &Path,
    which: Which,
    means: Means<'_>,
    checksums: bool,
) -> Outcome<Verified> {
    let mut found = Verified::default();
    let mut claims = Claims::default();
    read(plan, which, &mut |head, number, unit| {
        unit.check_names(head)?;
        let store = Store::new(&head.destination)?;
        let files = PlanFiles::new(head)?;
        (means.progress)(Step::Begin(unit.written));
        let record = checksums.then(|| Record::read(&store, head, number, &unit));
        let record = record.transpose()?;
        for object in &unit.objects {
            means.stop.check()?;
            let what = match (store.find(&object.name)?, &record) {
                (None, _) => Some("it is not there".to_owned()),
                (Some(file), Some(record)) => of_checksum(record, object, &file)?,
                (Some(file), None) => {
                    let means = of_unit(means, &unit);
                    of_elements(object, &mut claims, (&files, &file), means)?
                }
            };
            (means.progress)(Step::Done(object.bytes));
            let object = object.name.clone();
            let difference = what.map(|what| Difference { object, what });
            found.differences.extend(difference);
        }
        found.assumed = claims.assumed(head);
        Ok(())
    })?;
    Ok(found)
}

fn of_checksum(record: &Record, object: &Object, file: &OpenFile) -> Outcome<Option<String>> {
    let Some(written) = record.objects.iter().find(|done| done.name == object.name) else {
        let none = "no run of this plan has recorded a checksum of it";
        return Ok(Some(none.to_owned()));
    };
    let has = file.length;
    let had = written.bytes;
    if has != had {
        return Ok(Some(format!("it has {has} bytes, and {had} were written")));
    }
    let found = file.crc32(has)?;
    let was = written.crc32;
    let what = || format!("its CRC-32 is {found:08x}, and {was:08x} was written");
    Ok((found != was).then(what))
}

/// A sink that compares its bytes with a file.
struct Compared<'a> {
    file: &'a OpenFile,
    /// The first byte that differs; `u64::MAX` if none does.
    first: AtomicU64,
}

impl Compared<'_> {
    fn first(&self) -> Option<u64> {
        let first = self.first.load(Ordering::Relaxed);
        (first < u64::MAX).then_some(first)
    }
}

impl Sink for Compared<'_> {
    fn write(&self, bytes: &[u8], mut at: u64) -> Outcome {
        let mut found = vec![0; bytes.len().min(1 << 20)];
        for part in bytes.chunks(1 << 20) {
            let found = &mut found[..part.len()];
            self.file.read(found, at)?;
            if let Some(byte) = part.iter().zip(found).position(|(a, b)| *a != *b) {
                self.first.fetch_min(at + byte as u64, Ordering::Relaxed);
                break;
            }
            at += part.len() as u64;
        }
        Ok(())
    }
}

fn of_elements(
    object: &Object,
    claims: &mut Claims,
    (files, file): (&PlanFiles<'_>, &OpenFile),
    means: Means<'_>,
) -> Outcome<Option<String>> {
    // Progress is reported when the whole object is compared.
    let means = Means {
        progress: &|_| {},
        ..means
    };
    let prepared = Prepared::new(files, object)?;
    let bytes = prepared.bytes(object);
    let has = file.length;
    if has != bytes {
        let what = format!("it has {has} bytes, and {bytes} were planned");
        return Ok(Some(what));
    }
    let compared = Compared {
        file,
        first: AtomicU64::new(u64::MAX),
    };
    compared.write(&prepared.header, 0)?;
    if let Some(at) = compared.first() {
        return Ok(Some(format!("byte {at}, in its header, is another one")));
    }
    for job in &prepared.jobs {
        let name = job.name();
        if let Some(what) = claims.check(files, job)? {
            return Ok(Some(format!("tensor `{name}`: {what}")));
        }
        if let Some(index) = probe(job, files, file)? {
            let what = is_another(&index);
            return Ok(Some(format!("tensor `{name}`: {what}")));
        }
        in_tensor(job, job.run((files, &compared), means))?;
        if let Some(at) = compared.first() {
            let what = element_at(job, at);
            return Ok(Some(format!("tensor `{name}`: {what}")));
        }
    }
    Ok(None)
}

fn is_another(index: &[usize]) -> String {
    format!("the element [{}] is another one", joined(index, ","))
}

/// Describes the element of a part at a byte of its file.
fn element_at(part: &Job, at: u64) -> String {
    let bit = u128::from(at - part.offset) * 8;
    let place = (bit / part.layout.element_bits().max(1) as u128) as usize;
    match part.layout.multi_index(place) {
        Some(index) => {
            let index = array::each(&index, &part.origin, |at, origin| at + origin);
            is_another(&index)
        }
        None => format!("byte {at}, in its padding, is not zero"),
    }
}
