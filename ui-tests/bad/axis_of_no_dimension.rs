use xlayout::{ConstLayout, View, layout};

type A = layout!(f32[2,3]);

fn main() {
    let view = View::new(&[0.0_f32; 6][..], A::NEW).unwrap();
    for (i, j) in A::axis::<0>().zip(A::axis::<2>()) {
        let _ = view[(i, j)];
    }
}
