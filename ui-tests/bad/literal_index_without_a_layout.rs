use xlayout::index;

fn main() {
    let _ = index!([1, 2]);
}
