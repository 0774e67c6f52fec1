type A = xlayout::layout!(f32[1e3]);

fn main() {}
