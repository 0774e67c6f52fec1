use xlayout::{DynLayout, SliceView};

fn main() {
    let layout: DynLayout = "f32[2,3]".parse().unwrap();
    let view = SliceView::new(layout, &[0.0_f32; 6][..]).unwrap();
    let _ = view.into_const_slice::<0, 0, 1>();
}
