use xlayout::types::Nat;
use xlayout::{Array, layout};

type A = layout!(f32[24,256]{1,0:T(8,128)});

fn main() {
    let a = Array::zeros(A::NEW).unwrap();
    println!("{}", a.tiles::<(Nat<6>, Nat<128>)>().len());
}
