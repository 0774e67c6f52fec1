use xlayout::{View, layout};

fn main() {
    let view = View::new(&[0.0_f32; 6][..], layout!(f32[type typenum::U3, 2])).unwrap();
    let _ = view.delete_unit::<0>();
}
