type A = xlayout::layout!(f32[type,3]);

fn main() {}
