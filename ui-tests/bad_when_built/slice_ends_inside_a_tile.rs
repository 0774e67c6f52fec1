use xlayout::{View, layout};

fn main() {
    let view = View::new(&[0.0_f32; 6144][..], layout!(f32[24,256]{1,0:T(8,128)})).unwrap();
    let _ = view.const_slice::<0, 8, 12>();
}
