//! The objects of a plan, which are the files that it writes, and which unit writes each.
//!
//! ```text
//! for each device: its parts in the sequence of the source, cut into objects of about equal bytes,
//!     so many that every unit gets as many
//! for each object, the largest first: the unit that has least to do gets it
//! ```

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

use super::make::{Draft, DraftObject, Key, Tensor};
use crate::checkpoint::Kind;
use crate::error::{Error, Outcome};
use crate::formats::zarr;
use xlayout_words::short;

impl Draft {
    pub(super) fn make_objects(&mut self) -> Outcome {
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
            let group_count = groups.len();
            for (k, mut group) in groups.into_iter().enumerate() {
                // As the reference implementation: every tensor is aligned to its elements.
                group.sort_by_key(|part| Reverse(self.part(*part).width));
                objects.push(DraftObject {
                    name: self.name(device, (k, group_count), &group)?,
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
        let mut before = 0_u64;
        let mut own = 0_u64;
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
    pub(super) fn assign(&mut self) {
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
