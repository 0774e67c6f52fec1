//! The results of XLA's functions that differ from ours: because XLA's know one level of tiles, or
//! no tiles, or because their numbers wrap. The vectors and unit cases that were recorded from XLA
//! are compared with this.
//!
//! Where XLA's answer is that for a dense array, it is asked of our function, for the same shape
//! without tiles: then the vectors test our function, too.

pub(crate) mod bitcast;
pub(crate) mod shapes;
pub(crate) mod sizes;
mod wrapping;
