xlayout::layout! {
    type A = f32[?,3];
}

fn main() { let _ = A; }
