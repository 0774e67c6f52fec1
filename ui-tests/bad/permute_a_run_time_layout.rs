use xlayout::types::nat;
use xlayout::{DynLayout, View};

fn main() {
    let layout: DynLayout = "f32[2,3]".parse().unwrap();
    let view = View::new(&[0.0_f32; 6][..], layout).unwrap();
    let _ = view.permute(nat![1, 0]);
}
