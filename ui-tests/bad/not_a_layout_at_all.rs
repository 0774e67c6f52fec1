use xlayout::ArrayLayout;

fn kernel(layout: impl ArrayLayout) -> usize {
    layout.bytes()
}

fn main() {
    kernel([2, 3]);
}
