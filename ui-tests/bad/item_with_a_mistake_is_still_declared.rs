xlayout::layout! {
    type A = f32[2,3]{0};
}

fn main() { let _: A = A; }
