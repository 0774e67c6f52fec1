use xlayout::{View, layout};

fn main() {
    let view = View::new(&[0.0_f32; 4096][..], layout!(f32[16,256]{1,0:T(8,128)})).unwrap();
    let _ = view.reshape(layout!(f32[4096]));
}
