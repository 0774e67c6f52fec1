const P: usize = 8;

type A = xlayout::layout!(f32[2,3], padded_dimensions = [P, 3]);

fn main() {}
