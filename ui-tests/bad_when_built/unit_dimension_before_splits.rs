use xlayout::{SliceView, layout};

fn main() {
    // Splits count dimensions from the most major one, which would be the new one.
    let view = SliceView::new(layout!(f32[4,6]{1,0:SC(1:2)}), &[0.0_f32; 24][..]).unwrap();
    let _ = view.insert_unit::<0>();
}
