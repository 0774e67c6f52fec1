use xlayout::{Array, ArrayLayout, SliceView, SliceViewMut, layout};

type A = layout!(f32[2,3]{1,0});

fn sum<L: ArrayLayout>(a: SliceView<f32, L>) -> f32 {
    a.memory().iter().sum()
}

fn clear(mut a: SliceViewMut<f32, A>) {
    a.memory_mut().fill(0.0);
}

fn main() {
    let mut a = Array::<f32, A>::zeros(A::NEW).unwrap();
    sum(&a);
    sum(a);
    clear(&mut a);
}
