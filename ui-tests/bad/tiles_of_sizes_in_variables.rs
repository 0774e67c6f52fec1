use xlayout::{ArrayRef, layout};

type A = layout!(f32[16,256]{1,0:T(8,128)});

fn print(a: &ArrayRef<f32, A>, rows: usize, columns: usize) {
    for (at, tile) in a.tiles([rows, columns]) {
        println!("{at:?}: {tile:?}");
    }
}

fn main() {}
