//! Shardings: which device holds which part of an array (XLA: `HloSharding`).
//!
//! A [`Sharding`] is read from XLA's text and printed as XLA prints it. It computes which part of
//! an array is on a device, and the size of that part. Programs use it as `xlayout::sharding`, with
//! the feature `sharding` of the facade [`xlayout`](https://docs.rs/xlayout). If the sharding is
//! known at compile time, `layout!(…, sharding = {…})` makes it a part of the layout's type (the
//! module `types`).
//!
//! ```
//! use xlayout_shape::ArrayShape;
//! use xlayout_sharding::Sharding;
//!
//! let sharding: Sharding = "{devices=[2,4]<=[8]}".parse()?;
//! let shape: ArrayShape = "f32[1024,512]{1,0}".parse()?;
//! assert_eq!(sharding.tile_shape(&shape)?.to_string(), "f32[512,128]{1,0}");
//! assert_eq!(sharding.index_ranges(&shape, 6)?, [512..1024, 256..384]); // of device 6
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | task | items |
//! |---|---|
//! | read and print | `parse`, `to_string`, [`read_sharding_prefix`] |
//! | the shape and the index ranges of a device | [`Sharding::tile_shape`], [`Sharding::index_ranges`] |
//! | the devices of each part | [`TileAssignment`], [`Tiling`] |
//! | named meshes, XLA's text and Shardy's | [`NamedSharding`] |
//! | sharded layouts as types | `types` (feature `types`) |
//!
//! # Errors
//! A text that cannot be read is a [`ReadError`] with its place in the text. A sharding that does
//! not fit a shape is a [`ShardingError`].

#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]

extern crate alloc;
#[cfg(feature = "std")]
extern crate std;
#[macro_use(each)]
extern crate xlayout_shape;

mod arithmetic;
mod assignment;
mod canonical;
mod error;
mod mesh;
mod metadata;
mod named_text;
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
pub mod types;
mod validate;

pub use assignment::TileAssignment;
pub use error::{ShardingError, ShardingErrorKind, ShardingPart};
pub use mesh::{AxisRef, NamedSharding};
pub(crate) use metadata::{Attribute, unescape};
pub use metadata::{OpMetadata, ProfileInfo};
pub use read::read_sharding_prefix;
pub use reader::{ReadError, ReadErrorKind};
pub use sharding::{ShardGroup, Sharding, ShardingKind};
pub use tiling::{SubgroupType, Tiling};

/// How many devices are written out one by one at most where the canonical form of an iota lists
/// them: 2^20. What a text or a message lists itself is not limited.
pub const MAX_WRITTEN_OUT: i64 = 1 << 20;
