type A = xlayout::layout!(f32[size_of::<u64>(),3]);

fn main() {}
