use xlayout::{DynLayout, specialize};

fn f(x: &DynLayout) -> usize {
    specialize!(x, {
        fp32[2,3]{0,1} => x.dims().len(),
        f32[2,3]{0} | f32[2;3] => x.dims().len(),
        _ => x.dims().len(),
    })
}

fn main() {}
