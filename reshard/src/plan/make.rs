//! Makes a plan.
//!
//! ```text
//! for each tensor: where its pieces lie in it, the entry of the specification that is for it
//!     the parts that devices hold, each once: its layout, its bytes, the bytes that are read for it
//!     (tensors with the same pieces and the same entry share all that: a template)
//! for each device: its parts in the sequence of the source, cut into objects of about equal bytes,
//!     so many that every unit gets as many
//! for each object, the largest first: the unit that has least to do gets it
//! ```

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap, HashMap};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use xlayout::ArrayLayout;

use super::template::{self, Part, Template};
use super::{Head, VERSION};
use crate::array::Array;
use crate::checkpoint::{Kind, Source};
use crate::error::{Error, Outcome};
use crate::formats::zarr;
use crate::spec::Spec;
use crate::store::{self, Store};
use crate::words::{joined, short};

/// The numbers of a tensor and of its part.
pub(super) type Key = (u32, u32);

/// The options of a plan.
#[derive(Clone, Copy, Debug)]
pub struct PlanOptions {
    /// How many units of work.
    pub units: usize,
    /// About how many bytes a file has that is written, at most.
    pub object_bytes: u64,
    /// About how many bytes of buffers a unit may use, in bytes; never more than two of its objects if its layouts
    /// can be cut.
    pub memory: u64,
}

/// A plan that is not written yet.
#[derive(Debug)]
pub struct Draft {
    pub(super) head: Head,
    pub(super) tensors: Vec<Tensor>,
    pub(super) templates: Vec<Template>,
    pub(super) objects: Vec<DraftObject>,
    /// The objects of each unit.
    pub(super) units: Vec<Vec<usize>>,
    /// Files without tensors: their names and contents.
    pub(super) texts: Vec<(String, String)>,
    pub(super) options: PlanOptions,
    /// The number of tensors without an entry.
    pub(super) without_entry: usize,
}

#[derive(Debug)]
pub(super) struct Tensor {
    pub(super) name: String,
    pub(super) pieces: Vec<Array>,
    pub(super) template: usize,
}

#[derive(Debug)]
pub(super) struct DraftObject {
    pub(super) name: String,
    pub(super) parts: Vec<Key>,
    pub(super) bytes: u64,
    pub(super) read: u64,
}

impl Draft {
    /// Plans the copy of the tensors of one folder to another one.
    ///
    /// # Errors
    /// When the source or the specification is wrong, or they do not fit each other.
    pub fn new(from: &Path, to: &Path, spec: &Path, options: PlanOptions) -> Outcome<Self> {
        let real = |path: &Path| path.canonicalize().ok();
        if from == to || real(from).is_some_and(|from| Some(from) == real(to)) {
            let what = format_args!("`{}` is the folder that is read", to.display());
            let help = "name another one: a unit would replace files that another one reads";
            return Err(Error::usage(what).help(help));
        }
        let text =
            std::fs::read_to_string(spec).map_err(|error| Error::of_file("read", spec, &error))?;
        let spec = Spec::read(&text, spec)?;
        let source = Source::open(from, &spec)?;
        let absolute = |path: &Path| -> Outcome<PathBuf> {
            let failed = |error| Error::of_file("find", path, &error);
            let found = match store::url(path) {
                Some(_) => path.to_owned(),
                None => std::path::absolute(path).map_err(failed)?,
            };
            let what = format_args!("`{}` is not UTF-8, as a plan is", path.display());
            match found.to_str() {
                Some(_) => Ok(found),
                None => Err(Error::usage(what)),
            }
        };
        let head = Head {
            xlayout_plan: VERSION,
            units: options.units.max(1),
            source: absolute(from)?,
            destination: absolute(to)?,
            format: spec.kind.unwrap_or(source.kind),
            devices: 1,
            metadata: source.metadata,
            files: source.files,
        };
        let mut draft = Self {
            tensors: Vec::new(),
            templates: Vec::new(),
            objects: Vec::new(),
            units: vec![Vec::new(); head.units],
            texts: Vec::new(),
            options,
            without_entry: 0,
            head,
        };
        draft.add_tensors(source.tensors, &spec)?;
        draft.make_objects()?;
        draft.assign();
        Ok(draft)
    }

