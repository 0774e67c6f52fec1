use xlayout::SliceView;

fn main() {
    let data = [0.0_f32; 6];
    let _ = SliceView::new("f32[2,3]", &data[..]);
}
