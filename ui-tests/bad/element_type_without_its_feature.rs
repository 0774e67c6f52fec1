use xlayout::{Array, layout};

type A = layout!(bf16[2,3]{1,0});

/// As `half::bf16` without the feature `half`.
#[derive(Clone, Copy)]
struct Bf16(u16);

fn main() {
    let _ = Array::<Bf16, A>::zeros(A::NEW);
}
