use xlayout::{Dyn, LaidOut, specialize};

fn bytes(x: &Dyn) -> usize {
    specialize!(x, {
        layout!(f32[?,3]) => x.bytes(),
        _ => x.bytes(),
    })
}

fn main() {}
