type A = xlayout::layout!(usize[4]);

fn main() {}
