use xlayout::{Array, ArrayRef, layout};

layout! { type A = f32[2,3]; }

fn first_row(a: &ArrayRef<f32, A>) -> f32 {
    a[(a.axis::<0>()[1], 0)]
}

fn main() {
    let a = Array::from_fn(A, |at| at[0] as f32).unwrap();
    let b = Array::from_fn(A, |at| at[1] as f32).unwrap();
    let sum = &a + &b;
    let twice = b * 2.0;
    let rows: [[f32; 3]; 2] = a.clone().into();
    let collected: Array<f32, A> = [1.0; 6].into_iter().collect();
    let row = a.slice::<0>(1);
}
