type A = xlayout::layout!(f32[2,3], padding_value = zeros);

fn main() {}
