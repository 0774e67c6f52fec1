use xlayout::{DynLayout, specialize};

fn f(x: &DynLayout) -> usize {
    specialize!(x, {
        f32[2,3]{0,1} => x.dims().len(),
        f32[?,3] => x.dims().len(),
    })
}

fn main() {}
