use xlayout::{DynLayout, specialize};

fn f(x: &DynLayout) -> usize {
    specialize!(x, {
        f32[?,3] if x.dims().len() == 2 => x.dims().len(),
        _ => x.dims().len(),
    })
}

fn main() {}
