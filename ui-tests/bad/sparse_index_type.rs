type A = xlayout::layout!(f32[16]{0:#(u32)});

fn main() {}
