type A = xlayout::layout!(f32[?M+1, ?N M, N?, ?type]);

fn main() {}
