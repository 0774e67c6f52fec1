type A = xlayout::layout!(f32[2,3], padded_dimensions = [3, 2]);

fn main() {}
