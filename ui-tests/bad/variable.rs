use xlayout::layout;

fn main() {
    let shape = "f32[2,3]";
    let _ = layout!(shape);
}
