//! Products of several rows and several columns of 16-bit integers.

/// The lanes of a sum: a register of AVX-512 has 16 of 32 bits.
const LANES: usize = 16;

/// 16 pairs of elements, one for each lane, for each of `N` rows or columns: an item of [`dot_block`].
///
/// It begins at a multiple of 64 bytes, so that a register of AVX-512 is loaded from one line of the
/// cache.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C, align(64))]
pub struct DotItem<const N: usize>(pub [[i16; 2 * LANES]; N]);

impl<const N: usize> DotItem<N> {
    /// Zeros.
    pub const ZERO: Self = Self([[0; 2 * LANES]; N]);

    /// One pair of each row, in all lanes.
    ///
    /// ```
    /// use xlayout_kernel::reduce::DotItem;
    ///
    /// assert_eq!(DotItem::repeated([[3, 3]]), DotItem([[3; 32]]));
    /// ```
    #[inline(always)]
    #[must_use]
    pub fn repeated(pairs: [[i16; 2]; N]) -> Self {
        let mut item = Self::ZERO;
        for (lanes, pair) in item.0.iter_mut().zip(pairs) {
            for lane in lanes.as_chunks_mut().0 {
                *lane = pair;
            }
        }
        item
    }
}

/// The sums of a block of `R` rows and `C` columns: 16 lanes for each.
///
/// They begin at a multiple of 64 bytes, as the items.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C, align(64))]
pub struct DotSums<const R: usize, const C: usize>(pub [[[i32; LANES]; C]; R]);

impl<const R: usize, const C: usize> DotSums<R, C> {
    /// Zeros.
    pub const ZERO: Self = Self([[[0; LANES]; C]; R]);
}

/// Adds the products of the pairs of `a` and `b` to sums, lane by lane.
///
/// For each item and each `r`, `c` and lane `l`, `sums[r][c][l]` grows by `a[r][2 * l] * b[c][2 * l] + a[r][2 * l + 1]
/// * b[c][2 * l + 1]`. The caller chooses the meaning of a lane:
///
/// - In a product of matrices it is a column. An item of `b` has two consecutive elements of each of
///   `16 * C` columns, and an item of `a` has two consecutive elements of each of `R` rows in all lanes
///   ([`DotItem::repeated`]). The sums are the block of the result. Copy 32 pairs of 8 rows at a
///   time, and multiply them with all columns: then they stay in the fastest cache.
/// - In a dot product of long rows it is a part of the row: an item has 32 consecutive elements of each
///   row, and the sum of the 16 lanes is the result.
///
/// Fill the last item with zeros if the number of elements is odd. Convert bytes to `i16` when the items
/// are filled. The products are added as `i32`. Sums wrap, so the result does not depend on the order.
/// Products of bytes are at most 2^14: fewer than 2^17 of them do not wrap.
///
/// The compiler can multiply a pair with one instruction of x86-64 (`vpmaddwd`). 2 x 2 sums at a time are
/// in registers, with AVX2 and with AVX-512. Copy about 32 pairs of 8 rows at a time: they stay in the
/// fastest cache.
///
/// ```
/// use xlayout_kernel::reduce::{DotItem, DotSums, dot_block};
///
/// // Two rows of 4 elements, [1, 2, 3, 4] and [10, 0, 0, 0], and 16 columns of 5.
/// let a = [[[1, 2], [10, 0]], [[3, 4], [0, 0]]].map(DotItem::repeated);
/// let b = [DotItem([[5; 32]]); 2];
/// let mut sums = DotSums::ZERO;
/// dot_block(&a, &b, &mut sums);
/// assert_eq!(sums.0, [[[50; 16]], [[50; 16]]]);
/// ```
///
/// # Panics
/// If the slices differ in length.
#[inline(always)]
#[track_caller]
pub fn dot_block<const R: usize, const C: usize>(
    a: &[DotItem<R>],
    b: &[DotItem<C>],
    sums: &mut DotSums<R, C>,
) {
    let (found, expected) = (b.len(), a.len());
    assert!(
        found == expected,
        "the second slice has {found} items and the first has {expected}: pass slices of one length"
    );
    for r in (0..R).step_by(2) {
        for c in (0..C).step_by(2) {
            match (R - r, C - c) {
                (1, 1) => corner::<R, C, 1, 1>(a, b, sums, r, c),
                (1, _) => corner::<R, C, 1, 2>(a, b, sums, r, c),
                (_, 1) => corner::<R, C, 2, 1>(a, b, sums, r, c),
                (_, _) => corner::<R, C, 2, 2>(a, b, sums, r, c),
            }
        }
    }
}

