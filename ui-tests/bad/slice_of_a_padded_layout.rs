use xlayout::{View, layout};

fn main() {
    let padded = layout!(f32[2,3] <1,0>, padded_dimensions = [3, 5]);
    let view = View::new(&[0.0_f32; 15][..], padded).unwrap();
    let _ = view.into_slice::<0>(0..1);
}
