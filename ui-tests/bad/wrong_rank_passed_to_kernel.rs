use xlayout::{Rank, layout};

fn kernel(_: impl Rank<2>) {}

fn main() {
    kernel(layout!(f32[2,3,4]));
}
