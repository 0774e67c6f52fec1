use xlayout::types::nat;
use xlayout::{Array, layout};

type A = layout!(f32[16,256]{1,0:T(8,128)});

fn main() {
    let a = Array::zeros(A::NEW).unwrap();
    for (_, tile) in a.tiles(nat![8, 128]) {
        if let Some(tile) = tile.whole() {
            for i in tile.axis::<0>() {
                for j in tile.axis::<1>() {
                    println!("{}", tile[(j, i)]);
                }
            }
        }
    }
}
