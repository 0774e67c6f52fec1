//! An operand that XLA passes row-major, and that the kernel has column-major.

use xlayout::{ArrayLayout, layout};
use xlayout_kernel::{Converted, Error, In, Out, Pool, Result, lines};

/// The index of the first largest number of each row.
///
/// Rows of a few numbers leave lanes empty. Down the columns the loop compares a number of each of
/// many rows at once.
#[xlayout_kernel::kernel(batch)]
pub fn argmax_by_columns(
    pool: Pool,
    x: In<Converted<layout!(f32[?M, ?N]{0,1})>>,
    mut index: Out<layout!(s32[?M]{0})>,
) -> Result<()> {
    const ROWS: usize = 512;
    let [_, n] = x.layout().shape();
    if n == 0 {
        return Err(Error::invalid_argument(
            "a row without numbers has no largest one",
        ));
    }
    let x = x.memory();
    let index = index.memory_mut();
    pool.for_each(index.chunks_mut(ROWS).enumerate(), |(k, index)| {
        let mut largest = [f32::NEG_INFINITY; ROWS];
        index.fill(0);
        for (j, column) in lines(x, n).enumerate() {
            let column = &column[k * ROWS..][..index.len()];
            for ((x, largest), index) in column.iter().zip(&mut largest).zip(&mut *index) {
                // As `jnp.argmax`: a NaN is larger than any number, and the first one counts.
                let is_larger = *x > *largest || x.is_nan() && !largest.is_nan();
                *largest = if is_larger { *x } else { *largest };
                *index = if is_larger { j as i32 } else { *index };
            }
        }
    });
    Ok(())
}
