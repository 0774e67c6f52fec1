type A = xlayout::layout!(opaque[]);

fn main() {}
