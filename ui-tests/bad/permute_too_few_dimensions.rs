use xlayout::types::nat;
use xlayout::{View, layout};

fn main() {
    let view = View::new(&[0.0_f32; 24][..], layout!(f32[2,3,4])).unwrap();
    let _ = view.permute(nat![1, 0]);
}
