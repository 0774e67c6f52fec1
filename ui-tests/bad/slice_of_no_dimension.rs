use xlayout::{SliceView, layout};

fn main() {
    let view = SliceView::new(layout!(f32[2,3]), &[0.0_f32; 6][..]).unwrap();
    let _ = view.into_const_slice::<2, 0, 1>();
}
