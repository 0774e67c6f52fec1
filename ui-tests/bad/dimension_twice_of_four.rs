type A = xlayout::layout!(f32[2,3,4,5]{3,1,3,1});

fn main() {}
