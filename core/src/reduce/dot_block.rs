//! Dot products of several rows with several columns of 16-bit integers.

/// The lanes of a sum: a register of AVX-512 has 16 of 32 bits.
const LANES: usize = 16;
/// Sums of more rows or columns do not stay in registers.
const MOST_ROWS: usize = 5;
const MOST_COLUMNS: usize = 4;

/// 32 consecutive elements of each of `N` rows or columns: an item of [`dot_block`].
///
/// It begins at a multiple of 64 bytes, so that a register of AVX-512 is loaded from one line of the
/// cache.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C, align(64))]
pub struct DotItem<const N: usize>(pub [[i16; 32]; N]);

impl<const N: usize> DotItem<N> {
    /// Zeros.
    pub const ZERO: Self = Self([[0; 32]; N]);
}

/// The dot product of each of `R` rows with each of `C` columns.
///
/// Each item of `a` has 32 consecutive elements of each row, and each item of `b` has 32 consecutive
/// elements of each column. Fill the last item with zeros if the number of elements is not a multiple
/// of 32. Bytes are converted to `i16` when the items are filled: into `b` once for all rows, into
/// `a` once for all columns.
///
/// The products are added as `i32`, in pairs and in lanes. Sums wrap, so the result does not depend on
/// the order. Products of bytes are below 2^14: 2^17 of them do not wrap.
///
/// The compiler can multiply a pair with one instruction of x86-64 (`vpmaddwd`). With AVX-512 a block
/// of 4 x 4 has the highest speed, with AVX2 one of 2 x 2.
///
/// ```
/// use xlayout_core::reduce::{DotItem, dot_block};
///
/// // Two rows of 64 elements, and a column.
/// let a = [DotItem([[1; 32], [-128; 32]]); 2];
/// let b = [DotItem([[100; 32]]), DotItem([[1; 32]])];
/// assert_eq!(dot_block(&a, &b), [[3232], [-413_696]]);
/// ```
///
/// The compiler refuses a block that does not fit into registers:
///
/// ```compile_fail
/// use xlayout_core::reduce::{DotItem, dot_block};
/// let sums = dot_block(&[DotItem::<8>::ZERO], &[DotItem::<4>::ZERO]);
/// ```
///
/// # Panics
/// If the slices differ in length.
#[inline(always)]
#[must_use]
#[track_caller]
pub fn dot_block<const R: usize, const C: usize>(
    a: &[DotItem<R>],
    b: &[DotItem<C>],
) -> [[i32; C]; R] {
    const {
        assert!(
            R >= 1 && R <= MOST_ROWS && C >= 1 && C <= MOST_COLUMNS,
            "a block has 1 to 5 rows and 1 to 4 columns: use smaller blocks"
        );
    }
    let (found, expected) = (b.len(), a.len());
    assert!(
        found == expected,
        "the second slice has {found} items and the first has {expected}: pass slices of one length"
    );
    let mut lanes = [[[0_i32; LANES]; C]; R];
    for (DotItem(a), DotItem(b)) in a.iter().zip(b) {
        for r in 0..R {
            for c in 0..C {
                add_products(&mut lanes[r][c], &a[r], &b[c]);
            }
        }
    }
    joined(lanes)
}

/// Adds the product of each pair of elements to its lane.
#[inline(always)]
fn add_products(lanes: &mut [i32; LANES], a: &[i16; 32], b: &[i16; 32]) {
    // These are two loops. In one loop the compiler adds the products one by one, and does not multiply
    // in pairs.
    let mut pairs = [0_i32; LANES];
    for k in 0..LANES {
        let even = i32::from(a[2 * k]) * i32::from(b[2 * k]);
        pairs[k] = even.wrapping_add(i32::from(a[2 * k + 1]) * i32::from(b[2 * k + 1]));
    }
    for k in 0..LANES {
        lanes[k] = lanes[k].wrapping_add(pairs[k]);
    }
}

/// The sum of each list of lanes.
///
/// It is not inlined: beside the loop of `dot_block` the compiler gathers single lanes, which takes as
/// long as that loop. It takes the lanes by value: with a reference, the loop would write them to
/// memory in each step.
#[inline(never)]
fn joined<const R: usize, const C: usize>(lanes: [[[i32; LANES]; C]; R]) -> [[i32; C]; R] {
    let mut sums = [[0; C]; R];
    join(lanes.as_flattened(), sums.as_flattened_mut());
    sums
}

/// The sum of each item. As a function of its own it is a loop, and not unrolled.
#[inline(never)]
fn join(lanes: &[[i32; LANES]], sums: &mut [i32]) {
    for (sum, lanes) in sums.iter_mut().zip(lanes) {
        *sum = lanes.iter().fold(0, |sum, &lane| sum.wrapping_add(lane));
    }
}

#[cfg(test)]
mod tests {
    use super::{DotItem, dot_block};
    extern crate std;
    use core::array::from_fn;
    use std::vec::Vec;

    /// Blocks of all sizes, compared with sums in `i64`.
    #[test]
    fn each_sum_is_a_dot_product() {
        fn check<const R: usize, const C: usize>() {
            for n in [0, 1, 2, 5] {
                let number = |k: usize| ((k * 7919) % 65536) as u16 as i16;
                let a: Vec<DotItem<R>> = (0..n)
                    .map(|k| DotItem(from_fn(|r| from_fn(|i| number(k * 77 + r * 1000 + i)))))
                    .collect();
                let b: Vec<DotItem<C>> = (0..n)
                    .map(|k| DotItem(from_fn(|c| from_fn(|i| number(k * 55 + c * 999 + i + 7)))))
                    .collect();
                let sums = dot_block(&a, &b);
                for (r, sums) in sums.iter().enumerate() {
                    for (c, &sum) in sums.iter().enumerate() {
                        let pairs = a
                            .iter()
                            .zip(&b)
                            .flat_map(|(a, b)| a.0[r].iter().zip(&b.0[c]));
                        let exact: i64 = pairs.map(|(&a, &b)| i64::from(a) * i64::from(b)).sum();
                        assert_eq!(sum, exact as i32, "{R}x{C}, {n}");
                    }
                }
            }
        }
        check::<1, 1>();
        check::<2, 2>();
        check::<5, 3>();
        check::<4, 4>();
        check::<5, 4>();
    }

    #[test]
    fn sums_wrap() {
        let least = [DotItem([[i16::MIN; 32]])];
        assert_eq!(dot_block(&least, &least), [[0]]);
    }

    #[test]
    #[should_panic(expected = "the second slice has 2 items and the first has 1")]
    fn slices_of_two_lengths_are_refused() {
        let _ = dot_block(&[DotItem::<1>::ZERO], &[DotItem::<1>::ZERO; 2]);
    }
}