/// [`dot_block`] for `P` rows from `r` on, and `Q` columns from `c` on.
///
/// 2 x 2 sums are 4 registers of AVX-512 and 8 of AVX2. An item is loaded for each product, which
/// both processors do in the time of the products. 4 x 4 sums are 32 registers of AVX2, which has 16:
/// a block takes 4 times as long there, and is not faster with AVX-512.
#[inline(always)]
fn corner<const R: usize, const C: usize, const P: usize, const Q: usize>(
    a: &[DotItem<R>],
    b: &[DotItem<C>],
    sums: &mut DotSums<R, C>,
    r: usize,
    c: usize,
) {
    // A copy stays in registers. The compiler would write `sums` in each step.
    let mut lanes = [[[0; LANES]; Q]; P];
    for (lanes, sums) in lanes.iter_mut().zip(&sums.0[r..]) {
        lanes.copy_from_slice(&sums[c..c + Q]);
    }
    for (DotItem(a), DotItem(b)) in a.iter().zip(b) {
        for p in 0..P {
            for q in 0..Q {
                add_products(&mut lanes[p][q], &a[r + p], &b[c + q]);
            }
        }
    }
    for (lanes, sums) in lanes.iter().zip(&mut sums.0[r..]) {
        sums[c..c + Q].copy_from_slice(lanes);
    }
}

/// Adds the product of each pair of elements to its lane.
#[inline(always)]
fn add_products(lanes: &mut [i32; LANES], a: &[i16; 2 * LANES], b: &[i16; 2 * LANES]) {
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

#[cfg(test)]
mod tests {
    use super::{DotItem, DotSums, dot_block};
    use core::array::from_fn;

    /// Blocks of all sizes, added twice, compared with sums in `i64`.
    #[test]
    fn each_lane_is_a_sum_of_products_of_pairs() {
        fn check<const R: usize, const C: usize>() {
            for n in [0, 1, 2, 5] {
                let number = |k: usize| ((k * 7919) % 65536) as u16 as i16;
                let a: Vec<DotItem<R>> = (0..n)
                    .map(|k| DotItem(from_fn(|r| from_fn(|i| number(k * 77 + r * 1000 + i)))))
                    .collect();
                let b: Vec<DotItem<C>> = (0..n)
                    .map(|k| DotItem(from_fn(|c| from_fn(|i| number(k * 55 + c * 999 + i + 7)))))
                    .collect();
                let mut sums = DotSums::ZERO;
                dot_block(&a, &b, &mut sums);
                dot_block(&a, &b, &mut sums);
                for r in 0..R {
                    for c in 0..C {
                        for lane in 0..16 {
                            let elements = [2 * lane, 2 * lane + 1];
                            let products = a.iter().zip(&b).flat_map(|(a, b)| {
                                elements.map(|i| i64::from(a.0[r][i]) * i64::from(b.0[c][i]))
                            });
                            let exact = 2 * products.sum::<i64>();
                            assert_eq!(sums.0[r][c][lane], exact as i32, "{R}x{C}, {n}");
                        }
                    }
                }
            }
        }
        check::<1, 1>();
        check::<2, 2>();
        check::<5, 3>();
        check::<4, 4>();
        check::<1, 6>();
        check::<5, 4>();
    }

    #[test]
    fn a_repeated_pair_is_in_all_lanes() {
        let DotItem(rows) = DotItem::repeated([[1, 2], [3, 4]]);
        assert!(rows[0].chunks(2).all(|pair| pair == [1, 2]));
        assert!(rows[1].chunks(2).all(|pair| pair == [3, 4]));
    }

    #[test]
    fn sums_wrap() {
        let least = [DotItem([[i16::MIN; 32]])];
        let mut sums = DotSums([[[1; 16]]]);
        dot_block(&least, &least, &mut sums);
        assert_eq!(sums.0, [[[i32::MIN + 1; 16]]]);
    }

    #[test]
    #[should_panic(expected = "the second slice has 2 items and the first has 1")]
    fn slices_of_two_lengths_are_refused() {
        let mut sums = DotSums::ZERO;
        dot_block(&[DotItem::<1>::ZERO], &[DotItem::<1>::ZERO; 2], &mut sums);
    }
}
