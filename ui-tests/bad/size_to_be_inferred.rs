use xlayout::layout;

fn main() {
    let _ = layout!(f32[_,3]);
}
