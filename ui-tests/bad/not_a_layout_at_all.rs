use xlayout::LaidOut;

fn kernel(layout: impl LaidOut) -> usize {
    layout.bytes()
}

fn main() {
    kernel([2, 3]);
}
