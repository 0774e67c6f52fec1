use xlayout::{ConstLayout, View};

fn first<L: ConstLayout<Type = f32>>(_: View<'_, f32, L>) -> usize {
    L::axis::<0>().len()
}

fn main() {}
