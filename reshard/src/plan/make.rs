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

use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap, HashMap};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use xlayout::ArrayLayout;

use super::template::{self, Template, TemplatePart, TemplatePiece};
use super::{Head, Object, ObjectPart, PlannedPiece, Summary, Unit, VERSION};
use crate::array::{self, Encoding};
use crate::checkpoint::Kind;
use crate::checkpoint::{Piece, Source};
use crate::error::{Error, Outcome};
use crate::formats::zarr;
use crate::pieces::Runs;
use crate::spec::Spec;
use crate::store::{self, Store};
use crate::words::short;

/// What a plan is made for.
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
    head: Head,
    tensors: Vec<Tensor>,
    templates: Vec<Template>,
    layouts: Vec<String>,
    objects: Vec<DraftObject>,
    /// The objects of each unit.
    units: Vec<Vec<usize>>,
    /// Files that are no tensors: their names, and all that is in them.
    texts: Vec<(String, String)>,
    options: PlanOptions,
    /// How many tensors no entry is for.
    without_entry: usize,
}

#[derive(Debug)]
struct Tensor {
    name: String,
    /// File and byte of each piece of its template.
    pieces: Vec<(u32, u64)>,
    template: usize,
}

#[derive(Debug)]
struct DraftObject {
    name: String,
    /// A tensor and its part.
    parts: Vec<(u32, u32)>,
    bytes: u64,
    read: u64,
}

impl Draft {
    /// Plans how the tensors of one folder get into another one.
    ///
    /// # Errors
    /// When the source or the specification is wrong, or they do not fit each other.
    pub fn new(from: &Path, to: &Path, spec: &Path, options: PlanOptions) -> Outcome<Self> {
        let text =
            std::fs::read_to_string(spec).map_err(|error| Error::of_file("read", spec, &error))?;
        let spec = Spec::read(&text, spec)?;
        let source = Source::open(from, &spec)?;
        let absolute = |path: &Path| -> Outcome<PathBuf> {
            if store::url(path).is_some() {
                return Ok(path.to_owned());
            }
            let found =
                std::path::absolute(path).map_err(|error| Error::of_file("find", path, &error))?;
            match found.to_str() {
                Some(_) => Ok(found),
                None => Err(Error::usage(format_args!(
                    "`{}` is not UTF-8, as a plan is",
                    path.display()
                ))),
            }
        };
        let head = Head {
            xlayout_plan: VERSION,
            source: absolute(from)?,
            destination: absolute(to)?,
            format: spec.kind.unwrap_or(source.kind),
            devices: 1,
            metadata: source.metadata.clone(),
            files: source.files.clone(),
        };
        let mut draft = Self {
            head,
            tensors: Vec::new(),
            templates: Vec::new(),
            layouts: source.layouts.iter().map(array::text).collect(),
            objects: Vec::new(),
            units: vec![Vec::new(); options.units.max(1)],
            texts: Vec::new(),
            options,
            without_entry: 0,
        };
        draft.add_tensors(&source, &spec)?;
        draft.make_objects()?;
        draft.assign();
        Ok(draft)
    }

    /// Whether nothing is in the folder that will be written.
    ///
    /// # Errors
    /// When that cannot be read.
    pub fn is_for_empty_folder(&self) -> Outcome<bool> {
        Store::new(&self.head.destination)?.is_empty()
    }

    fn add_tensors(&mut self, source: &Source, spec: &Spec) -> Outcome {
        // What is compressed has other bytes in each tensor.
        type Stored = Option<(u64, Vec<Encoding>)>;
        type OfPiece = (u32, Option<Vec<usize>>, Option<usize>, Stored);
        type Key = (Option<usize>, Option<Vec<usize>>, Vec<OfPiece>);
        let mut known: HashMap<Key, usize> = HashMap::new();
        let mut used = vec![false; spec.entries.len()];
        for (name, pieces) in &source.tensors {
            let rank = source.layouts[pieces[0].layout as usize].rank();
            let entry = spec.find(name, rank);
            match entry {
                Some(entry) => used[entry] = true,
                None => self.without_entry += 1,
            }
            let of = |piece: &Piece| {
                let encoded = piece.encoded.clone();
                (piece.layout, piece.origin.clone(), piece.swap, encoded)
            };
            let whole = pieces[0].whole.clone();
            let key = (entry, whole, pieces.iter().map(of).collect());
            let template = match known.get(&key) {
                Some(template) => *template,
                None => {
                    let entry = entry.map(|entry| &spec.entries[entry]);
                    let made =
                        template::make(source, pieces, entry, (self.head.format, self.options))
                            .map_err(|what| match entry {
                                Some(entry) => entry.wrong(name, what),
                                None => {
                                    Error::file(format_args!("tensor `{}`: {what}", short(name)))
                                }
                            })?;
                    self.templates.push(made);
                    known.insert(key, self.templates.len() - 1);
                    self.templates.len() - 1
                }
            };
            let at = |used: &TemplatePiece| (pieces[used.place].file, pieces[used.place].at);
            self.tensors.push(Tensor {
                name: name.clone(),
                pieces: self.templates[template].pieces.iter().map(at).collect(),
                template,
            });
        }
        match used.iter().position(|used| !used) {
            None => Ok(()),
            Some(entry) => Err(Error::usage("this entry is for no tensor")
                .at(spec.entries[entry].place.clone())
                .help("look at the name, at `rank`, and at the entries before it: the first one that fits counts")),
        }
    }

