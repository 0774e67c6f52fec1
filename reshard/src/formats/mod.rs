//! Formats of files: what their headers say, and how they are written.

pub(crate) mod header;
pub(crate) mod input;
pub mod npy;
mod npy_dict;
pub(crate) mod npz;
pub mod safetensors;
pub(crate) mod shards;
pub(crate) mod zarr;

pub use input::{Input, Said};

/// What a file's bytes mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Format {
    /// NumPy's `.npy`.
    Npy,
    /// `.npz`: several `.npy` in a zip.
    Npz,
    /// `.safetensors`.
    Safetensors,
    /// `.safetensors.index.json` and the files that it names.
    SafetensorsIndex,
    /// The elements and nothing else.
    Raw,
}
