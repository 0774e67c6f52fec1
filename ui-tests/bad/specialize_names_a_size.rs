use xlayout::{DynLayout, specialize};

fn rows(layout: &DynLayout) -> usize {
    specialize!(layout, {
        f32[n, 3] => n,
        _ => 0,
    })
}

fn main() {}
