use xlayout::{View, layout};

fn main() {
    let data = [0.0_f32; 6];
    let view = View::new(&data[..], layout!(f32[2,3])).unwrap();
    let _ = view[(0, 1)];
}
