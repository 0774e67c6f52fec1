use xlayout::{FixedLayout, layout};

fn kernel<L: FixedLayout>(_: L) -> usize {
    L::LEN
}

fn main() {
    kernel(layout!(f32[?,3])([2, 3]).unwrap());
}
