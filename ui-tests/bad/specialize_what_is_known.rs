use xlayout::{ArrayLayout, layout, specialize};

fn main() {
    let x = layout!(f32[2,3]);
    specialize!(x, {
        f32[2,3] => x.bytes(),
        f32[3,3] | f32[?,3] => x.shape()[0],
        _ => x.bytes(),
    });
}