    /// Whether the destination folder is empty.
    ///
    /// # Errors
    /// When that cannot be read.
    pub fn is_for_empty_folder(&self) -> Outcome<bool> {
        Store::new(&self.head.destination)?.is_empty()
    }

    fn add_tensors(&mut self, tensors: BTreeMap<String, Vec<Array>>, spec: &Spec) -> Outcome {
        let mut known = HashMap::new();
        let mut used = vec![false; spec.entries.len()];
        for (name, pieces) in tensors {
            let number = spec.find(&name, pieces[0].layout.rank());
            match number {
                Some(entry) => used[entry] = true,
                None => self.without_entry += 1,
            }
            // The key of a template: all data except names and offsets in files.
            let stored = |piece: &Array| {
                let at = piece.is_placed.then(|| piece.origin.clone());
                let encoded = (piece.swap, piece.encoded.clone());
                (Arc::as_ptr(&piece.layout), encoded, at, piece.whole.clone())
            };
            let stored: Vec<_> = pieces.iter().map(stored).collect();
            let next = self.templates.len();
            let template = *known.entry((number, stored)).or_insert(next);
            if template == next {
                let entry = number.map(|entry| &spec.entries[entry]);
                let files = pieces.iter().map(|piece| &self.head.files[piece.file].name);
                let files = files.take(4).map(|file| format!("`{file}`"));
                let more = (pieces.len() > 4).then(|| "…".to_owned());
                let files: Vec<_> = files.chain(more).collect();
                let wrong = |what| {
                    let error = match entry {
                        Some(entry) => entry.wrong(&name, what),
                        None => Error::file(format_args!("tensor `{}`: {what}", short(&name))),
                    };
                    error.note(format_args!("it is in {}", joined(&files, ", ")))
                };
                let how = (self.head.format, self.options);
                let made = template::make(&pieces, entry, how);
                self.templates.push(made.map_err(wrong)?);
            }
            self.tensors.push(Tensor {
                name,
                pieces,
                template,
            });
        }
        let Some(entry) = used.iter().position(|used| !used) else {
            return Ok(());
        };
        let help = "look at the name, at `rank`, and at the entries before it: the first one that fits counts";
        let wrong = Error::usage("this entry is for no tensor");
        Err(wrong.at(spec.entries[entry].place.clone()).help(help))
    }

    pub(super) fn part(&self, (tensor, part): Key) -> &Part {
        &self.templates[self.tensors[tensor as usize].template].parts[part as usize]
    }

    fn make_objects(&mut self) -> Outcome {
        let mut of_devices: BTreeMap<u64, Vec<Key>> = BTreeMap::new();
        for (tensor, k) in self.tensors.iter().zip(0..) {
            for (part, j) in self.templates[tensor.template].parts.iter().zip(0..) {
                of_devices.entry(part.device).or_default().push((k, j));
            }
        }
        let last = of_devices.last_key_value();
        self.head.devices = last.map_or(1, |(device, _)| device + 1);
        let bytes = |parts: &[Key]| parts.iter().map(|part| self.part(*part).bytes).sum::<u64>();
        let total: u64 = of_devices.values().map(|parts| bytes(parts)).sum();
        let limit = self.options.object_bytes.max(1);
        let units = self.head.units as u64;
        // Every unit gets the same number of objects.
        let wanted = total.div_ceil(limit.saturating_mul(units)).max(1) * units;
        let mut objects = Vec::new();
        let mut before = 0;
        for (device, mut parts) in of_devices {
            let first = |key: &Key| {
                let pieces = &self.tensors[key.0 as usize].pieces;
                let piece = self.part(*key).job.pieces.first()?;
                let stored = &pieces[piece.file];
                Some((stored.file, stored.offset))
            };
            parts.sort_by_key(first);
            let own = bytes(&parts);
            // All devices together get `wanted` objects, rounded for each device.
            let place =
                |bytes: u64| (bytes as f64 / total.max(1) as f64 * wanted as f64).round() as u64;
            let share = place(before + own) - place(before);
            before += own;
            let count = share.max(own.div_ceil(limit)).max(1);
            let groups = self.groups(&parts, own, count, limit);
            let of = groups.len();
            for (k, mut group) in groups.into_iter().enumerate() {
                // As the reference implementation: every tensor is aligned to its elements.
                group.sort_by_key(|part| Reverse(self.part(*part).width));
                objects.push(DraftObject {
                    name: self.name(device, (k, of), &group)?,
                    bytes: bytes(&group),
                    read: group.iter().map(|part| self.part(*part).read).sum(),
                    parts: group,
                });
            }
        }
        let one_folder = self.head.format == Kind::Safetensors && self.head.devices == 1;
        if let ([only], true) = (&mut objects[..], one_folder) {
            only.name = "model.safetensors".to_owned();
        }
        if objects.len() > 1 && one_folder {
            let name = |part: &Key| self.tensors[part.0 as usize].name.as_str();
            let mut map = BTreeMap::new();
            for object in &objects {
                map.extend(object.parts.iter().map(|part| (name(part), &*object.name)));
            }
            let index = serde_json::json!({"metadata": {"total_size": total}, "weight_map": map});
            let name = "model.safetensors.index.json".to_owned();
            self.texts.push((name, format!("{index:#}\n")));
        }
        if self.head.format == Kind::Zarr {
            let text = |it: &'_ Tensor| (it.name.clone(), self.templates[it.template].text.clone());
            let arrays = self.tensors.iter().map(text).collect();
            self.texts = zarr::texts(arrays).map_err(Error::file)?;
        }
        self.objects = objects;
        Ok(())
    }

