use xlayout::{SliceView, layout};

fn main() {
    let data = [0.0_f32; 8];
    let _ = SliceView::new(layout!(f32[8], sharding = {devices=[2]<=[2]}), &data[..]);
}
