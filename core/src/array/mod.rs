//! Arrays: memory and a layout that were checked against each other once.
//!
//! | file | what |
//! |---|---|
//! | `storage.rs` | the memory of an array or of a part of one: slices, owned memory, single elements |
//! | `stored.rs` | what an item of memory holds: an element, or several that share a byte |
//! | `several.rs` | several exclusive parts of one array at the same time |
//! | `base.rs` | [`ArrayBase`], its names [`Array`], [`View`], [`SliceView`], and how arrays are made |
//! | `reference.rs` | [`ArrayRef`]: any array, with its sizes, its memory and copies of it |
//! | `index.rs` | what an array is indexed by |
//! | `iterate.rs` | linear indices in logical sequence, and iterators over elements |
//! | `elements.rs` | all elements: visited, mapped, copied, compared |
//! | `axes.rs` | the same memory with other axes: `permute`, `reshape`, `insert_unit`, `ranked` |
//! | `cut.rs` | parts: `slice`, `split_at`, `region`, `chunks`, `with_step`, `broadcast` |
//! | `slice.rs` | the owned and constant forms of `slice` |
//! | `lines.rs` | rows, columns, and slices along a dimension |
//! | `tile.rs`, `tiles.rs` | a block of an array; an array in blocks |
//! | `packed.rs` | elements narrower than a byte; `packed/bits.rs`: where their bits lie |
//! | `make.rs` | arrays of bytes, of addresses; padding |
//! | `nested.rs` | arrays of arrays |
//! | `print.rs` | arrays as text |

mod axes;
mod base;
mod cut;
mod elements;
mod index;
mod iterate;
#[cfg(all(test, feature = "std"))]
mod kinds_tests;
mod lines;
mod nested;
mod print;
mod reference;
mod several;
mod slice;
mod storage;
mod stored;
#[cfg(all(test, feature = "std"))]
mod tests;
mod tile;
mod tiles;

#[cfg(feature = "alloc")]
pub use base::Array;
pub use base::{ArrayBase, SliceView, SliceViewMut, View, ViewMut};
pub use cut::{Chunks, ChunksMut};
pub use index::ViewIndex;
pub use iterate::{Elements, ElementsMut};
pub use lines::{Lines, LinesMut};
pub use nested::NestedArray;
pub use packed::Packed;
pub use reference::ArrayRef;
#[cfg(feature = "alloc")]
pub use storage::Owned;
pub use storage::{
    Borrowed, PartItems, PartItemsMut, SliceStorage, SliceStorageMut, Storage, StorageMut,
};
#[cfg(all(feature = "alloc", feature = "serde"))]
pub(crate) use stored::Stored;
pub use tile::{Tile, TileView, TileViewMut};
pub use tiles::{TileViews, TileViewsMut};

// The compiler proposes functions in this sequence: `Array::new` comes before those of packed
// arrays.
mod make;
mod packed;
