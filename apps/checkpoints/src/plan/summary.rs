//! The costs of a plan, for people and programs.

use serde::Serialize;

use super::make::{Draft, Tensor};

/// The costs of a plan.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Summary {
    /// The number of tensors.
    pub tensors: usize,
    /// The number of tensors without an entry of the specification, which are copied whole.
    pub without_entry: usize,
    /// The number of tensors that the specification leaves out.
    pub skipped: usize,
    /// The number of files of the source.
    pub files: usize,
    /// The number of files that are written.
    pub objects: usize,
    /// The number of devices between which tensors are divided.
    pub devices: u64,
    /// The number of units.
    pub units: usize,
    /// The bytes of all tensors in the source, each element once.
    pub source_bytes: u64,
    /// The bytes that all units read.
    pub read: u64,
    /// The bytes that all units write, without headers.
    pub written: u64,
    /// The least, the median and the greatest number of bytes that a unit reads and writes.
    pub unit_bytes: [u64; 3],
    /// The standard deviation of that number, as a part of its mean.
    pub spread: f64,
    /// The greatest number of bytes of a unit's buffers.
    pub memory: u64,
    /// The seconds of the longest unit if a machine reads and writes 1 GB in a second, and each
    /// unit has its own machine.
    pub seconds_at_1_gb_per_second: f64,
}

impl Draft {
    /// The costs of the plan.
    #[must_use]
    pub fn summary(&self) -> Summary {
        let unit_load = |unit: &Vec<usize>| unit.iter().map(|k| self.load(*k)).sum();
        let mut bytes: Vec<u64> = self.units.iter().map(unit_load).collect();
        bytes.sort_unstable();
        // A plan has at least one unit.
        let count = bytes.len() as f64;
        let mean = bytes.iter().map(|bytes| *bytes as f64).sum::<f64>() / count;
        let squares = bytes.iter().map(|bytes| (*bytes as f64 - mean).powi(2));
        let deviation = (squares.sum::<f64>() / count).sqrt();
        let unit_bytes = [0, bytes.len() / 2, bytes.len() - 1].map(|at| bytes[at]);
        let template = |tensor: &Tensor| self.templates[tensor.template].bytes;
        let memory = self.units.iter().map(|unit| self.memory(unit));
        Summary {
            tensors: self.tensors.len(),
            without_entry: self.without_entry,
            skipped: self.skipped,
            files: self.head.files.len(),
            objects: self.objects.len() + self.texts.len(),
            devices: self.head.devices,
            units: bytes.len(),
            source_bytes: self.tensors.iter().map(template).sum(),
            read: self.objects.iter().map(|object| object.read).sum(),
            written: self.objects.iter().map(|object| object.bytes).sum(),
            unit_bytes,
            spread: if mean > 0.0 { deviation / mean } else { 0.0 },
            memory: memory.max().unwrap_or(0),
            seconds_at_1_gb_per_second: unit_bytes[2] as f64 / 1e9,
        }
    }
}
