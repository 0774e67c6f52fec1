type A = xlayout::layout!(f32[16,256]{1,0:(8,128)});

fn main() {}
