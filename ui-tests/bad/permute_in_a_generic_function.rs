use xlayout::types::nat;
use xlayout::{ArrayRef, Rank};

fn corner<L: Rank<2>>(a: &ArrayRef<f32, L>) -> f32 {
    a.permute(nat![1, 0])[[0, 0]]
}

fn main() {}
