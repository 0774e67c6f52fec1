use xlayout::{View, index, layout};

fn f(a: View<f32, layout!(f32[2,3]{0,1})>) -> f32 {
    a[index!(f32[2,3]{0,1}[1, 2])]
}

fn main() {}
