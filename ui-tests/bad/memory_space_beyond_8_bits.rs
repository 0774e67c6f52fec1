type A = xlayout::layout!(f32[16]{0:S(300)});

fn main() {}
