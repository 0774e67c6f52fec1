type A = xlayout::layout!(f32["M",3]);

fn main() {}
