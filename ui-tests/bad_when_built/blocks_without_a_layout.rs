use xlayout::types::nat;
use xlayout::{Array, layout};

fn main() {
    // `*` merges both dimensions.
    let a = Array::<f32, _>::zeros(layout!(f32[3,4]{0,1:T(3,1)(2)(*,2,1)})).unwrap();
    println!("{}", a.tiles(nat![1, 2]).len());
    let a = Array::<f32, _>::zeros(layout!(f32[5,7])).unwrap();
    println!("{}", a.tiles(nat![1, 0]).len());
}
