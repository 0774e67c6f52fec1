use xlayout::{View, layout};

fn main() {
    let view = View::new(&[0.0_f32; 6][..], layout!(f32[2,3])).unwrap();
    let _ = view.transpose(layout!(f32[3,2]{1,0}));
}
