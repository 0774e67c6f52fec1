//! Five tasks, each as a user of a library writes it. Each function is called once, and its
//! instructions are counted.

pub mod hand;
pub mod mdarray;
pub mod ndarray;
pub mod xlayout;

pub const ROWS: usize = 200;
pub const COLUMNS: usize = 300;
/// The columns of the second matrix of the product.
pub const INNER: usize = 96;
/// Tiles of 8 by 128.
pub const TILE: [usize; 2] = [8, 128];
pub const TILES: [usize; 2] = [ROWS.div_ceil(TILE[0]), COLUMNS.div_ceil(TILE[1])];
