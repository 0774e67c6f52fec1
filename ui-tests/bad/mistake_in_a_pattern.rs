use xlayout::layout;

fn main() {
    match layout!(f32[2,3]) {
        layout!(f32[2;3]) => {}
    }
}
