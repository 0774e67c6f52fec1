//! How long decisions take: plain maps of digits of size 2, whose strides are a permutation, and a
//! merged map.
//!
//! ```sh
//! cargo run --release -p xlayout-algebra --example timing
//! ```
//!
//! Prints the median of 101 rounds, in nanoseconds for each decision.

use std::hint::black_box;
use std::time::Instant;

use xlayout_algebra::{Budget, Map};

/// The median time of a call, in nanoseconds.
fn time<R>(mut call: impl FnMut() -> R) -> u128 {
    let mut times: Vec<u128> = (0..101)
        .map(|_| {
            let start = Instant::now();
            for _ in 0..100 {
                black_box(call());
            }
            start.elapsed().as_nanos() / 100
        })
        .collect();
    times.sort_unstable();
    times[times.len() / 2]
}

fn row(name: &str, map: &Map, other: &Map) {
    let a = black_box(map);
    let b = black_box(other);
    let budget = Budget::DEFAULT;
    let times = [
        time(|| a.first_difference(b, budget)),
        time(|| a.collision(budget)),
        time(|| a.first_hole(budget)),
        time(|| a.first_descent(budget)),
        time(|| a.overlap(b, budget)),
    ];
    println!("{name:<22}{times:>6?}");
}

fn main() {
    println!("nanoseconds           [equality, collision, first hole, first descent, overlap]");
    for digits in [3, 8, 24] {
        let modes: Vec<_> = (0..digits)
            .map(|i| (0, 1 << i, 2, 1 << (i * 5 % digits)))
            .collect();
        let map = |modes: &[_]| Map::<64>::from_modes(&[1 << digits], modes).expect("few digits");
        // `i0 % 2` as `i0 - 2 * (i0 / 2)`: the same map of other terms.
        let mut other_modes = modes.clone();
        other_modes.splice(..1, [(0, 1, 0, 1), (0, 2, 0, -2)]);
        let other_map = map(&other_modes);
        let map = map(&modes);
        assert_eq!(map.equals(&other_map, Budget::DEFAULT), Ok(true));
        row(&format!("{digits} digits"), &map, &other_map);
    }
    let cute = |shape: &[u64], stride: &[i64]| Map::<64>::cute(shape, stride).expect("few digits");
    let inner = cute(&[2, 3, 4], &[5, 1, 7]);
    let merged = |stride| cute(&[4, 10], &[3, stride]).after(&inner);
    let map = merged(1).expect("few terms");
    let merged_map = merged(2).expect("few terms");
    row("merged, 24 indices", &map, &merged_map);
}
