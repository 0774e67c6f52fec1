use xlayout::{ArrayRef, layout};

fn diagonal(a: &ArrayRef<f32, layout!(f32[2,3])>) -> f32 {
    let mut sum = 0.0;
    for i in a.axis::<0>().try_range(1..) {
        sum += a[(i, i)];
    }
    sum
}

fn main() {}
