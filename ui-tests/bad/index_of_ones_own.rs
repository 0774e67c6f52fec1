// A view trusts the linear index that coordinates find.
#![forbid(unsafe_code)]

use xlayout::{dtype::StoredAs, IntoCoordinates, ArrayLayout};

struct Far;

impl IntoCoordinates<[usize; 1]> for Far {
    fn into_coordinates(self) -> [usize; 1] {
        [0]
    }
    fn linear_index_in<L: ArrayLayout<Coordinates = [usize; 1]>>(&self, _: &L) -> Option<usize> {
        Some(1 << 40)
    }
}

impl StoredAs<Far> for f32 {}

fn main() {}
