type A = xlayout::layout!(f32[const M: usize,3]);

fn main() {}
