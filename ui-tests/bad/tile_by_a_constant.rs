const M: usize = 8;

type A = xlayout::layout!(f32[16,256]{1,0:T(M,128)});

fn main() {}
