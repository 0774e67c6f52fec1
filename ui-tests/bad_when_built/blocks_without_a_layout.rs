use xlayout::types::Nat;
use xlayout::{Array, layout};

fn main() {
    // `*` merges both dimensions.
    let a = Array::<f32, _>::zeros(layout!(f32[3,4]{0,1:T(3,1)(2)(*,2,1)})).unwrap();
    println!("{}", a.tiles::<(Nat<1>, Nat<2>)>().len());
    let a = Array::<f32, _>::zeros(layout!(f32[5,7])).unwrap();
    println!("{}", a.tiles::<(Nat<1>, Nat<0>)>().len());
}
