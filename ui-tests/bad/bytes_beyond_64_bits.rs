type A = xlayout::layout!(f64[2305843009213693952]);

fn main() {}
