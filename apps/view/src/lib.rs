#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod any_map;
mod difference;
mod error;
mod explain;
mod index;
pub mod json;
mod maps;
mod memory;
mod picture;
mod read;
mod shard;
pub mod table;
mod tiles;
pub mod words;

pub use any_map::Compared;
pub use difference::Difference;
pub use error::{Error, Mistake, TextSpan};
pub use explain::{Explanation, Question};
pub use maps::{MapText, swizzle_words};
pub use picture::html::page;
pub use picture::xml::escaped;
pub use picture::{Picture, PictureOptions, Rgb, Shade};
pub use read::{Understood, part, read, read_both, understood};
pub use shard::{Moves, ShardedArray};
pub use xlayout::interop::Given;
