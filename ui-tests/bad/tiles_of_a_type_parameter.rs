use xlayout::types::nat;
use xlayout::{ArrayRef, LayoutError, Rank};

fn tiles<L: Rank<2>>(a: &ArrayRef<f32, L>) -> Result<usize, LayoutError> {
    Ok(a.try_tiles(nat![8, 128])?.count())
}

fn main() {}
