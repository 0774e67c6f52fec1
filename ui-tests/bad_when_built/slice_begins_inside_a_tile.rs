use xlayout::{SliceView, layout};

fn main() {
    let view = SliceView::new(layout!(f32[24,256]{1,0:T(8,128)}), &[0.0_f32; 6144][..]).unwrap();
    let _ = view.into_const_slice::<0, 4, 8>();
}
