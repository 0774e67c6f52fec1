use xlayout::{Array, layout};

fn main() {
    let a = Array::full(layout!(f32[2,3]), 1.0).unwrap();
    let b = Array::full(layout!(f32[6]), 1.0).unwrap();
    assert!(a == b);
}
