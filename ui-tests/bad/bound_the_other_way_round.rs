type A = xlayout::layout!(f32[>=8,3]);

fn main() {}