    /// Parts in their sequence, cut into about `count` groups of about equal bytes.
    fn groups(&self, parts: &[Key], all: u64, count: u64, limit: u64) -> Vec<Vec<Key>> {
        if self.head.format != Kind::Safetensors {
            return parts.iter().map(|part| vec![*part]).collect();
        }
        let mut groups: Vec<Vec<Key>> = vec![Vec::new()];
        let (mut before, mut own) = (0_u64, 0_u64);
        for part in parts {
            let bytes = self.part(*part).bytes;
            // The ideal end of this group. It ends before the part whose middle is after that.
            let end = all as f64 / count as f64 * groups.len() as f64;
            let full = (before + bytes / 2) as f64 >= end || own + bytes > limit;
            if full && own > 0 {
                groups.push(Vec::new());
                own = 0;
            }
            if let Some(group) = groups.last_mut() {
                group.push(*part);
            }
            own += bytes;
            before += bytes;
        }
        groups
    }

    fn name(&self, device: u64, (k, of): (usize, usize), parts: &[Key]) -> Outcome<String> {
        let shard = match self.head.devices {
            1 => String::new(),
            _ => format!("shard-{:05}-", device + 1),
        };
        let first = parts.first();
        let Some(key) = first.filter(|_| self.head.format != Kind::Safetensors) else {
            // The names that PyTorch uses.
            return Ok(format!("{shard}model-{:05}-of-{of:05}.safetensors", k + 1));
        };
        let tensor = &self.tensors[key.0 as usize];
        let name = match self.head.format {
            Kind::Zarr => format!("{}/{}", tensor.name, self.part(*key).key),
            _ => format!("{shard}{}.npy", tensor.name),
        };
        if self.head.is_name(&tensor.name) && self.head.is_name(&name) {
            return Ok(name);
        }
        let name = short(&tensor.name);
        let what = format_args!("tensor `{name}`: this is no name of a file");
        Err(Error::file(what).help("write safetensors, whose tensors have any name"))
    }

    /// Assigns objects to units: the largest object first, each to the unit with the least work.
    fn assign(&mut self) {
        let mut order: Vec<usize> = (0..self.objects.len()).collect();
        order.sort_by_key(|k| (Reverse(self.load(*k)), *k));
        let units = (0..self.units.len()).map(|unit| Reverse((0, unit)));
        let mut least: BinaryHeap<_> = units.collect();
        for k in order {
            if let Some(Reverse((bytes, unit))) = least.pop() {
                self.units[unit].push(k);
                least.push(Reverse((bytes + self.load(k), unit)));
            }
        }
        for objects in &mut self.units {
            objects.sort_unstable();
        }
    }

    /// The bytes that an object reads and writes.
    pub(super) fn load(&self, object: usize) -> u64 {
        self.objects[object].bytes + self.objects[object].read
    }

    pub(super) fn memory(&self, unit: &[usize]) -> u64 {
        let parts = unit.iter().flat_map(|k| &self.objects[*k].parts);
        let memory = parts.map(|part| self.part(*part).memory);
        memory.max().unwrap_or(0)
    }
}
