use xlayout::{Dyn, specialize};

fn f(x: &Dyn) -> usize {
    specialize!(x, f32[?,3] => x.dims().len(), _ => x.dims().len())
}

fn main() {}
