use xlayout::{SliceView, layout};

fn main() {
    let data = [0_u8; 6];
    let _ = SliceView::new(layout!(f32[2,3]), &data[..]);
}
