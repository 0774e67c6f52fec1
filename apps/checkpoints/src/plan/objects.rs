//! The objects of a plan, which are the files that it writes, and which unit writes each.
//!
//! ```text
//! the number of objects = a multiple of the number of units, so that every unit gets as many
//! for each device: its share of this number, rounded: its parts in the sequence of the source, cut
//!     into objects of about equal bytes
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
    /// Makes the objects from the parts of all tensors, and the files without tensors.
    pub(super) fn make_objects(&mut self) -> Outcome {
        let mut of_devices: BTreeMap<u64, Vec<Key>> = BTreeMap::new();
        for (tensor, tensor_number) in self.tensors.iter().zip(0..) {
            for (part, part_number) in self.templates[tensor.template].parts.iter().zip(0..) {
                let parts = of_devices.entry(part.device).or_default();
                parts.push((tensor_number, part_number));
            }
        }
        let last = of_devices.last_key_value();
        self.head.devices = last.map_or(1, |(device, _)| device + 1);
        let bytes = |parts: &[Key]| parts.iter().map(|key| self.part(*key).bytes).sum::<u64>();
        let total: u64 = of_devices.values().map(|parts| bytes(parts)).sum();
        let limit = self.options.object_bytes.max(1);
        let units = self.head.units as u64;
        // Every unit gets the same number of objects.
        let wanted = total.div_ceil(limit.saturating_mul(units)).max(1) * units;
        let mut objects = Vec::new();
        let mut bytes_before = 0;
        for (device, mut parts) in of_devices {
            let place_in_source = |key: &Key| {
                let (tensor, _) = *key;
                let stored_pieces = &self.tensors[tensor as usize].pieces;
                // A part of a template has the number of a piece in place of its file.
                let first = self.part(*key).job.pieces.first()?;
                let stored = &stored_pieces[first.file];
                Some((stored.file, stored.offset))
            };
            parts.sort_by_key(place_in_source);
            let device_bytes = bytes(&parts);
            // All devices together get `wanted` objects, rounded for each device.
            let objects_up_to =
                |bytes: u64| (bytes as f64 / total.max(1) as f64 * wanted as f64).round() as u64;
            let share = objects_up_to(bytes_before + device_bytes) - objects_up_to(bytes_before);
            bytes_before += device_bytes;
            let count = share.max(device_bytes.div_ceil(limit)).max(1);
            let groups = self.groups(&parts, device_bytes, count, limit);
            let group_count = groups.len();
            for (k, mut group) in groups.into_iter().enumerate() {
                // The widest elements first, as in the reference implementation: so every tensor is
                // aligned to its elements.
                group.sort_by_key(|key| Reverse(self.part(*key).width));
                objects.push(DraftObject {
                    name: self.name(device, (k, group_count), &group)?,
                    bytes: bytes(&group),
                    read: group.iter().map(|key| self.part(*key).read).sum(),
                    parts: group,
                });
            }
        }
        let one_folder = self.head.format == Kind::Safetensors && self.head.devices == 1;
        if let ([only], true) = (&mut objects[..], one_folder) {
            only.name = "model.safetensors".to_owned();
        }
        if objects.len() > 1 && one_folder {
            let tensor_name = |&(tensor, _): &Key| self.tensors[tensor as usize].name.as_str();
            let mut file_of_tensor = BTreeMap::new();
            for object in &objects {
                let tensors = object.parts.iter().map(tensor_name);
                file_of_tensor.extend(tensors.map(|tensor| (tensor, &*object.name)));
            }
            let index = serde_json::json!({
                "metadata": {"total_size": total},
                "weight_map": file_of_tensor,
            });
            let name = "model.safetensors.index.json".to_owned();
            self.texts.push((name, format!("{index:#}\n")));
        }
        if self.head.format == Kind::Zarr {
            let name_and_text = |tensor: &Tensor| {
                let text = self.templates[tensor.template].text.clone();
                (tensor.name.clone(), text)
            };
            let arrays = self.tensors.iter().map(name_and_text).collect();
            self.texts = zarr::texts(arrays).map_err(Error::file)?;
        }
        self.objects = objects;
        Ok(())
    }

    /// Parts in their sequence, cut into about `count` groups of about equal bytes. Each part is a
    /// group of its own if the format is not safetensors: then a file holds one part only.
    fn groups(&self, parts: &[Key], total: u64, count: u64, limit: u64) -> Vec<Vec<Key>> {
        if self.head.format != Kind::Safetensors {
            return parts.iter().map(|key| vec![*key]).collect();
        }
        let mut groups: Vec<Vec<Key>> = vec![Vec::new()];
        let mut bytes_before = 0_u64;
        let mut group_bytes = 0_u64;
        for key in parts {
            let bytes = self.part(*key).bytes;
            // The ideal end of this group. It ends before the part whose middle is after that.
            let end = total as f64 / count as f64 * groups.len() as f64;
            let middle = bytes_before + bytes / 2;
            let is_full = middle as f64 >= end || group_bytes + bytes > limit;
            if is_full && group_bytes > 0 {
                groups.push(Vec::new());
                group_bytes = 0;
            }
            if let Some(group) = groups.last_mut() {
                group.push(*key);
            }
            group_bytes += bytes;
            bytes_before += bytes;
        }
        groups
    }

    /// The name of the object with these parts: number `k` of the `of` objects of its device.
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
        let (tensor, _) = *key;
        let tensor = &self.tensors[tensor as usize];
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
        // The units by their load, so that the one with the least work is on top.
        let units = (0..self.units.len()).map(|unit| Reverse((0, unit)));
        let mut by_load: BinaryHeap<_> = units.collect();
        for k in order {
            if let Some(Reverse((load, unit))) = by_load.pop() {
                self.units[unit].push(k);
                by_load.push(Reverse((load + self.load(k), unit)));
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

    /// The bytes of the buffers of a unit with these objects: those of the part that needs most.
    pub(super) fn memory(&self, unit: &[usize]) -> u64 {
        let parts = unit.iter().flat_map(|k| &self.objects[*k].parts);
        let memory = parts.map(|part| self.part(*part).memory);
        memory.max().unwrap_or(0)
    }
}
