//! What a plan costs, for people and programs.

use serde::Serialize;

/// The units of a plan, counted.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Summary {
    /// How many tensors there are, how many of them no entry of the specification is for.
    pub tensors: usize,
    /// Those that stay as they are, whole.
    pub without_entry: usize,
    /// The files of the source.
    pub files: usize,
    /// The files that are written.
    pub objects: usize,
    /// Between how many devices they are divided.
    pub devices: u64,
    /// How many units there are.
    pub units: usize,
    /// The bytes of all tensors in the source, each element once.
    pub source_bytes: u64,
    /// What all units read.
    pub read: u64,
    /// What all units write, without headers.
    pub written: u64,
    /// Read and written by the unit that has least, by the one in the middle, and by the one that has most.
    pub unit_bytes: [u64; 3],
    /// The standard deviation of that number, as a part of its mean.
    pub spread: f64,
    /// The bytes of the buffers of the unit that has most.
    pub memory: u64,
    /// The seconds of the longest unit where a machine reads and writes 1 GB in a second, and each unit has its
    /// own machine.
    pub seconds_at_1_gb_per_second: f64,
}

impl Summary {
    /// Adds what is known of the units: the bytes that each of them reads and writes.
    pub(super) fn with_units(mut self, mut bytes: Vec<u64>) -> Self {
        bytes.sort_unstable();
        let count = bytes.len().max(1) as f64;
        let mean = bytes.iter().map(|bytes| *bytes as f64).sum::<f64>() / count;
        let squares = bytes.iter().map(|bytes| (*bytes as f64 - mean).powi(2));
        let deviation = (squares.sum::<f64>() / count).sqrt();
        let places = [0, bytes.len() / 2, bytes.len().saturating_sub(1)];
        self.units = bytes.len();
        self.unit_bytes = places.map(|at| bytes.get(at).copied().unwrap_or(0));
        self.spread = if mean > 0.0 { deviation / mean } else { 0.0 };
        self.seconds_at_1_gb_per_second = self.unit_bytes[2] as f64 / 1e9;
        self
    }
}
