use xlayout::{Array, layout};

type A = layout!(f32[1,6]{1,0});

fn main() {
    let a = Array::zeros(A::NEW).unwrap();
    let rows = a.broadcast::<0>(4).unwrap();
    println!("{:?}", rows.with_step::<1>(.., 2));
}
