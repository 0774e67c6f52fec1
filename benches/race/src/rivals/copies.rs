//! `memcpy`: the C library's copy of the same bytes, which every ratio is measured against.

use std::hint::black_box;
use std::time::Duration;

use super::{Contestant, clock};
use crate::value::Value;

/// The copy, by this number of threads.
pub(super) struct Memcpy(pub(super) usize);

impl<T: Value> Contestant<T> for Memcpy {
    fn name(&self) -> &'static str {
        "memcpy"
    }

    fn permutes(&self) -> bool {
        false
    }

    fn time(&mut self, src: &[T], dst: &mut [T], times: u32) -> Result<Duration, String> {
        Ok(if self.0 == 1 {
            clock(times, || {
                black_box(&mut *dst).copy_from_slice(black_box(src));
            })
        } else {
            clock(times, || {
                in_parts(self.0, black_box(src), black_box(&mut *dst), |src, dst| {
                    dst.copy_from_slice(src);
                });
            })
        })
    }
}

/// The least bytes of a thread: copying fewer takes no longer than starting the thread.
const SHARE: usize = 1 << 20;

/// Copies parts of equal length, each on its own thread, the first on this thread.
pub(super) fn in_parts<T: Value>(
    threads: usize,
    src: &[T],
    dst: &mut [T],
    copy: impl Fn(&[T], &mut [T]) + Copy + Send,
) {
    let threads = threads.min(size_of_val(src) / SHARE).max(1);
    if threads == 1 {
        return copy(src, dst);
    }
    let part = src.len().div_ceil(threads);
    let mut parts = src.chunks(part).zip(dst.chunks_mut(part));
    let first = parts.next();
    std::thread::scope(|scope| {
        for (src, dst) in parts {
            scope.spawn(move || copy(src, dst));
        }
        if let Some((src, dst)) = first {
            copy(src, dst);
        }
    });
}
