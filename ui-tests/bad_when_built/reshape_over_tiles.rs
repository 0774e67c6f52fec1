use xlayout::{SliceView, layout};

fn main() {
    let view = SliceView::new(layout!(f32[16,256]{1,0:T(8,128)}), &[0.0_f32; 4096][..]).unwrap();
    let _ = view.reshape(layout!(f32[4096]));
}
