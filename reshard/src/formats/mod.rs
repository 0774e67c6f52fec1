//! Formats of files: reading and writing their headers.

pub(crate) mod header;
pub(crate) mod input;
pub mod npy;
mod npy_dict;
pub(crate) mod npz;
pub mod safetensors;
pub(crate) mod shards;
pub(crate) mod zarr;

pub use input::{Input, Said};

/// The format of a file.
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
    /// Only the elements.
    Raw,
}
