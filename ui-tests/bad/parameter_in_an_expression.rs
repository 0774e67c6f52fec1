use xlayout::layout;

fn double<const M: usize>(_: layout!(f32[{ M * 2 },3])) {}

fn main() {}
