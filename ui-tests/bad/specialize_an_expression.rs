use xlayout::{Dyn, specialize};

fn f(x: &Dyn) -> usize {
    specialize!(x.clone(), {
        f32[?,3] => 0,
        _ => 1,
    })
}

fn main() {}
