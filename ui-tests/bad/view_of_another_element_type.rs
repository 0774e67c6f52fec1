use xlayout::{View, layout};

fn main() {
    let data = [0_u8; 6];
    let _ = View::new(&data[..], layout!(f32[2,3]));
}
