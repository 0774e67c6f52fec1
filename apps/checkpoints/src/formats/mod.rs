//! Formats of files: reading and writing their headers.

pub(crate) mod contents;
pub(crate) mod header;
pub(crate) mod input;
pub mod npy;
mod npy_dict;
pub(crate) mod npz;
pub mod safetensors;
pub(crate) mod shards;
pub(crate) mod zarr;

use crate::pieces::Job;

pub use input::{Input, Said};

/// The format of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "command", derive(clap::ValueEnum))]
#[non_exhaustive]
pub enum Format {
    /// NumPy's `.npy`
    Npy,
    /// `.npz`: several `.npy` in a zip; read, not written
    Npz,
    /// `.safetensors`
    Safetensors,
    /// `.safetensors.index.json` and the files that it names; read, not written
    SafetensorsIndex,
    /// The elements and nothing else: `.raw`, `.bin`, `.dat`
    Raw,
}

impl Format {
    /// Whether the arrays in a file have names.
    #[must_use]
    pub fn has_names(self) -> bool {
        matches!(self, Self::Npz | Self::Safetensors | Self::SafetensorsIndex)
    }

    /// The bytes of a file before these arrays, which follow in this sequence; `None` if the format
    /// cannot store them.
    #[must_use]
    pub fn header(self, arrays: &[Job], metadata: &[(String, String)]) -> Option<Vec<u8>> {
        match (self, arrays) {
            (Self::Safetensors, _) => {
                let named = (arrays.iter()).map(|job| Some((job.tensor.as_deref()?, &*job.layout)));
                let tensors: Vec<_> = named.collect::<Option<_>>()?;
                Some(safetensors::header(&tensors, metadata))
            }
            (Self::Npy, [only]) => npy::header(&only.layout),
            (Self::Raw, [_]) => Some(Vec::new()),
            _ => None,
        }
    }
}
