use xlayout::types::nat;
use xlayout::{Array, layout};

type A = layout!(f32[24,256]{1,0:T(8,128)});

fn main() {
    let a = Array::zeros(A::NEW).unwrap();
    println!("{}", a.tiles(nat![6, 128]).len());
}
