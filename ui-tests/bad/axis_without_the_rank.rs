use xlayout::{FixedLayout, View};

fn first<L: FixedLayout<Type = f32>>(_: View<'_, f32, L>) -> usize {
    L::axis::<0>().len()
}

fn main() {}
