type A = xlayout::layout!(f32[2,3], padding = [4, 4]);

fn main() {}
