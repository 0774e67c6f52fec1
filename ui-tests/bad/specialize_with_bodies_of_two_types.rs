use xlayout::{DynLayout, specialize};

fn f(x: &DynLayout) -> usize {
    specialize!(x, {
        f32[2,3] => x.bytes(),
        _ => "unknown",
    })
}

fn main() {}
