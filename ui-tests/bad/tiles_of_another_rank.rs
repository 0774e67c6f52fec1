use xlayout::types::Nat;
use xlayout::{Array, DynLayout, layout};

type A = layout!(f32[16,256]{1,0:T(8,128)});

fn main() {
    let a = Array::zeros(A::NEW).unwrap();
    for (_, tile) in a.tiles::<(Nat<8>,)>() {
        drop(tile);
    }
    let layout: DynLayout = "f32[16,256]{1,0}".parse().unwrap();
    let b = Array::<f32, _>::zeros(layout).unwrap();
    for (_, tile) in b.tiles::<(Nat<8>, Nat<128>)>() {
        drop(tile);
    }
}
