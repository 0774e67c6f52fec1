xlayout::layout! {
    pub type A = f32[2,3]
    pub type B = f32[3,2];
}

fn main() {}
