type A = xlayout::layout!(f32[2.0,3]);

fn main() {}
