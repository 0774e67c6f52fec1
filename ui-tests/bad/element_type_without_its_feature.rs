use xlayout::{Array, FixedLayout, View, layout};

type A = layout!(bf16[2,3]{1,0});

/// As `half::bf16` without the feature `half`.
#[derive(Clone, Copy)]
struct Bf16(u16);

fn main() {
    let _ = Array::<Bf16, A>::zeros(A::NEW);
    let _ = Array::<Bf16, A>::from_fn(A::NEW, |_| Bf16(0));
    let _ = View::<Bf16, A>::new(&[Bf16(0); 6], A::NEW);
}
