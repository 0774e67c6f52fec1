type A = xlayout::layout!(f32[2,3]{0,2});

fn main() {}
