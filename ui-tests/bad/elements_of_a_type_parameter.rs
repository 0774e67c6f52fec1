use xlayout::{Array, ArrayRef, LayoutError, Rank};

fn zeros<L: Rank<2>>(like: &ArrayRef<f32, L>) -> Result<Array<f32, L>, LayoutError> {
    Array::zeros(like.layout().clone())
}

fn main() {}
