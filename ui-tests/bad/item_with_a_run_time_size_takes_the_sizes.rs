xlayout::layout! {
    type A = f32[?,3];
}

fn main() { let _ = xlayout::Array::<f32, A>::zeros(A); }
