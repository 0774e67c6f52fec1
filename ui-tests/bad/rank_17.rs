type A = xlayout::layout!(u8[1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1]);

fn main() {}
