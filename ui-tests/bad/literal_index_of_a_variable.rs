use xlayout::{SliceView, index, layout};

type A = layout!(f32[2,3]);

fn read(a: SliceView<'_, f32, A>, i: usize) -> f32 {
    a[index!(A[i, 2])]
}

fn main() {}
