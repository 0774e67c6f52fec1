//! An object of a plan and the files that it is made of, ready to be written or compared.

use std::collections::{BTreeSet, HashMap};
use std::fs::File;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};

use serde_json::json;

use super::RunOptions;
use crate::copy::{Job, Means, Sources};
use crate::error::{Error, Outcome};
use crate::formats::{npy, safetensors};
use crate::plan::{Checked, Head, Object, Unit};
use crate::positioned;
use crate::source::{self, BYTES_ORIGIN_KEY, OFFSETS_KEY, ORIGIN_KEY, VERSION_KEY};
use crate::words::short;

/// The files that the pieces of an object are in.
pub(super) struct Files {
    open: HashMap<usize, (File, PathBuf)>,
    /// How many bytes were read.
    pub(super) read: AtomicU64,
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

/// An object, read from the plan and ready to be written or compared.
pub(super) struct Prepared {
    parts: Vec<Checked>,
    pub(super) header: Vec<u8>,
    pub(super) files: Files,
}

impl Prepared {
    pub(super) fn new(
        head: &Head,
        object: &Object<'_>,
        known: &mut BTreeSet<usize>,
    ) -> Outcome<Self> {
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

    pub(super) fn jobs(&self) -> Vec<(Option<&str>, Job<'_>)> {
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

    pub(super) fn means(&self, unit: &Unit<'_>, options: RunOptions) -> Means {
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
            let key = match safetensors::named(&part.part.layout) {
                Some(_) => ORIGIN_KEY,
                None => BYTES_ORIGIN_KEY,
            };
            offsets.insert(part.tensor.clone(), json!({ key: part.part.origin }));
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
