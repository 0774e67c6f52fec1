use xlayout::{ConstLayout, layout};

fn kernel<L: ConstLayout>(_: L) -> usize {
    L::BUFFER_LEN
}

fn main() {
    kernel(layout!(f32[?,3])([2, 3]).unwrap());
}
