use xlayout::{ArrayRef, layout};

type A = layout!(f32[16,256]{1,0:T(8,128)});

fn count(a: &ArrayRef<f32, A>) -> usize {
    a.tiles([8, 128]).len()
}

fn main() {}
