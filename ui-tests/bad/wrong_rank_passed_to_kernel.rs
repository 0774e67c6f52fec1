use xlayout::{ArrayLayout, layout};

fn kernel(_: impl ArrayLayout<Coordinates = [usize; 2]>) {}

fn main() {
    kernel(layout!(f32[2,3,4]));
}
