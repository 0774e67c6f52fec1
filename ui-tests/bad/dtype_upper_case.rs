type A = xlayout::layout!(F32[2,3]);

fn main() {}
