use xlayout::{Array, layout};

type A = layout!(f32[4,6]{1,0});

fn main() {
    let a = Array::zeros(A::NEW).unwrap();
    let (left, _) = a.split_at::<1>(3).unwrap();
    let sum: f32 = left.memory().iter().sum();
    println!("{sum}");
}
