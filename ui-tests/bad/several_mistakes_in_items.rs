xlayout::layout! {
    pub type A = fp32[2,3];
    type B = f32[2,3]{0};
    type C<const M: usize> = f32[M+1];
    type D = f32[2,3];
}

fn main() { let _ = (A, B, D); }
