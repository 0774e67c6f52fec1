type A = xlayout::layout!(token[]);

fn main() {}
