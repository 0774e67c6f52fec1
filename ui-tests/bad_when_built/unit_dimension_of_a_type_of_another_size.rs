use xlayout::{SliceView, layout};

fn main() {
    let view = SliceView::new(layout!(f32[type typenum::U3, 2]), &[0.0_f32; 6][..]).unwrap();
    let _ = view.delete_unit::<0>();
}
