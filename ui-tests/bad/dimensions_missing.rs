type A = xlayout::layout!(f32);

fn main() {}
