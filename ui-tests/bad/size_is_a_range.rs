type A = xlayout::layout!(f32[0..3]);

fn main() {}
