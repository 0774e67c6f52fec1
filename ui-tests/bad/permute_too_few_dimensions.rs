use xlayout::types::nat;
use xlayout::{SliceView, layout};

fn main() {
    let view = SliceView::new(layout!(f32[2,3,4]), &[0.0_f32; 24][..]).unwrap();
    let _ = view.permute(nat![1, 0]);
}
