type A = xlayout::layout!((f32[2], s32[]));

fn main() {}
