use xlayout::{LaidOut, layout, specialize};

fn main() {
    let x = layout!(f32[2,3]);
    specialize!(x, {
        f32[2,3] => x.bytes(),
        _ => x.bytes(),
    });
}
