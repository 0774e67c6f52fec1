use xlayout::{View, layout};

fn main() {
    let view = View::new(&[0.0_f32; 2048][..], layout!(f32[16,1]{1,0:T(8,128)})).unwrap();
    let _ = view.delete_unit::<1>();
}
