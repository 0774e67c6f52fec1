//! A kernel that goes through a sequence, and back.

use xlayout::{ArrayLayout, layout};
use xlayout_kernel::{In, Out, Pool, lines, reduce};

/// The most probable states of a hidden Markov model. `cost` has the logarithms of the
/// probabilities of each step.
#[xlayout_kernel::kernel(independent = "B")]
pub fn viterbi(
    pool: Pool,
    cost: In<layout!(f32[?B, ?T, ?S]{2,1,0})>,
    step: In<layout!(f32[?S, ?S]{1,0})>,
    mut state: Out<layout!(s32[?B, ?T]{1,0})>,
) {
    let [b, t, s] = cost.layout().shape();
    let step = step.memory();
    pool.for_each(
        lines(cost.memory(), b).zip(lines(state.memory_mut(), b)),
        |(cost, state)| {
            let mut from = vec![0; t * s];
            let mut best = vec![0.0; s];
            let mut next = vec![0.0; s];
            for (time, (cost, from)) in lines(cost, t).zip(lines(&mut from[..], t)).enumerate() {
                if time == 0 {
                    best.copy_from_slice(cost);
                    continue;
                }
                next.fill(f32::NEG_INFINITY);
                for (old, (step, &best)) in lines(step, s).zip(&best).enumerate() {
                    for ((next, from), step) in next.iter_mut().zip(&mut *from).zip(step) {
                        let new = best + step;
                        if new > *next {
                            *next = new;
                            *from = old as i32;
                        }
                    }
                }
                for ((best, next), cost) in best.iter_mut().zip(&next).zip(cost) {
                    *best = next + cost;
                }
            }
            // Without states there is no path: all its numbers are 0.
            let mut last = reduce::argmax(&best).unwrap_or(0) as i32;
            for (state, from) in state.iter_mut().zip(lines(&from[..], t)).rev() {
                *state = last;
                last = from.get(last as usize).copied().unwrap_or(0);
            }
        },
    );
}
