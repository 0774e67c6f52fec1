use xlayout::types::nat;
use xlayout::{Array, DynLayout, layout};

type A = layout!(f32[16,256]{1,0:T(8,128)});

fn main() {
    let a = Array::zeros(A::NEW).unwrap();
    for (_, tile) in a.tiles(nat![8]) {
        drop(tile);
    }
    let layout: DynLayout = "f32[16,256]{1,0}".parse().unwrap();
    let b = Array::<f32, _>::zeros(layout).unwrap();
    for (_, tile) in b.tiles(nat![8, 128]) {
        drop(tile);
    }
}
