type A = xlayout::layout!(f32[2+1,3]);

fn main() {}
