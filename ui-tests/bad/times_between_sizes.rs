type A = xlayout::layout!(f32[2x3]);

fn main() {}
