//! Sets of instructions as types, and the work of a pool's thread that is compiled for them.
#![allow(unsafe_code)]

use core::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A set of instructions as a type: the work of a pool's thread that is compiled for it.
///
/// It cannot be named outside of this crate, so no other crate implements it. No unsafe code relies
/// on it: `work` gets borrows only, and an implementation could at most skip items.
pub trait Level: Copy {
    /// [`work`].
    fn work<I: Iterator>(self, items: &Mutex<I>, stop: &AtomicBool, item: &impl Fn(I::Item));
}

/// [`Isa::Baseline`](crate::Isa::Baseline).
#[derive(Clone, Copy, Debug)]
pub struct Baseline;

impl Level for Baseline {
    fn work<I: Iterator>(self, items: &Mutex<I>, stop: &AtomicBool, item: &impl Fn(I::Item)) {
        work(items, stop, item);
    }
}

/// Each level with its features. They are those of `Isa::is_here` and of
/// `kernel/macros/src/copies.rs`.
macro_rules! levels {
    ($($(#[$condition:meta])* $level:ident = $features:literal;)*) => {$(
        /// Proof that the processor has the set of this name.
        $(#[$condition])*
        #[derive(Clone, Copy, Debug)]
        pub struct $level(());

        $(#[$condition])*
        impl $level {
            /// The set, where the processor has it.
            ///
            /// # Safety
            /// `Isa::is_here` of the set of this name is true.
            #[must_use]
            pub const unsafe fn new() -> Self {
                Self(())
            }
        }

        $(#[$condition])*
        impl Level for $level {
            fn work<I: Iterator>(
                self,
                items: &Mutex<I>,
                stop: &AtomicBool,
                item: &impl Fn(I::Item),
            ) {
                #[target_feature(enable = $features)]
                fn with<I: Iterator>(
                    items: &Mutex<I>,
                    stop: &AtomicBool,
                    item: &impl Fn(I::Item),
                ) {
                    work(items, stop, item);
                }
                // SAFETY: the processor has these features: the promise of `new`, without which
                // there is no `self`.
                unsafe { with(items, stop, item) }
            }
        }
    )*};
}
levels! {
    #[cfg(target_arch = "x86_64")]
    V3 = "avx,avx2,bmi1,bmi2,f16c,fma,lzcnt,movbe,popcnt,sse3,ssse3,sse4.1,sse4.2";
    #[cfg(all(target_arch = "x86_64", xlayout_avx512))]
    V4 = "avx,avx2,bmi1,bmi2,f16c,fma,lzcnt,movbe,popcnt,sse3,ssse3,sse4.1,sse4.2,avx512f,\
avx512bw,avx512cd,avx512dq,avx512vl";
}

/// Does the work for each item that it takes, until no item is left.
///
/// It is always inlined, and calls `work` at one place: so the compiler makes `work` a part of the
/// function with target features that calls this one.
#[inline(always)]
pub(crate) fn work<I: Iterator>(items: &Mutex<I>, stop: &AtomicBool, work: &impl Fn(I::Item)) {
    while !stop.load(Ordering::Relaxed) {
        let next = lock(items).next();
        match next {
            Some(item) => work(item),
            None => return,
        }
    }
}

/// Locks a mutex, also if it is poisoned: the panic of the iterator is resumed elsewhere.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
