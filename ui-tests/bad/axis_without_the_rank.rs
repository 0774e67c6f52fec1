use xlayout::{ConstLayout, SliceView};

fn first<L: ConstLayout<Type = f32>>(_: SliceView<'_, f32, L>) -> usize {
    L::axis::<0>().len()
}

fn main() {}
