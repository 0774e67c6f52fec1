type A = xlayout::layout!(core::primitive::f32[2,3]);

fn main() {}
