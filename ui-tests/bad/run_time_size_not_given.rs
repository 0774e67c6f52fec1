use xlayout::layout;

fn main() {
    let _rows: layout!(f32[?,3]) = layout!(f32[?,3]);
}
