const M: usize = 3;

type A = xlayout::layout!(f32[M.pow(2),3]);

fn main() {}
