use xlayout::{Dyn, LaidOut, specialize};

fn bytes(x: &Dyn) -> usize {
    specialize!(x, {
        _ => x.bytes(),
        f32[2,3]{0,1} => x.bytes(),
    })
}

fn main() {}
