use xlayout::types::Nat;
use xlayout::{ArrayRef, LayoutError, Rank};

fn tiles<L: Rank<2>>(a: &ArrayRef<f32, L>) -> Result<usize, LayoutError> {
    Ok(a.try_tiles::<(Nat<8>, Nat<128>)>()?.count())
}

fn main() {}
