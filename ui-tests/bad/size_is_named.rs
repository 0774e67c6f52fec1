type A = xlayout::layout!(f32[rows = 2, columns = 3]);

fn main() {}
