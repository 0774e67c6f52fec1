const M: usize = 2;
const K: usize = 3;

type A = xlayout::layout!(f32[M K]);

fn main() {}
