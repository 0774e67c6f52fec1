type A = xlayout::layout!(f32[ROWS,3]);

fn main() {}
