use xlayout::{Array, layout};

fn rounded(a: &Array<f32, layout!(f32[2,3])>) {
    let _ = a.map(|x| *x as i32);
}

fn main() {}
