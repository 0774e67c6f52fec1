xlayout::layout! {
    type = f32[2,3];
}

fn main() {}
