//! The time of one whole call that copies a small matrix: with a plan, without, and by other
//! crates.
//!
//! ```sh
//! cargo run --release --manifest-path benches/race/Cargo.toml --example one_off
//! ```
//!
//! Nanoseconds, medians of 51 interleaved rounds of 20,000 calls or fewer.

use std::hint::black_box;
use std::time::Instant;

use xlayout_core::types::{MinorToMajor, Nat, StaticLayout};
use xlayout_core::{ConstLayout, DynLayout, SliceView, SliceViewMut};
use xlayout_relayout::{Plan, relayout, relayout_static};

const ROUNDS: usize = 51;

type Rows<M, N> = StaticLayout<f32, (M, N), MinorToMajor<(Nat<1>, Nat<0>)>, ()>;
type Columns<M, N> = StaticLayout<f32, (M, N), MinorToMajor<(Nat<0>, Nat<1>)>, ()>;

/// Each copy by its name.
type Copies<'a> = Vec<(&'static str, Box<dyn FnMut(&[f32], &mut [f32], usize) + 'a>)>;

/// A copy that runs the given number of times.
macro_rules! copy {
    (|$src:ident, $dst:ident| $copy:expr) => {
        Box::new(move |$src: &[f32], $dst: &mut [f32], times| {
            for _ in 0..times {
                let ($src, $dst) = (black_box($src), black_box(&mut *$dst));
                $copy
            }
        })
    };
}

fn race<A, B>()
where
    A: ConstLayout<Type = f32>,
    B: ConstLayout<Type = f32>,
{
    let rows = A::SIZES[0];
    let columns = A::SIZES[1];
    let from: DynLayout = A::NEW.array_shape().to_string().parse().expect("a layout");
    let to: DynLayout = B::NEW.array_shape().to_string().parse().expect("a layout");
    let from = &from;
    let to = &to;
    let plan = Plan::new(from, to).expect("one array");
    let mut copies: Copies<'_> = vec![
        ("memcpy", copy!(|src, dst| dst.copy_from_slice(src))),
        (
            "plan",
            copy!(|src, dst| plan.run(src, dst).expect("lengths")),
        ),
        (
            "relayout, static",
            copy!(|src, dst| {
                let (Ok(src), Ok(mut dst)) =
                    (SliceView::new(A::NEW, src), SliceViewMut::new(B::NEW, dst))
                else {
                    unreachable!("the lengths are those of the layouts");
                };
                relayout(&src, &mut dst).expect("one array");
            }),
        ),
        (
            "relayout_static",
            copy!(|src, dst| {
                let (Ok(src), Ok(mut dst)) =
                    (SliceView::new(A::NEW, src), SliceViewMut::new(B::NEW, dst))
                else {
                    unreachable!("the lengths are those of the layouts");
                };
                relayout_static(&src, &mut dst);
            }),
        ),
        (
            "relayout, DynLayout",
            copy!(|src, dst| {
                let (Ok(src), Ok(mut dst)) =
                    (SliceView::new(from, src), SliceViewMut::new(to, dst))
                else {
                    unreachable!("the lengths are those of the layouts");
                };
                relayout(&src, &mut dst).expect("one array");
            }),
        ),
        (
            "transpose",
            copy!(|src, dst| transpose::transpose(src, dst, columns, rows)),
        ),
        (
            "ndarray",
            copy!(|src, dst| {
                let (Ok(src), Ok(mut dst)) = (
                    ndarray::ArrayView2::from_shape((rows, columns), src),
                    ndarray::ArrayViewMut2::from_shape((columns, rows), dst),
                ) else {
                    unreachable!("the lengths are those of the shapes");
                };
                dst.assign(&src.t());
            }),
        ),
    ];
    let len = rows * columns;
    let src: Vec<f32> = (0..len).map(|k| k as f32).collect();
    let times = (1 << 21) / (len + 100);
    let mut samples = vec![Vec::new(); copies.len()];
    for round in 0..ROUNDS {
        for turn in 0..copies.len() {
            let k = (round + turn) % copies.len();
            let mut dst = vec![0.0; len];
            let start = Instant::now();
            (copies[k].1)(&src, &mut dst, times);
            samples[k].push(start.elapsed().as_secs_f64() * 1e9 / times as f64);
            let right = |(k, value): (usize, &f32)| *value == src[k % rows * columns + k / rows];
            assert!(
                k == 0 || dst.iter().enumerate().all(right),
                "{}",
                copies[k].0
            );
        }
    }
    println!("{}", from.array_shape());
    for ((name, _), mut samples) in copies.iter().zip(samples) {
        samples.sort_by(f64::total_cmp);
        println!("  {name:24} {:8.1} ns", samples[ROUNDS / 2]);
    }
}

fn main() {
    race::<Rows<Nat<3>, Nat<5>>, Columns<Nat<3>, Nat<5>>>();
    race::<Rows<Nat<7>, Nat<9>>, Columns<Nat<7>, Nat<9>>>();
    race::<Rows<Nat<16>, Nat<16>>, Columns<Nat<16>, Nat<16>>>();
    race::<Rows<Nat<64>, Nat<64>>, Columns<Nat<64>, Nat<64>>>();
}
