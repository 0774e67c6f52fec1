use xlayout::{View, layout};

fn main() {
    let data = [0.0; 6];
    let mut view = View::new(&data, layout!(f32[2,3])).unwrap();
    view[[0, 0]] = 1.0;
}
