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
    for (row, weights) in w.rows().enumerate() {
        // Each weight is a number in an `i8`.
        let products = weights.iter().zip(x.iter());
        let sum: f32 = products.map(|(w, x)| f32::from(w) * x).sum();
        y[[row]] = scale * sum;
    }
    Ok(())
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
