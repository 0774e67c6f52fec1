xlayout::layout! {
    pub type A = f32[2,3]
}

fn main() {}
