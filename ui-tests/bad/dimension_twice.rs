type A = xlayout::layout!(f32[2,3]{0,0});

fn main() {}
