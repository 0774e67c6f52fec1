type A = xlayout::layout!(f32[1_000]);

fn main() {}
