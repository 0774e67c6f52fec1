//! How long decisions take for plain maps: digits of size 2 in a random sequence of strides, and merged maps of few digits.
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

fn row(name: &str, a: &Map, b: &Map) {
    let budget = Budget::DEFAULT;
    let times = [
        time(|| black_box(a).first_difference(black_box(b), budget)),
        time(|| black_box(a).collision(budget)),
        time(|| black_box(a).first_hole(budget)),
        time(|| black_box(a).first_descent(budget)),
        time(|| black_box(a).overlap(black_box(b), budget)),
    ];
    println!("{name:<24}{times:>9?}");
}

fn main() {
    println!("nanoseconds of         [equality, collision, first hole, first descent, overlap]");
    for digits in [3_usize, 8, 24] {
        // Digit i of the index has stride 2^(i * step): a permutation, so no two digits are one.
        let step = if digits.is_multiple_of(5) { 3 } else { 5 };
        let strides: Vec<i64> = (0..digits).map(|i| 1 << (i * step % digits)).collect();
        let shape = vec![2; digits];
        let map = Map::<64>::cute(&shape, &strides).expect("few digits");
        // The same offsets from a map whose lowest two digits are one term too many: no comparison of terms finds it.
        let sizes = [1_u64 << (digits - 1), 2];
        let other = map.reshape(&sizes).expect("few digits");
        let other = other.flatten().expect("few digits");
        let mut padded = strides.clone();
        padded[digits - 1] *= 2;
        let padded = Map::<64>::cute(&shape, &padded).expect("few digits");
        println!("{digits} digits, equal: {}", map.equals(&other, Budget::DEFAULT) == Ok(true));
        row(&format!("{digits} digits, same sums"), &map, &other);
        row(&format!("{digits} digits, last differs"), &map, &padded);
    }
    let inner = Map::<64>::cute(&[2, 3, 4], &[5, 1, 7]).expect("few digits");
    let outer = Map::<64>::cute(&[4, 10], &[3, 1]).expect("few digits");
    let merged = outer.after(&inner).expect("few terms");
    let other = Map::<64>::cute(&[4, 10], &[3, 2]).expect("few digits");
    let other = other.after(&inner).expect("few terms");
    row("merged, 24 indices", &merged, &other);
}
