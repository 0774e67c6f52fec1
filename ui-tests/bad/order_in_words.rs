type A = xlayout::layout!(f32[2,3] row_major);

fn main() {}
