xlayout::layout! {
    A = f32[2,3];
}

fn main() {}
