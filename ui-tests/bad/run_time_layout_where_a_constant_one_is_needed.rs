use xlayout::{Dyn, FixedLayout};

fn kernel<L: FixedLayout>(_: L) -> usize {
    L::LEN
}

fn main() {
    let layout: Dyn = "f32[2,3]".parse().unwrap();
    kernel(layout);
}
