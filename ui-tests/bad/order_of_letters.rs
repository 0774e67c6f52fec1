type A = xlayout::layout!(f32[2,3] <x, y>);

fn main() {}
