use typenum::{U8, U128};
use xlayout::{ArrayRef, layout};

fn tiles(a: &ArrayRef<f32, layout!(f32[16,256]{1,0:T(8,128)})>) -> usize {
    a.tiles::<(U8, U128)>().count()
}

fn main() {}
