use xlayout::{SliceView, layout};

fn main() {
    let padded = layout!(f32[2,3] <1,0>, padded_dimensions = [3, 5]);
    let view = SliceView::new(padded, &[0.0_f32; 15][..]).unwrap();
    let _ = view.into_slice::<0>(0..1);
}
