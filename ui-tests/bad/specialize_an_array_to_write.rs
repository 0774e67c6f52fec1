use xlayout::{ArrayRef, DynLayout, specialize};

fn clear(a: &mut ArrayRef<f32, DynLayout>) {
    specialize!(a, {
        f32[2,3] => a.fill(0.0),
        _ => a.fill(0.0),
    });
}

fn main() {}
