const M: usize = 1;

type A = xlayout::layout!(f32[2,3]{M,0});

fn main() {}
