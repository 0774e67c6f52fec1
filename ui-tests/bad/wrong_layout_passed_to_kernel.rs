use xlayout::{View, layout};

fn kernel(_weights: View<'_, f32, layout!(f32[2,3]{0,1})>) {}

fn main() {
    let data = [0.0_f32; 6];
    let row_major = View::new(&data[..], layout!(f32[2,3]{1,0})).unwrap();
    kernel(row_major);
}
