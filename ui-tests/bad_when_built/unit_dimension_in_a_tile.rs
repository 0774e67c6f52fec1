use xlayout::{SliceView, layout};

fn main() {
    let view = SliceView::new(layout!(f32[16,1]{1,0:T(8,128)}), &[0.0_f32; 2048][..]).unwrap();
    let _ = view.delete_unit::<1>();
}
