//! Shardings: which device holds which part of a value (XLA: `HloSharding`).
//!
//! A [`Sharding`] is read from XLA's text and printed as XLA prints it; it says which part of an
//! array lies on a device, and how large that part is.
//!
//! ```
//! use xlayout_shape::ArrayShape;
//! use xlayout_sharding::Sharding;
//!
//! let sharding: Sharding = "{devices=[2,4]<=[8]}".parse()?;
//! let shape: ArrayShape = "f32[1024,512]{1,0}".parse()?;
//! assert_eq!(sharding.tile_shape(&shape)?.to_string(), "f32[512,128]{1,0}");
//! assert_eq!(sharding.index_ranges(&shape, 6)?, [512..1024, 256..384]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]

extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

mod arithmetic;
mod assignment;
mod canonical;
mod error;
mod mesh;
mod metadata;
mod print;
mod query;
mod read;
mod read_metadata;
mod reader;
mod sharding;
mod subgroup;
mod tile;
mod tiling;
#[cfg(feature = "types")]
#[cfg_attr(docsrs, doc(cfg(feature = "types")))]
pub mod types;
mod validate;

pub use assignment::{Devices, TileAssignment};
pub use error::{ShardingError, ShardingErrorKind, ShardingPart};
pub use mesh::{AxisRef, NamedSharding};
pub(crate) use metadata::unescape;
pub use metadata::{OpMetadata, ProfileInfo};
pub use read::read_sharding_prefix;
pub use reader::{ReadError, ReadErrorKind};
pub use sharding::{ShardGroup, Sharding, ShardingKind};
pub use tiling::{SubgroupType, Tiling};

/// How many devices are written out one by one at most where the canonical form of an iota lists
/// them: 2^20. What a text or a message lists itself is not limited.
pub const MAX_WRITTEN_OUT: i64 = 1 << 20;
