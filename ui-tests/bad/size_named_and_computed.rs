type A = xlayout::layout!(f32[?M/2, ?N M, N?, ?type]);

fn main() {}
