type A = xlayout::layout!(f32[2,3]{2,1,0});

fn main() {}
