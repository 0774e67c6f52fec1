//! XLA's thread pool, with real threads.
#![allow(unsafe_code, elided_lifetimes_in_paths)]

use std::sync::Barrier;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::support::expand::kernel;
use crate::support::pool::Context;
use crate::support::{Array, Call};
use xlayout::layout;
use xlayout_kernel::abi::Handler;
use xlayout_kernel::{DeviceOrdinal, In, Out, Pool, RunId};

const F32: i32 = 11;
const S64: i32 = 5;
type Numbers = layout!(f32[?]{0});

fn double(pool: Pool, x: In<Numbers>, mut y: Out<Numbers>) {
    let parts = x.memory().chunks(7).zip(y.memory_mut().chunks_mut(7));
    pool.for_each(parts, |(x, y)| {
        for (x, y) in x.iter().zip(y) {
            *y = 2.0 * x;
        }
    });
}
kernel!(doubles = double(pool: Pool, x: In<Numbers>, y: Out<Numbers>));

/// Work inside of work: no thread may wait for one that waits for it.
fn nested(pool: Pool, mut y: Out<Numbers>) {
    let count = AtomicUsize::new(0);
    pool.for_each(0..10, |_| {
        pool.for_each(0..10, |_| {
            pool.for_each(0..5, |_| {
                count.fetch_add(1, Ordering::Relaxed);
            });
        });
    });
    y.memory_mut().fill(count.into_inner() as f32);
}
kernel!(nests = nested(pool: Pool, y: Out<Numbers>));

/// Some of the work panics, or the iterator does.
fn panics(pool: Pool, x: In<Numbers>) {
    let x = x.memory();
    let items = x
        .iter()
        .inspect(|x| assert!(**x < 1e6, "the iterator panics"));
    pool.for_each(items, |x| {
        assert!(*x >= 0.0, "the work panics");
    });
}
kernel!(unlucky = panics(pool: Pool, x: In<Numbers>));

/// A payload that panics when it is dropped.
struct Again;
impl Drop for Again {
    fn drop(&mut self) {
        panic!("again");
    }
}

/// Everything that is thrown is thrown on all threads at once, so that most of it is dropped
/// unheard.
fn throws(pool: Pool, mut y: Out<layout!(f32[5]{0})>) {
    let all = Barrier::new(pool.threads());
    pool.for_each(y.memory_mut()[..pool.threads()].iter_mut(), |_| {
        all.wait();
        std::panic::panic_any(Again);
    });
}
kernel!(thrown = throws(pool: Pool, y: Out<layout!(f32[5]{0})>));

fn tell(
    pool: Pool,
    device: DeviceOrdinal,
    run: RunId,
    context: xlayout_kernel::Context,
    mut y: Out<layout!(s64[4]{0})>,
) {
    assert!(!context.api().is_null());
    let context = context.as_ptr().addr() as i64;
    y.memory_mut()
        .copy_from_slice(&[pool.threads() as i64, i64::from(*device), *run, context]);
}
kernel!(told = tell(pool: Pool, device: DeviceOrdinal, run: RunId, context: xlayout_kernel::Context, y: Out<layout!(s64[4]{0})>));

/// A call of an XLA with this pool.
fn call(context: &Context, arguments: Vec<Array>, results: Vec<Array>) -> Call {
    let mut call = Call {
        arguments,
        results,
        context: context.pointer(),
        ..Call::default()
    };
    call.api.thread_pool_schedule = Some(crate::support::pool::schedule);
    call.api.thread_pool_num_threads = Some(crate::support::pool::num_threads);
    call.api.run_id_get = Some(crate::support::pool::run_id);
    call.api.device_ordinal_get = Some(crate::support::pool::device_ordinal);
    call
}

/// Pools of several sizes, also one that runs each task at once, as XLA may.
fn contexts() -> Vec<Context> {
    let mut contexts: Vec<Context> = [0, 1, 2, 5].map(Context::new).into();
    let mut at_once = Context::new(3);
    at_once.at_once = true;
    contexts.push(at_once);
    contexts
}

