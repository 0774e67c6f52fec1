use xlayout::{Array, layout};

type A = layout!(f32[4,6]{1,0});

fn main() {
    let mut a = Array::zeros(A::NEW).unwrap();
    let (mut top, _) = a.split_at_mut::<0>(2).unwrap();
    let (mut left, _) = a.split_at_mut::<1>(3).unwrap();
    top[[0, 0]] = 1.0;
    left[[0, 0]] = 2.0;
}
