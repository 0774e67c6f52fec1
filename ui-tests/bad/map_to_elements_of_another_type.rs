use xlayout::{ArrayOf, layout};

fn rounded(a: &ArrayOf<layout!(f32[2,3])>) {
    let _ = a.map(|x| *x as i32);
}

fn main() {}
