type A = xlayout::layout!(f23[2,3]);

fn main() {}
