//! A trait whose implementations say the layouts of their arrays, and code that is generic over it.

use xlayout::prelude::*;

/// Where a program runs: it says how matrices of a size lie in memory.
trait Backend {
    type Matrix<const M: usize, const N: usize>: ConstLayout<Type = f32> + Rank<2>;
}

struct Host;

impl Backend for Host {
    type Matrix<const M: usize, const N: usize> = layout!(f32[M,N]{1,0});
}

struct Tpu;

impl Backend for Tpu {
    type Matrix<const M: usize, const N: usize> = layout!(f32[M,N]{1,0:T(8,128)});
}

/// The product of two matrices, in the layouts of a backend.
fn product<B: Backend, const M: usize, const K: usize, const N: usize>(
    a: &ArrayRef<f32, B::Matrix<M, K>>,
    b: &ArrayRef<f32, B::Matrix<K, N>>,
) -> Result<Array<f32, B::Matrix<M, N>>, LayoutError> {
    let mut c = Array::zeros(B::Matrix::<M, N>::NEW)?;
    for i in c.axis::<0>() {
        for k in a.axis::<1>() {
            for j in c.axis::<1>() {
                c[(i, j)] += a[(i, k)] * b[(k, j)];
            }
        }
    }
    Ok(c)
}

fn sum<B: Backend>() -> Result<f32, LayoutError> {
    let a = Array::from_fn(B::Matrix::<3, 4>::NEW, |&[i, k]| (i + k) as f32)?;
    let b = Array::from_fn(B::Matrix::<4, 5>::NEW, |&[k, j]| (k * j) as f32)?;
    let c = product::<B, 3, 4, 5>(&a, &b)?;
    println!(
        "{} elements are allocated for {}",
        c.memory().len(),
        c.len()
    );
    Ok(c.iter().sum())
}

pub(crate) fn run() -> Result<(), LayoutError> {
    assert_eq!(sum::<Host>()?, sum::<Tpu>()?);
    Ok(())
}
