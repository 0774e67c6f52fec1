use xlayout::{Dyn, LaidOut, specialize};

fn bytes(x: &Dyn) -> usize {
    specialize!(x.clone(), {
        f32[?,3] => 0,
        _ => 1,
    })
}

fn main() {}