    fn part(&self, (tensor, part): (u32, u32)) -> &TemplatePart {
        &self.templates[self.tensors[tensor as usize].template].parts[part as usize]
    }

    fn make_objects(&mut self) -> Outcome {
        let mut of_devices: BTreeMap<u64, Vec<(u32, u32)>> = BTreeMap::new();
        for (k, tensor) in self.tensors.iter().enumerate() {
            for (j, part) in self.templates[tensor.template].parts.iter().enumerate() {
                of_devices
                    .entry(part.device)
                    .or_default()
                    .push((k as u32, j as u32));
            }
        }
        self.head.devices = of_devices
            .last_key_value()
            .map_or(1, |(device, _)| device + 1);
        let bytes =
            |parts: &[(u32, u32)]| parts.iter().map(|part| self.part(*part).bytes).sum::<u64>();
        let total: u64 = of_devices.values().map(|parts| bytes(parts)).sum();
        let limit = self.options.object_bytes.max(1);
        let units = self.options.units.max(1) as u64;
        // Every unit gets as many objects.
        let wanted = total.div_ceil(limit.saturating_mul(units)).max(1) * units;
        let mut objects = Vec::new();
        let mut before = 0;
        for (device, mut parts) in of_devices {
            let first = |(tensor, part): &(u32, u32)| {
                let found = &self.tensors[*tensor as usize];
                let part = self.part((*tensor, *part));
                part.pieces.first().map(|k| found.pieces[*k])
            };
            parts.sort_by_key(first);
            let own = bytes(&parts);
            // What all devices together get is `wanted`, rounded at their ends.
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
            let mut map = BTreeMap::new();
            for object in &objects {
                for (tensor, _) in &object.parts {
                    map.insert(
                        self.tensors[*tensor as usize].name.as_str(),
                        object.name.as_str(),
                    );
                }
            }
            let index = serde_json::json!({"metadata": {"total_size": total}, "weight_map": map});
            let name = "model.safetensors.index.json".to_owned();
            self.texts.push((name, format!("{index:#}\n")));
        }
        if self.head.format == Kind::Zarr {
            self.texts = self.zarr_texts()?;
        }
        self.objects = objects;
        Ok(())
    }

    /// What says what the arrays and groups are.
    fn zarr_texts(&self) -> Outcome<Vec<(String, String)>> {
        let all: Vec<_> = (self.tensors.iter())
            .map(|tensor| {
                let template = &self.templates[tensor.template];
                zarr::Written {
                    tensor: &tensor.name,
                    shape: &template.whole,
                    element_type: template.element_type,
                    chunk: &template.chunk,
                    layout: template.parts.first().map(|part| &part.layout),
                }
            })
            .collect();
        zarr::texts(&all).map_err(Error::file)
    }

