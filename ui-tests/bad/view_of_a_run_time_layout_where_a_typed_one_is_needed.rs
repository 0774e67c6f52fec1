use xlayout::{DynLayout, SliceView, layout};

fn sum(_: SliceView<f32, layout!(f32[2,3])>) {}

fn main() {
    let layout: DynLayout = "f32[2,3]".parse().unwrap();
    sum(SliceView::new(layout, &[0.0_f32; 6][..]).unwrap());
}
