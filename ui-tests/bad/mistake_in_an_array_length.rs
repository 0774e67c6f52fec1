use xlayout::layout;

static BUFFER: [f32; <layout!(f32[2,3]{1})>::BUFFER_LEN] = [0.0; 6];

fn main() {}
