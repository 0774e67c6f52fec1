use xlayout::{View, layout};

fn main() {
    let view = View::new(&[0.0_f32; 6][..], layout!(f32[2,3])).unwrap();
    let (i, j) = (0_i32, 1_i32);
    let _ = view[[i, j]];
}
