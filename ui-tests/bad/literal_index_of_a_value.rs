use xlayout::{SliceView, index, layout};

type A = layout!(f32[2,3]{0,1});

fn f(a: SliceView<f32, A>) -> f32 {
    let i = index!(a[1, 2]);
    a[i]
}

fn main() {}
