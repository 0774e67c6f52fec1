use xlayout::{SliceView, layout};

fn main() {
    let view = SliceView::new(layout!(f32[2,3]), &[0.0_f32; 6][..]).unwrap();
    let (i, j) = (0_i32, 1_i32);
    let _ = view[[i, j]];
}
