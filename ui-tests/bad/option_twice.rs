type A = xlayout::layout!(f32[2,3], padding_value = zero, padding_value = one);

fn main() {}
