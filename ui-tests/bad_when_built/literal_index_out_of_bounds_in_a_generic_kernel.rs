use xlayout::{ConstLayout, Rank, index, layout};

fn second<L: ConstLayout + Rank<1>>(_: L) -> usize {
    index!(L[1]).linear().get()
}

fn main() {
    second(layout!(f32[8]));
    second(layout!(f32[1]));
}
