use xlayout::{ArrayRef, ConstLayout, index};

fn last<L: ConstLayout>(a: &ArrayRef<f32, L>) -> f32 {
    a[index!(L[1, 2])]
}

fn main() {}
