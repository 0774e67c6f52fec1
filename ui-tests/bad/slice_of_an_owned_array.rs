use xlayout::{Array, layout};

fn main() {
    let array = Array::<f32, _>::zeros(layout!(f32[2,3])).unwrap();
    let _ = array.into_const_slice::<0, 0, 1>();
}
