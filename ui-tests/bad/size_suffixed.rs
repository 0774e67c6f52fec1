type A = xlayout::layout!(f32[2usize,3]);

fn main() {}
