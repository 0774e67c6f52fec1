use xlayout::{Array, SliceView, SliceViewMut, layout};

fn f(_: SliceView<layout!(f32[2,3])>, _: SliceViewMut<layout!(f32[2,3])>) -> Array<layout!(f32[2,3])> {
    loop {}
}

fn main() {}
