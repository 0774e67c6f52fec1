const M: u8 = 3;

type A = xlayout::layout!(f32[M as usize,3]);

fn main() {}
