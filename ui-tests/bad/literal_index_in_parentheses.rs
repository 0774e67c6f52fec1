use xlayout::{View, index, layout};

type A = layout!(f32[2,3]);

fn f(a: View<f32, A>) -> f32 {
    a[index!(A(1, 2))]
}

fn g(a: View<f32, A>) -> f32 {
    a[index!(A[1][2])]
}

fn main() {}
