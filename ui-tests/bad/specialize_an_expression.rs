use xlayout::{DynLayout, specialize};

fn f(x: &DynLayout) -> usize {
    specialize!(x.clone(), {
        f32[?,3] => 0,
        _ => 1,
    })
}

fn main() {}
