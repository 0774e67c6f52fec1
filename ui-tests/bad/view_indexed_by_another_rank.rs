use xlayout::{SliceView, layout};

fn main() {
    let data = [0.0_f32; 6];
    let view = SliceView::new(layout!(f32[2,3]), &data[..]).unwrap();
    let _ = view[[1, 2, 0]];
}
