//! A kernel for every element type that XLA passes: it copies column-major to row-major.

use xlayout::layout;
use xlayout_kernel::{In, Out, Scalar};

macro_rules! types {
    ($($name:ident $dtype:ident;)*) => {$(
        /// Returns x in the other sequence.
        #[xlayout_kernel::kernel(isa = "baseline")]
        fn $name(x: In<layout!($dtype[?,?]{0,1})>, mut y: Out<layout!($dtype[?,?]{1,0})>) {
            y.for_each_in_memory_mut(|index, y| *y = x[*index]);
        }
    )*};
}
types! {
    turn_pred pred;
    turn_s8 s8;
    turn_s16 s16;
    turn_s32 s32;
    turn_s64 s64;
    turn_u8 u8;
    turn_u16 u16;
    turn_u32 u32;
    turn_u64 u64;
    turn_f16 f16;
    turn_f32 f32;
    turn_f64 f64;
    turn_bf16 bf16;
    turn_c64 c64;
    turn_c128 c128;
    turn_f8e5m2 f8e5m2;
    turn_f8e4m3fn f8e4m3fn;
    turn_f8e4m3b11fnuz f8e4m3b11fnuz;
    turn_f8e5m2fnuz f8e5m2fnuz;
    turn_f8e4m3fnuz f8e4m3fnuz;
    turn_f8e4m3 f8e4m3;
    turn_f8e3m4 f8e3m4;
    turn_f8e8m0fnu f8e8m0fnu;
}

macro_rules! packed {
    ($($name:ident $dtype:ident $bits:tt;)*) => {$(
        /// Returns x in the other sequence; several elements share a byte.
        #[xlayout_kernel::kernel(isa = "baseline")]
        fn $name(
            x: In<layout!($dtype[?,?]{0,1:E($bits)})>,
            mut y: Out<layout!($dtype[?,?]{1,0:E($bits)})>,
        ) {
            x.for_each_in_memory(|index, number| assert!(y.set(index, number)));
        }
    )*};
}
packed! {
    turn_s4 s4 4;
    turn_u4 u4 4;
    turn_s2 s2 2;
    turn_u2 u2 2;
    turn_f4e2m1fn f4e2m1fn 4;
}

/// The bytes of x, two elements in each.
#[xlayout_kernel::kernel]
fn bytes_of_s4(x: In<layout!(s4[?]{0:E(4)})>, mut y: Out<layout!(u8[?_]{0})>) {
    y.memory_mut().copy_from_slice(x.as_bytes());
}

/// Returns x in the other sequence, a whole batch at once.
#[xlayout_kernel::kernel(batch)]
fn batch_turn_s4(x: In<layout!(s4[?,?]{0,1:E(4)})>, mut y: Out<layout!(s4[?,?]{1,0:E(4)})>) {
    x.for_each_in_memory(|index, number| assert!(y.set(index, number)));
}

/// `a * x + y`, of three element types from one declaration; the product as an integer of T's own.
#[xlayout_kernel::kernel(types(T = f32, s32, f64), batch, independent = "N")]
fn axpy(
    a: Scalar<T>,
    #[also(layout!(T[?M,?N]{0,1}))] x: In<layout!(T[?M,?N]{1,0})>,
    y: In<layout!(T[?M,?N]{1,0})>,
    mut z: Out<layout!(T[?M,?N]{1,0})>,
) {
    let zero = T::default();
    z.for_each_in_memory_mut(|index, z| *z = *a * x[*index] + y[*index] + zero);
}

/// The bits of x, in the Rust type that holds them, from one of two types that Rust does not have.
#[xlayout_kernel::kernel(types(Element = bf16, f16), vjp = floats16_grad)]
fn floats16(x: In<layout!(Element[?N])>, mut y: Out<layout!(Element[?N])>) {
    let list: &[Element] = x.memory();
    y.memory_mut().copy_from_slice(list);
}

/// The derivative of `floats16`, of each type.
#[xlayout_kernel::kernel(types(T = bf16, f16))]
fn floats16_grad(dy: In<layout!(T[?N])>, mut dx: Out<layout!(T[?N])>) {
    dx.memory_mut().copy_from_slice(dy.memory());
}
