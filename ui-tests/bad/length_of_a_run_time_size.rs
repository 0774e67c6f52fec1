use xlayout::layout;

static BUFFER: [f32; <layout!(f32[?,3])>::BUFFER_LEN] = [0.0; 6];

fn main() {}
