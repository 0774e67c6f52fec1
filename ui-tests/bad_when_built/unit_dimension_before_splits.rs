use xlayout::{View, layout};

fn main() {
    // Splits count dimensions from the most major one, which would be the new one.
    let view = View::new(&[0.0_f32; 24][..], layout!(f32[4,6]{1,0:SC(1:2)})).unwrap();
    let _ = view.insert_unit::<0>();
}
