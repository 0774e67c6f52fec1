type A = xlayout::layout!([[f32; 3]; 2]);

fn main() {}