    /// Parts in their sequence, cut into about `count` groups of about equal bytes.
    fn groups(
        &self,
        parts: &[(u32, u32)],
        all: u64,
        count: u64,
        limit: u64,
    ) -> Vec<Vec<(u32, u32)>> {
        if self.head.format != Kind::Safetensors {
            return parts.iter().map(|part| vec![*part]).collect();
        }
        let mut groups: Vec<Vec<(u32, u32)>> = vec![Vec::new()];
        let (mut before, mut own) = (0_u64, 0_u64);
        for part in parts {
            let bytes = self.part(*part).bytes;
            // Where this group is to end; it ends before the part whose middle is behind that.
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

    fn name(&self, device: u64, (k, of): (usize, usize), parts: &[(u32, u32)]) -> Outcome<String> {
        let shard = match self.head.devices {
            1 => String::new(),
            _ => format!("shard-{:05}-", device + 1),
        };
        let first = parts.first();
        let Some(key) = first.filter(|_| self.head.format != Kind::Safetensors) else {
            // As PyTorch names them.
            return Ok(format!("{shard}model-{:05}-of-{of:05}.safetensors", k + 1));
        };
        let tensor = &self.tensors[key.0 as usize];
        let name = match self.head.format {
            Kind::Zarr => {
                let chunk = &self.templates[tensor.template].chunk;
                zarr::chunk_name(&tensor.name, &self.part(*key).origin, chunk)
            }
            _ => format!("{shard}{}.npy", tensor.name),
        };
        match self.head.is_name(&tensor.name) && self.head.is_name(&name) {
            true => Ok(name),
            false => Err(Error::file(format_args!(
                "tensor `{}`: this is no name of a file",
                short(&tensor.name)
            ))
            .help("write safetensors, whose tensors have any name")),
        }
    }

    /// The largest object first, to the unit that has least to do.
    fn assign(&mut self) {
        let load = |object: &DraftObject| object.bytes + object.read;
        let mut order: Vec<usize> = (0..self.objects.len()).collect();
        order.sort_by_key(|k| (Reverse(load(&self.objects[*k])), *k));
        let mut least: BinaryHeap<Reverse<(u64, usize)>> = (0..self.units.len())
            .map(|unit| Reverse((0, unit)))
            .collect();
        for k in order {
            if let Some(Reverse((bytes, unit))) = least.pop() {
                self.units[unit].push(k);
                least.push(Reverse((bytes + load(&self.objects[k]), unit)));
            }
        }
        for objects in &mut self.units {
            objects.sort_unstable();
        }
    }

    fn memory(&self, unit: &[usize]) -> u64 {
        let objects = unit.iter().map(|k| &self.objects[*k]);
        let parts =
            objects.flat_map(|object| object.parts.iter().map(|part| self.part(*part).memory));
        parts.max().unwrap_or(0)
    }

    /// What the plan costs.
    #[must_use]
    pub fn summary(&self) -> Summary {
        let of = |unit: &Vec<usize>| {
            unit.iter()
                .map(|k| self.objects[*k].bytes + self.objects[*k].read)
                .sum()
        };
        let template = |tensor: &Tensor| self.templates[tensor.template].bytes;
        Summary {
            tensors: self.tensors.len(),
            without_entry: self.without_entry,
            files: self.head.files.len(),
            objects: self.objects.len() + self.texts.len(),
            devices: self.head.devices,
            source_bytes: self.tensors.iter().map(template).sum(),
            read: self.objects.iter().map(|object| object.read).sum(),
            written: self.objects.iter().map(|object| object.bytes).sum(),
            memory: self
                .units
                .iter()
                .map(|unit| self.memory(unit))
                .max()
                .unwrap_or(0),
            ..Summary::default()
        }
        .with_units(self.units.iter().map(of).collect())
    }

    /// Writes the plan.
    ///
    /// # Errors
    /// Those of writing.
    pub fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let head = serde_json::to_string(&self.head)?;
        let open = head.strip_suffix('}').unwrap_or(&head);
        write!(out, "{open},\"units\":[")?;
        for (k, unit) in self.units.iter().enumerate() {
            out.write_all(if k == 0 { b"\n" } else { b",\n" })?;
            serde_json::to_writer(&mut *out, &self.unit(k, unit))?;
        }
        out.write_all(b"\n]}\n")
    }

    fn unit(&self, number: usize, objects: &[usize]) -> Unit<'_> {
        let found = objects.iter().map(|k| &self.objects[*k]);
        let mut all: Vec<Object<'_>> = found.clone().map(|object| self.object(object)).collect();
        for (name, text) in self.texts.iter().skip(number).step_by(self.units.len()) {
            all.push(Object {
                name: name.into(),
                bytes: text.len() as u64,
                text: Some(text.into()),
                parts: Vec::new(),
            });
        }
        Unit {
            memory: self.memory(objects),
            read: found.clone().map(|object| object.read).sum(),
            written: found.map(|object| object.bytes).sum(),
            objects: all,
        }
    }

    fn object<'a>(&'a self, object: &'a DraftObject) -> Object<'a> {
        let mut at = 0;
        let part = |key: &(u32, u32)| {
            let tensor = &self.tensors[key.0 as usize];
            let template = &self.templates[tensor.template];
            let part = self.part(*key);
            let begin = at;
            at += part.bytes;
            let piece = |k: &usize| {
                let ((file, at), piece) = (tensor.pieces[*k], &template.pieces[*k]);
                PlannedPiece {
                    file,
                    at,
                    layout: self.layouts[piece.layout as usize].as_str().into(),
                    origin: piece.origin.as_slice().into(),
                    swap: piece.swap,
                    encoded: piece.encoded.as_ref().map(Cow::Borrowed),
                }
            };
            let read = |(k, [first, bytes, count, stride]): &(usize, Runs)| {
                let (file, at) = tensor.pieces[*k];
                [u64::from(file), at + first, *bytes, *count, *stride]
            };
            ObjectPart {
                tensor: tensor.name.as_str().into(),
                layout: array::text(&part.layout).into(),
                origin: part.origin.as_slice().into(),
                at: begin,
                pieces: part.pieces.iter().map(piece).collect(),
                reads: part.reads.iter().map(read).collect(),
            }
        };
        Object {
            name: object.name.as_str().into(),
            bytes: object.bytes,
            text: None,
            parts: object.parts.iter().map(part).collect(),
        }
    }
}
