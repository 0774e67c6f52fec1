use xlayout::layout;

const ROWS: usize = 9;
const BYTES: usize = <layout!(f32[ROWS,3], padded_dimensions = [8, 3])>::BYTES;

fn main() {}
