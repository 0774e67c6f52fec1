type A = xlayout::layout!(f32[4294967296,4294967296]);

fn main() {}
