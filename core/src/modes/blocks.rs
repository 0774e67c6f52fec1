//! Loops in blocks. Unsafe, because the compiler does not see that a number of a block is below the
//! end, and would compare each one with the size of the dimension that the block is of: 8 of 31
//! instructions for two products of 4-bit numbers (`benches/instructions`).
#![allow(unsafe_code)]

use core::hint::assert_unchecked;
use core::ops::Range;

/// Folds over numbers. From 0 on it goes by blocks of `wide` that consist of blocks of `narrow`,
/// which the compiler unrolls; where these are 0, one by one.
#[inline(always)]
pub(crate) fn fold_blocks<T>(
    mut numbers: Range<usize>,
    [narrow, wide]: [usize; 2],
    init: T,
    mut step: impl FnMut(T, usize) -> T,
) -> T {
    let mut state = init;
    if narrow > 0 && numbers.start == 0 {
        for block in 0..numbers.end / wide {
            for part in 0..wide / narrow {
                for inside in 0..narrow {
                    let number = block * wide + part * narrow + inside;
                    // SAFETY: `block < end / wide`, so `(block + 1) * wide <= end`. And `part <
                    // wide / narrow`, so `part * narrow + inside < wide`.
                    unsafe { assert_unchecked(number < numbers.end) };
                    state = step(state, number);
                }
            }
        }
        numbers.start = numbers.end - numbers.end % wide;
    }
    for number in numbers {
        state = step(state, number);
    }
    state
}
