use xlayout::layout;

const LARGE: usize = 1 << 40;
const BYTES: usize = <layout!(f32[LARGE,LARGE])>::BYTES;

fn main() {}
