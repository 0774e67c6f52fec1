//! Runs the kernel and its twins by hand: are they right, and how long do they take?

use std::hint::black_box;
use std::time::{Duration, Instant};

use xlayout::{Array, ArrayRef, ConstLayout, LayoutError, Rank};

use crate::kernel::{COLUMNS, INNER, ROWS, naive};

/// How many multiplications and additions one product takes.
pub(crate) const STEPS: usize = ROWS * COLUMNS * INNER;

/// The operands as nested arrays, and their product by definition.
pub(crate) struct Task {
    left: Vec<Vec<i8>>,
    right: Vec<Vec<i8>>,
    product: Vec<Vec<i32>>,
}

/// How a kernel and its twin by hand did.
pub(crate) struct Outcome {
    /// How many elements of the product are wrong.
    pub(crate) wrong: usize,
    /// The medians of a run.
    pub(crate) kernel: Duration,
    pub(crate) by_hand: Duration,
    pub(crate) rounds: usize,
}

impl Outcome {
    pub(crate) fn ratio(&self) -> f64 {
        self.kernel.as_secs_f64() / self.by_hand.as_secs_f64()
    }
}

/// Nanoseconds for one multiplication and addition.
pub(crate) fn per_step(time: Duration) -> f64 {
    time.as_secs_f64() * 1e9 / STEPS as f64
}

impl Task {
    pub(crate) fn new() -> Self {
        // Any numbers will do: the high bits of a linear congruential sequence, the same each run.
        let mut state = 1_u64;
        let mut matrix = |rows, columns| -> Vec<Vec<i8>> {
            let mut number = || {
                state = state
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1);
                (state >> 56) as i8
            };
            (0..rows)
                .map(|_| (0..columns).map(|_| number()).collect())
                .collect()
        };
        let left = matrix(ROWS, INNER);
        let right = matrix(INNER, COLUMNS);
        let product = naive(&left, &right);
        Self {
            left,
            right,
            product,
        }
    }

    /// Lays the operands out as `A` and `B`, and lets the kernel and the code by hand take turns.
    ///
    /// # Errors
    /// When a layout does not fit the operands; the layouts of this program do.
    pub(crate) fn run<A, B, C>(
        &self,
        kernel: fn(&ArrayRef<i8, A>, &ArrayRef<i8, B>, &mut ArrayRef<i32, C>),
        by_hand: fn(&[i8], &[i8], &mut [i32]),
    ) -> Result<Outcome, LayoutError>
    where
        A: ConstLayout<Type = i8> + Rank<2>,
        B: ConstLayout<Type = i8> + Rank<2>,
        C: ConstLayout<Type = i32> + Rank<2>,
    {
        let mut a = Array::from_fn(A::NEW, |&[i, k]| self.left[i][k])?;
        let mut b = Array::from_fn(B::NEW, |&[k, j]| self.right[k][j])?;
        let mut c = Array::<i32, C>::zeros(C::NEW)?;
        // A product that reads padding is wrong.
        a.fill_padding_with(99);
        b.fill_padding_with(99);

        let mut times = [Vec::new(), Vec::new()];
        let mut wrong = 0;
        let mut rounds = 1;
        for round in 0.. {
            if round == rounds {
                break;
            }
            // Who begins alternates, too.
            for turn in [round % 2, (round + 1) % 2] {
                c.memory_mut().fill(0);
                let start = Instant::now();
                if turn == 0 {
                    kernel(black_box(&a), black_box(&b), &mut c);
                } else {
                    by_hand(black_box(a.memory()), black_box(b.memory()), c.memory_mut());
                }
                times[turn].push(start.elapsed());
                wrong += self.wrong(&c);
            }
            if round == 0 {
                rounds = rounds_for(times[0][0] + times[1][0]);
            }
        }
        let [kernel, by_hand] = times.map(median);
        Ok(Outcome {
            wrong,
            kernel,
            by_hand,
            rounds,
        })
    }

    fn wrong<C: ConstLayout + Rank<2>>(&self, c: &Array<i32, C>) -> usize {
        let mut wrong = 0;
        c.for_each_in_memory(|&[i, j], &element| {
            wrong += usize::from(element != self.product[i][j])
        });
        wrong
    }
}

/// An odd number of rounds that take about a second and a half; one where time means nothing.
fn rounds_for(round: Duration) -> usize {
    if cfg!(debug_assertions) {
        return 1;
    }
    let rounds = 1.5 / round.as_secs_f64().max(1e-3);
    (rounds as usize).clamp(4, 50) | 1
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times[times.len() / 2]
}
