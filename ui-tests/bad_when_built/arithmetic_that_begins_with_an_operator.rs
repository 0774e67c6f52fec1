use xlayout::{Array, layout};

layout! { type A = f32[2,3]; }

fn main() {
    let a = Array::from_fn(A, |at| at[0] as f32).unwrap();
    let negative = -&a;
    let twice = 2.0 * &a;
}
