use xlayout::{SliceView, index, layout};

type A = layout!(f32[2,3]);

fn f(a: SliceView<f32, A>) -> f32 {
    a[index!(A(1, 2))]
}

fn g(a: SliceView<f32, A>) -> f32 {
    a[index!(A[1][2])]
}

fn main() {}
