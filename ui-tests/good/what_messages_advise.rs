//! What the messages of mistakes with views and kernels say to write.
#![allow(unused, clippy::clone_on_copy)]

use xlayout::{Array, ArrayLayout, Rank, Raw, View, ViewMut, dtype, kernel, layout};
use xlayout_kernel::{Error, In, Out, Result};

type A = layout!(f32[2,3]{1,0});

fn sum<L: ArrayLayout>(a: View<f32, L>) -> f32 {
    a.memory().iter().sum()
}

fn clear<L: ArrayLayout>(mut a: ViewMut<f32, L>) {
    a.memory_mut().fill(0.0);
}

// A function for any layout of two dimensions.
fn first_of_second_row<L: Rank<2>>(a: View<f32, L>) -> f32 {
    a[[1, 0]]
}

#[kernel]
fn total(x: In<A>, mut y: Out<layout!(f32[])>) -> Result<()> {
    y[[]] = sum(x.as_view());
    if y[[]].is_nan() {
        return Err(Error::invalid_argument("a NaN"));
    }
    Ok(())
}

fn main() {
    let mut a = Array::<f32, A>::from_fn(A::NEW, |index| index[0] as f32).unwrap();
    assert_eq!((sum(a.as_view()), sum((&a).into())), (3.0, 3.0));
    assert_eq!(first_of_second_row(a.as_view()), 1.0);
    clear(a.as_view_mut());
    clear((&mut a).into());
    assert_eq!(sum(a.as_view()), 0.0);

    let bits = [0x80, 0x3f, 0, 0];
    let raw = View::<Raw<dtype::bf16>, _>::from_bytes(&bits, layout!(bf16[2]{0}));
    let raw = raw.map(|raw| raw[[0]].to_bits());
    // Bytes on the stack may begin where no element may.
    assert!(raw.is_err() || raw == Ok(0x3f80));
    let packed = View::packed(&[0x21], layout!(s4[2]{0:E(4)})).unwrap();
    assert_eq!(packed.get(&[1]), Some(2));

    let b = Array::<f32, A>::from_fn(A::NEW, |at| at[1] as f32).unwrap();
    a.for_each_mut(|_, x| *x *= 2.0);
    let twice = b.map(|x| x * 2.0).unwrap();
    let sum_of_both = Array::from_fn(a.layout().clone(), |at| a[at] + twice[at]).unwrap();
    assert_eq!(sum_of_both[[1, 2]], 4.0);
    let collected = Array::from_row_major(A::NEW, &vec![1.0; 6]).unwrap();
    assert_eq!(collected.region([0, 1], [1, 2]).unwrap().len(), 2);
}
