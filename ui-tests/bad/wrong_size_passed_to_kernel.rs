use xlayout::layout;

fn kernel(_: layout!(f32[2,3])) {}

fn main() {
    kernel(layout!(f32[3,3]));
}
