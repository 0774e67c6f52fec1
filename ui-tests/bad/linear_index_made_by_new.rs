use xlayout::{LinearIndex, layout};

type A = layout!(f32[2,3]);

fn main() {
    let _ = LinearIndex::<A>::proven(5);
}
