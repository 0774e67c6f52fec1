use xlayout::layout;

type A = layout!(f32[2,3]:T(8,128));
type B = layout!(f32[2,3]{0,1}:T(8,128)S(1));
type C = layout!(f32[2,3] T(8,128));

fn main() {}
