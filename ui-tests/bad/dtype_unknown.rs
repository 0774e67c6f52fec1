type A = xlayout::layout!(banana[2,3]);

fn main() {}
