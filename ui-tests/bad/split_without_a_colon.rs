type A = xlayout::layout!(f32[16]{0:SC(0,8)});

fn main() {}
