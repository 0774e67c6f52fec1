use xlayout::{Dyn, LaidOut, specialize};

fn bytes(x: &Dyn) -> usize {
    specialize!(x, {
        f32[?,3] if x.rank() == 2 => x.bytes(),
        _ => x.bytes(),
    })
}

fn main() {}
