use xlayout::layout;

fn main() {
    let _ = layout!(fp8[2,3]);
}
