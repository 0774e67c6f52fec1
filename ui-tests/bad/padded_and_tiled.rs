type A = xlayout::layout!(f32[2,3]{1,0:T(2,2)}, padded_dimensions = [4, 4]);

fn main() {}
