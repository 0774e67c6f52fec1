use xlayout::types::nat;
use xlayout::{Array, ArrayLayout, layout};

type A = layout!(f32[16,256]{1,0:T(8,128)});

fn main() {
    let a = Array::zeros(A::NEW).unwrap();
    for (_, tile) in a.tiles(nat![8, 128]) {
        if let Some(tile) = tile.whole() {
            let index = tile.layout().index([7, 127]).unwrap();
            println!("{} {}", tile[index], a[index]);
        }
    }
}
