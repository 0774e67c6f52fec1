use xlayout::layout;
use xlayout_kernel::{Out, Raw, Scalar};

#[xlayout_kernel::kernel]
fn fill(
    value: Scalar<Raw<xlayout::dtype::bf16>>,
    flags: &[bool],
    mut y: Out<layout!(f32[8]{0})>,
) {
    y.memory_mut().fill(if flags[0] { f32::from_bits(u32::from(value.to_bits())) } else { 0.0 });
}

fn main() {}
