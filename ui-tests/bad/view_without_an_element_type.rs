use xlayout::{Array, View, ViewMut, layout};

fn f(_: View<layout!(f32[2,3])>, _: ViewMut<layout!(f32[2,3])>) -> Array<layout!(f32[2,3])> {
    loop {}
}

fn main() {}
