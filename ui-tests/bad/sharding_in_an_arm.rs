use xlayout::{DynLayout, specialize};

fn kernel(layout: &DynLayout) -> usize {
    specialize!(layout, {
        f32[8,4], sharding = {replicated} => 1,
        _ => 2,
    })
}

fn main() {}
