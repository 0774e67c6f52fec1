use xlayout::{DynLayout, View, layout};

fn sum(_: View<f32, layout!(f32[2,3])>) {}

fn main() {
    let layout: DynLayout = "f32[2,3]".parse().unwrap();
    sum(View::new(&[0.0_f32; 6][..], layout).unwrap());
}
