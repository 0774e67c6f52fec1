use xlayout::{LaidOut, layout};

fn kernel(_: impl LaidOut<Coordinates = [usize; 2]>) {}

fn main() {
    kernel(layout!(f32[2,3,4]));
}
