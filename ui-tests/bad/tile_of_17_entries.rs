type A = xlayout::layout!(f32[4]{0:T(1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,4)});

fn main() {}
