use xlayout::layout;

fn main() {
    let _ = layout!(T[2,3]);
}
