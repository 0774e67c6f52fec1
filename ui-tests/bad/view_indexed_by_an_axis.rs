use xlayout::{View, layout};

fn main() {
    let data = [0.0_f32; 6];
    let view = View::new(&data[..], layout!(f32[2,3])).unwrap();
    for i in view.axis::<0>() {
        let _ = view[(i, view.axis::<1>())];
    }
}
