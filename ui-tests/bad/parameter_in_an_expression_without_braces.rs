use xlayout::layout;

fn double<const N: usize>(_: layout!(f32[N*2,3])) {}

fn main() {}
