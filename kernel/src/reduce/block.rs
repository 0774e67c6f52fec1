//! A block of a matrix product, with all its sums in registers.

use super::Number;

/// A number whose sums are rounded: `f32` and `f64`.
///
/// The trait is sealed.
pub trait Float: Number {}
impl Float for f32 {}
impl Float for f64 {}

/// The most rows of a block.
const MOST_ROWS: usize = 6;
/// The columns of a block are a multiple of this: a register of AVX-512 has 16 lanes of `f32`.
const COLUMNS: usize = 16;
/// The most elements of a block. They stay in the 32 registers of AVX-512.
const MOST: usize = 256;

/// A block of `R` rows and `C` columns of a matrix product.
///
/// `a` has a column of the left matrix in each item (`R` elements). `b` has a row of the right matrix
/// in each item (`C` elements). Element `[r][c]` of the result begins at 0 and becomes
/// `step(sum, a[k][r], b[k][c])` for each `k` in sequence. So the result has the same bits on every
/// processor, and for every size of the blocks.
///
/// The sums are in registers, and each element of `b` is loaded once for `R` products. Copy the
/// operands into arrays of this form first: into `b` once for all rows, into `a` once for all
/// columns. With AVX-512 a block of 6 x 32 has the highest speed, with AVX2 one of 6 x 16.
///
/// `f32::mul_add` as `step` is one instruction in a kernel. It rounds once: in the product of
/// integers that are exact in `f32`, a sum below 2^24 is exact, too.
///
/// ```
/// use xlayout_kernel::reduce::block_product;
///
/// // A column of 2 elements times a row of 16, for each of 3 values of k.
/// let a = [[1.0_f32, 2.0], [3.0, 4.0], [5.0, 6.0]];
/// let b = [[1_i8; 16], [10; 16], [100; 16]];
/// let c = block_product(&a, &b, |sum, a, b| a.mul_add(f32::from(b), sum));
/// assert_eq!(c, [[531.0; 16], [642.0; 16]]);
/// ```
///
/// The compiler refuses a block that does not fit into registers:
///
/// ```compile_fail
/// use xlayout_kernel::reduce::block_product;
/// let c = block_product(&[[1.0_f32; 8]], &[[1.0_f32; 16]], |sum, a, b| a.mul_add(b, sum));
/// ```
///
/// # Panics
/// If the slices differ in length.
#[inline(always)]
#[must_use]
#[track_caller]
pub fn block_product<A: Copy, B: Copy, T: Float, const R: usize, const C: usize>(
    a: &[[A; R]],
    b: &[[B; C]],
    step: impl Fn(T, A, B) -> T,
) -> [[T; C]; R] {
    const {
        assert!(
            R >= 1 && R <= MOST_ROWS,
            "a block has 1 to 6 rows: use smaller blocks"
        );
        assert!(
            C >= COLUMNS && C.is_multiple_of(COLUMNS),
            "the columns of a block are a multiple of 16"
        );
        assert!(
            R * C <= MOST,
            "a block has at most 256 elements: use smaller blocks"
        );
    }
    let (found, expected) = (b.len(), a.len());
    assert!(
        found == expected,
        "the second slice has {found} items and the first has {expected}: pass slices of one length"
    );
    let mut sums = [[T::ZERO; C]; R];
    for (a, b) in a.iter().zip(b) {
        for r in 0..R {
            for c in 0..C {
                sums[r][c] = step(sums[r][c], a[r], b[c]);
            }
        }
    }
    sums
}

#[cfg(test)]
mod tests {
    use super::block_product;

    /// All blocks of some sizes, compared with sums in the documented order.
    #[test]
    fn each_sum_is_in_sequence() {
        fn check<const R: usize, const C: usize>() {
            for n in [0, 1, 2, 7, 33, 100] {
                let number = |k: usize| (k * 37 % 101) as f32 * 1.1 - 50.0;
                let a: Vec<[f32; R]> = (0..n)
                    .map(|k| core::array::from_fn(|r| number(k * R + r)))
                    .collect();
                let b: Vec<[f32; C]> = (0..n)
                    .map(|k| core::array::from_fn(|c| number(k * C + c + 5)))
                    .collect();
                let c = block_product(&a, &b, |sum: f32, a, b| sum + a * b);
                for (row, sums) in c.iter().enumerate() {
                    for (column, sum) in sums.iter().enumerate() {
                        let products = a.iter().zip(&b).map(|(a, b)| a[row] * b[column]);
                        let expected = products.fold(0.0_f32, |sum, product| sum + product);
                        assert_eq!(sum.to_bits(), expected.to_bits(), "{R}x{C}, {n}");
                    }
                }
            }
        }
        check::<1, 16>();
        check::<2, 48>();
        check::<3, 16>();
        check::<4, 64>();
        check::<5, 32>();
        check::<6, 32>();
    }

    #[test]
    #[should_panic(expected = "the second slice has 2 items and the first has 1")]
    fn slices_of_two_lengths_are_refused() {
        let _ = block_product(&[[1.0_f32]], &[[1.0_f32; 16]; 2], |sum: f32, a, b| {
            sum + a * b
        });
    }
}
