type A = xlayout::layout!(f32{0,1});

fn main() {}
