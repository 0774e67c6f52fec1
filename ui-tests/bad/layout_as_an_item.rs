xlayout::layout! { f32[2,3] }

fn main() {}
