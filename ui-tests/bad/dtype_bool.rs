type A = xlayout::layout!(bool[2,3]);

fn main() {}
