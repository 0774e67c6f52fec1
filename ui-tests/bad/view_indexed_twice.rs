use xlayout::{DynLayout, SliceView};

fn main() {
    let data = [0.0_f32; 6];
    let layout: DynLayout = "f32[2,3]".parse().unwrap();
    let view = SliceView::new(layout, &data[..]).unwrap();
    let _ = view[0][1];
}
