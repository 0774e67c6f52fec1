use xlayout::{Dyn, LaidOut, specialize};

fn bytes(x: &Dyn) -> usize {
    specialize!(x, {
        fp32[2,3]{0,1} => x.bytes(),
        f32[2,3]{0} | f32[2;3] => x.bytes(),
        _ => x.bytes(),
    })
}

fn main() {}
