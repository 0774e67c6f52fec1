//! Parameters that XLA may pass in several layouts.

use xlayout::{ArrayLayout, layout};
use xlayout_kernel::{Converted, In, Out, Pool};

/// Returns x, and its memory in the kernel.
#[xlayout_kernel::kernel(batch)]
fn any_order(
    #[also(layout!(f32[?M,?N]{0,1}))] x: In<layout!(f32[?M,?N]{1,0})>,
    mut y: Out<layout!(f32[?M,?N]{1,0})>,
    mut memory: Out<layout!(f32[?_]{0})>,
) {
    memory.memory_mut().copy_from_slice(x.memory());
    y.for_each_in_memory_mut(|index, y| *y = x[*index]);
}

/// The sum of two matrices of any orders, on XLA's threads; `orders` says which copy of it ran.
#[xlayout_kernel::kernel(isa = "baseline")]
fn sum_of_any(
    pool: Pool,
    #[also(layout!(f32[2,3]{0,1}))] a: In<layout!(f32[2,3]{1,0})>,
    #[also(layout!(f32[2,3]{0,1}))] b: In<layout!(f32[2,3]{1,0})>,
    mut sum: Out<layout!(f32[2,3]{1,0})>,
    mut orders: Out<layout!(s64[2,2]{1,0})>,
) {
    pool.for_each([&mut sum], |sum| {
        sum.for_each_in_memory_mut(|index, sum| *sum = a[*index] + b[*index]);
    });
    for (order, shape) in orders
        .memory_mut()
        .chunks_mut(2)
        .zip([a.layout().array_shape(), b.layout().array_shape()])
    {
        let minor_to_major = shape.layout.expect("it has one").minor_to_major;
        for (order, dimension) in order.iter_mut().zip(minor_to_major.iter()) {
            *order = *dimension;
        }
    }
}

/// Tiles, made by the kernel from what is row-major; or column-major as it is.
#[xlayout_kernel::kernel]
fn tiled_or_columns(
    #[also(layout!(f32[4,4]{0,1}))] x: In<Converted<layout!(f32[4,4]{1,0:T(2,2)})>>,
    mut memory: Out<layout!(f32[16]{0})>,
) {
    memory.memory_mut().copy_from_slice(x.memory());
}
