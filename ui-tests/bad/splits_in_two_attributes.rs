type A = xlayout::layout!(f32[4,6]{1,0:SC(0:1)SC(1:2)});
type B = xlayout::layout!(f32[16,256]{1,0:T(8,128)T(2,1)});

fn main() {}
