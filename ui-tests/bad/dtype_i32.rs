use xlayout::layout;

fn main() {
    let _ = layout!(i32[2,3]);
}
