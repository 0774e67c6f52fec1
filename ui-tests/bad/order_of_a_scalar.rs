type A = xlayout::layout!(f32[]{0});

fn main() {}
