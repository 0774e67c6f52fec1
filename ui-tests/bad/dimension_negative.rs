type A = xlayout::layout!(f32[2,3]{-1,0});

fn main() {}
