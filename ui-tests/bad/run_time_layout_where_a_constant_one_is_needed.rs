use xlayout::{DynLayout, ConstLayout};

fn kernel<L: ConstLayout>(_: L) -> usize {
    L::BUFFER_LEN
}

fn main() {
    let layout: DynLayout = "f32[2,3]".parse().unwrap();
    kernel(layout);
}