#[test]
fn all_is_done() {
    for context in contexts() {
        for n in [0_usize, 1, 7, 8, 100, 5000] {
            let mut x: Vec<f32> = (0..n).map(|k| k as f32).collect();
            let mut y = vec![f32::NAN; n];
            let arguments = vec![Array::at(F32, &[n as i64], x.as_mut_ptr())];
            let results = vec![Array::at(F32, &[n as i64], y.as_mut_ptr())];
            assert_eq!(call(&context, arguments, results).run(doubles), Ok(()));
            assert!(y.iter().zip(&x).all(|(y, x)| *y == 2.0 * x));
        }
    }
}

#[test]
fn calls_at_the_same_time() {
    let context = Context::new(2);
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for _ in 0..50 {
                    let mut y = [0.0_f32];
                    let results = vec![Array::at(F32, &[1], y.as_mut_ptr())];
                    assert_eq!(call(&context, vec![], results).run(nests), Ok(()));
                    assert_eq!(y, [500.0]);
                }
            });
        }
    });
}

#[test]
fn work_inside_of_work() {
    for context in contexts() {
        let mut y = [0.0_f32];
        let results = vec![Array::at(F32, &[1], y.as_mut_ptr())];
        assert_eq!(call(&context, vec![], results).run(nests), Ok(()));
        assert_eq!(y, [500.0]);
    }
}

#[test]
fn panics_reach_the_caller() {
    for context in contexts() {
        for (bad, text) in [(-1.0, "the work panics"), (1e7, "the iterator panics")] {
            for at in [0, 3, 99] {
                let mut x = vec![0.0_f32; 100];
                x[at] = bad;
                let arguments = vec![Array::at(F32, &[100], x.as_mut_ptr())];
                let (code, message) = call(&context, arguments, vec![]).run(unlucky).unwrap_err();
                assert_eq!(code, 13);
                assert!(message.contains(text), "{message}");
            }
        }
        // The pool is as good as before.
        let mut x = vec![0.0_f32; 100];
        let arguments = vec![Array::at(F32, &[100], x.as_mut_ptr())];
        assert_eq!(call(&context, arguments, vec![]).run(unlucky), Ok(()));
    }
}

#[test]
fn what_is_thrown_may_panic_again() {
    for threads in [1, 2, 5] {
        let context = Context::new(threads);
        for _ in 0..20 {
            let mut y = [0.0_f32; 5];
            let results = vec![Array::at(F32, &[5], y.as_mut_ptr())];
            let (code, message) = call(&context, vec![], results).run(thrown).unwrap_err();
            assert_eq!(code, 13);
            assert!(message.contains("something that is no text"), "{message}");
        }
    }
}

/// A task that XLA begins when the call is over finds nothing to do, and touches nothing.
#[test]
fn tasks_that_begin_late() {
    let mut context = Context::new(3);
    context.late = true;
    for n in [1_usize, 100, 5000] {
        let mut x = vec![1.0_f32; n];
        let mut y = vec![0.0_f32; n];
        let arguments = vec![Array::at(F32, &[n as i64], x.as_mut_ptr())];
        let results = vec![Array::at(F32, &[n as i64], y.as_mut_ptr())];
        assert_eq!(call(&context, arguments, results).run(doubles), Ok(()));
        assert_eq!(y, vec![2.0; n]);
    }
    assert!(context.run_late() >= 4);
}

#[test]
fn what_xla_tells() {
    for (context, threads) in contexts().into_iter().zip([1, 1, 2, 5, 3]) {
        let mut y = [0_i64; 4];
        let results = vec![Array::at(S64, &[4], y.as_mut_ptr())];
        assert_eq!(call(&context, vec![], results).run(told), Ok(()));
        assert_eq!(y, [threads, 3, 42, context.pointer().addr() as i64]);
    }
}

#[test]
fn an_xla_with_a_shorter_table() {
    let context = Context::new(4);
    let run = |handler: Handler, struct_size: usize| {
        let mut y = [0_i64; 4];
        let results = vec![Array::at(S64, &[4], y.as_mut_ptr())];
        let mut call = call(&context, vec![], results);
        call.api.struct_size = struct_size;
        (call.run(handler).map_err(|error| error.1), y)
    };
    let whole = size_of::<xlayout_kernel::abi::Api>();
    assert_eq!(
        run(told, whole + 64),
        (Ok(()), [4, 3, 42, context.pointer().addr() as i64])
    );
    let (refused, _) = run(told, whole - 8);
    assert_eq!(
        refused.unwrap_err(),
        "kernel `told`: `device` is the number of the device, which XLA does not tell: this version \
         of XLA has no function for it"
    );
}
