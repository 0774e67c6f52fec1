type A = xlayout::layout!();

fn main() {}
