type A = xlayout::layout!(f32[2,3] <1,2>);

fn main() {}
