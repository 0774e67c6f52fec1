//! Sums of products of slices, element by element.

use super::ReducedNumber;

/// The elements whose sums are in registers at a time: four registers of AVX-512, eight of AVX2.
const BLOCK: usize = 64;
/// The number of elements at a time at the end of the slices.
const SMALL: usize = 16;

/// Sets `sums[j]` to the sum of `a[j] * b[j]` over all terms `(a, b)`, or to 0 if there are none.
///
/// This is a convolution in which each term is a shifted slice and its weights. The products of a
/// term are added to `sums` in the sequence of the terms, each product rounded, so that the result
/// has the bits of the loop `sums[j] += a[j] * b[j]`. That loop stores all sums for each term. Here
/// they stay in registers, 64 at a time: `terms` is cloned for each 64 elements.
///
/// ```
/// use xlayout_kernel::reduce::sum_products;
///
/// // Three pixels of two channels, and for each channel two weights of its own.
/// let (pixels, weights) = ([[1.0_f32, 2.0], [3.0, 4.0], [5.0, 6.0]], [[1.0, 10.0], [0.5, 20.0]]);
/// let mut sums = [0.0; 2];
/// for (pixel, expected) in [[2.5, 100.0], [5.5, 160.0]].into_iter().enumerate() {
///     let terms = pixels[pixel..].iter().zip(&weights);
///     sum_products(&mut sums, terms.map(|(pixel, weights)| (&pixel[..], &weights[..])));
///     assert_eq!(sums, expected);
/// }
/// ```
///
/// # Panics
/// If a slice of a term has another length than `sums`.
#[inline(always)]
#[track_caller]
pub fn sum_products<'a, T: ReducedNumber + 'a>(
    sums: &mut [T],
    terms: impl IntoIterator<Item = (&'a [T], &'a [T]), IntoIter: Clone>,
) {
    let terms = terms.into_iter();
    let len = sums.len();
    let (blocks, rest) = sums.as_chunks_mut::<BLOCK>();
    let mut start = 0;
    for sums in blocks {
        *sums = block(start, len, terms.clone());
        start += BLOCK;
    }
    let (blocks, rest) = rest.as_chunks_mut::<SMALL>();
    for sums in blocks {
        *sums = block(start, len, terms.clone());
        start += SMALL;
    }
    // If there are no sums at all, the loop below is the only one that checks the terms.
    if rest.is_empty() && len != 0 {
        return;
    }
    rest.fill(T::ZERO);
    for (a, b) in terms {
        check(a, b, len);
        for ((sum, &a), &b) in rest.iter_mut().zip(&a[start..]).zip(&b[start..]) {
            *sum = sum.plus(a.times(b));
        }
    }
}

/// The sums of the `N` elements from `start` on.
#[inline(always)]
#[track_caller]
fn block<'a, T: ReducedNumber + 'a, const N: usize>(
    start: usize,
    len: usize,
    terms: impl Iterator<Item = (&'a [T], &'a [T])>,
) -> [T; N] {
    let mut sums = [T::ZERO; N];
    for (a, b) in terms {
        check(a, b, len);
        let a = a[start..].first_chunk::<N>();
        let b = b[start..].first_chunk::<N>();
        let (Some(a), Some(b)) = (a, b) else {
            unreachable!("the slices have as many elements as the sums");
        };
        for k in 0..N {
            sums[k] = sums[k].plus(a[k].times(b[k]));
        }
    }
    sums
}

/// Panics if a slice of a term has not the expected length.
#[inline(always)]
#[track_caller]
fn check<T>(a: &[T], b: &[T], expected: usize) {
    let first = a.len();
    let second = b.len();
    assert!(
        first == expected && second == expected,
        "a term has slices of {first} and {second} elements and there are {expected} sums: pass \
         slices of one length"
    );
}

#[cfg(test)]
mod tests {
    use super::sum_products;

    #[test]
    fn the_sums_are_those_of_a_loop() {
        for len in [0, 1, 15, 16, 17, 63, 64, 80, 100, 130, 200] {
            for count in 0..6 {
                let slice = |k: usize, step: usize| -> Vec<f32> {
                    let number = |j: usize| ((j * step + 7 * k) % 101) as f32 * 1.1 - 50.0;
                    (0..len).map(number).collect()
                };
                let terms = (0..count).map(|k| [slice(k, 3), slice(k, 5)]);
                let slices: Vec<[Vec<f32>; 2]> = terms.collect();
                let mut expected = vec![0.0_f32; len];
                for [a, b] in &slices {
                    for ((sum, a), b) in expected.iter_mut().zip(a).zip(b) {
                        *sum += a * b;
                    }
                }
                let mut sums = vec![f32::NAN; len];
                sum_products(&mut sums, slices.iter().map(|[a, b]| (&a[..], &b[..])));
                let bits = |sums: &[f32]| sums.iter().map(|sum| sum.to_bits()).collect::<Vec<_>>();
                assert_eq!(bits(&sums), bits(&expected), "{len} {count}");
            }
        }
    }

    #[test]
    fn integers_wrap() {
        let mut sums = [0_i8; 70];
        sum_products(&mut sums, [(&[100_i8; 70][..], &[2_i8; 70][..])]);
        assert_eq!(sums, [-56; 70]);
    }

    #[test]
    #[should_panic(expected = "a term has slices of 3 and 2 elements and there are 3 sums")]
    fn slices_of_another_length_are_refused() {
        sum_products(&mut [0; 3], [(&[1, 2, 3][..], &[1, 2][..])]);
    }

    #[test]
    #[should_panic(expected = "a term has slices of 1 and 1 elements and there are 0 sums")]
    fn slices_for_no_sums_are_refused() {
        sum_products(&mut [], [(&[1][..], &[1][..])]);
    }

    #[test]
    #[should_panic(expected = "a term has slices of 65 and 64 elements and there are 64 sums")]
    fn longer_slices_are_refused() {
        sum_products(&mut [0; 64], [(&[1; 65][..], &[1; 64][..])]);
    }
}
