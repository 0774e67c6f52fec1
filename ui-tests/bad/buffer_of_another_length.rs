use xlayout::layout;

type A = layout!(f32[2,3], padded_dimensions = [3, 5]);

static BUFFER: [f32; A::BUFFER_LEN] = [0.0; 6];

fn main() {}
