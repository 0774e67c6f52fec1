use xlayout::{Dyn, LaidOut, specialize};

fn f(x: &Dyn) -> usize {
    specialize!(x, {
        f32[2,3] => x.bytes(),
        _ => "unknown",
    })
}

fn main() {}
