type A = xlayout::layout!(f32[0x10,3]);

fn main() {}
