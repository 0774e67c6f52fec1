type A = xlayout::layout!(f32[Nat<8>, Num<U2>]);

fn main() {}
