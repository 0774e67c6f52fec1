type A = xlayout::layout!(f32['a,3]);

fn main() {}
