use xlayout::layout;

const STRIDES: &[usize] = <layout!(f32[16,256]{1,0:T(8,128)})>::STRIDES;

fn main() {}
