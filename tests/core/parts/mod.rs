//! Parts of arrays. Laws:
//! 1. An element of a part is the element of the whole at the part's first index plus the index.
//! 2. The parts of a split, of chunks and of tiles are disjoint, and together they are the whole.
//! 3. What is refused has no such part: the memory of the elements is not that of the first ones.
#![cfg(feature = "std")]

mod made;
mod refused;
mod regions;
mod tiles;
mod units;
