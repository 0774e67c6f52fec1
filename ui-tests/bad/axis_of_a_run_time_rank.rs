use xlayout::{Array, DynLayout};

fn rows(a: &Array<f32, DynLayout>) -> usize {
    a.axis::<0>().len()
}

fn main() {}
