use xlayout::{index, layout};

type A = layout!(f32[2,3]{0,1});

fn main() {
    let _ = index!(A[1, 3]);
}
