#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod algebra;
mod any_map;
mod code;
mod difference;
mod error;
mod explain;
mod index;
pub mod json;
mod maps;
mod memory;
mod picture;
mod read;
mod section;
mod session;
mod shard;
pub mod table;
mod tiles;
pub mod words;

pub use algebra::{AlgebraQuestion, BankedMemory, Derivation, swizzle_numbers};
pub use any_map::Compared;
pub use code::functions;
pub use difference::Difference;
pub use error::{Error, Mistake, TextSpan};
pub use explain::{Explanation, Question};
pub use maps::{MapText, swizzle_words};
pub use picture::html::page;
pub use picture::xml::escaped;
pub use picture::{Picture, PictureOptions, Rgb, Shade};
pub use read::{Understood, part, read, read_both, read_element_type, read_sizes, understood};
pub use section::Section;
pub use shard::{Moves, ShardedArray};
pub use xlayout::interop::Given;
