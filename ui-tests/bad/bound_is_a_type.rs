use typenum::Unsigned;

fn f<N: Unsigned>(_: xlayout::layout!(f32[<=type N,3])) {}

fn main() {}
