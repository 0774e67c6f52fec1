type A = xlayout::layout!(f32[2,3]{0,1};);

fn main() {}
