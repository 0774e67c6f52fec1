xlayout::layout! {
    pub const A = f32[2,3];
}

fn main() {}
