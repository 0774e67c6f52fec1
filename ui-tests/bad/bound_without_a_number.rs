type A = xlayout::layout!(f32[<=,3]);

fn main() {}
