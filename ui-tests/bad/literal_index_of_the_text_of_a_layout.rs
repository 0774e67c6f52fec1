use xlayout::{SliceView, index, layout};

fn f(a: SliceView<f32, layout!(f32[2,3]{0,1})>) -> f32 {
    a[index!(f32[2,3]{0,1}[1, 2])]
}

fn main() {}
