type A = xlayout::layout!(f32[2], f32[3]);

fn main() {}
