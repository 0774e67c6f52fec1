type A = xlayout::layout!(f32[99999999999999999999]);

fn main() {}
