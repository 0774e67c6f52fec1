//! The product of a matrix of 4-bit weights, two in a byte, and a vector.

use xlayout::Packed;
use xlayout::prelude::*;

/// y = scale * w * x.
///
/// # Errors
/// When the sizes do not fit.
fn multiply(
    w: &ArrayRef<Packed, impl Rank<2>>,
    x: &ArrayRef<f32, impl Rank<1>>,
    scale: f32,
    y: &mut ArrayRef<f32, impl Rank<1>>,
) -> Result<(), LayoutError> {
    // Each row comes as numbers in `i8`.
    w.along::<1>().reduce(y, |weights| {
        let products = weights.iter().zip(x.iter());
        scale * products.map(|(&w, x)| f32::from(w) * x).sum::<f32>()
    })
}

pub(crate) fn run() -> Result<(), LayoutError> {
    let w = Array::packed_from_fn(layout!(s4[3,8]{1,0:E(4)}), |&[i, k]| (i + k) as i8)?;
    let x = Array::from_fn(layout!(f32[8]), |&[k]| k as f32)?;
    let mut y = Array::zeros(layout!(f32[3]))?;
    multiply(&w, &x, 0.5, &mut y)?;
    // Of 8 and 9 the low four bits are kept, which are -8 and -7 in s4.
    assert_eq!(y.memory(), [70.0, 28.0, -6.0]);
    println!("{y:?}");
    Ok(())
}
