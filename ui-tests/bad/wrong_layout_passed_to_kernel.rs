use xlayout::{SliceView, layout};

fn kernel(_weights: SliceView<'_, f32, layout!(f32[2,3]{0,1})>) {}

fn main() {
    let data = [0.0_f32; 6];
    let row_major = SliceView::new(layout!(f32[2,3]{1,0}), &data[..]).unwrap();
    kernel(row_major);
}
