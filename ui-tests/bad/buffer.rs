type A = xlayout::layout!(b(f32[2]));

fn main() {}
