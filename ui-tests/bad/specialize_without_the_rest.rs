use xlayout::{Dyn, LaidOut, specialize};

fn bytes(x: &Dyn) -> usize {
    specialize!(x, {
        f32[2,3]{0,1} => x.bytes(),
        f32[?,3] => x.bytes(),
    })
}

fn main() {}
