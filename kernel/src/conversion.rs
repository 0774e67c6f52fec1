//! Memory for arrays that a kernel converts, and what is copied back when the function has returned.
#![cfg_attr(
    not(feature = "relayout"),
    allow(dead_code, reason = "only converted arrays use it")
)]

use core::cell::RefCell;
use core::ptr;
use std::sync::Mutex;

use crate::error::Result;
use crate::level::lock;
use crate::pool::Pool;

/// A piece of memory as the processor loads it.
#[repr(C, align(64))]
#[derive(Clone, Copy)]
struct Line([u8; LINE]);

const LINE: usize = 64;
/// The memory that is kept for later calls, in bytes.
const KEPT: usize = 128 << 20;

/// Memory that no call uses now. To get new pages from the system takes as long as to copy an array.
static FREE: Mutex<Vec<Vec<Line>>> = Mutex::new(Vec::new());

/// The conversions of one run of a kernel.
///
/// It lends memory until it is dropped, which is after the user's function has returned.
#[derive(Default)]
pub(crate) struct Conversions {
    lent: RefCell<Vec<Vec<Line>>>,
    back: RefCell<Vec<Back>>,
}

/// What converts the arrays of one run: its conversions, and XLA's threads.
#[derive(Clone, Copy)]
pub struct Converter<'call> {
    pub(crate) conversions: &'call Conversions,
    pub(crate) pool: Pool<'call>,
}

/// Work that is done when the function has returned.
type Back = Box<dyn FnOnce(&Pool<'_>) -> Result<()>>;

impl Conversions {
    /// So many initialised bytes, of any values; `None` where there is no memory for them. They are
    /// there until `self` is dropped, and each call lends others.
    pub(crate) fn lend(&self, bytes: usize) -> Option<*mut [u8]> {
        let mut memory = take(bytes)?;
        // A vector that moves leaves its items where they are.
        let first = memory.as_mut_ptr().cast();
        self.lent.borrow_mut().push(memory);
        Some(ptr::slice_from_raw_parts_mut(first, bytes))
    }

    /// Does this work when the function has returned without an error.
    pub(crate) fn afterwards(&self, work: impl FnOnce(&Pool<'_>) -> Result<()> + 'static) {
        self.back.borrow_mut().push(Box::new(work));
    }

    /// Does the work for afterwards.
    pub(crate) fn finish(&self, pool: &Pool<'_>) -> Result<()> {
        let back = self.back.take();
        back.into_iter().try_for_each(|work| work(pool))
    }
}

impl Drop for Conversions {
    fn drop(&mut self) {
        let mut free = lock(&FREE);
        for memory in self.lent.take() {
            if size(&memory) <= KEPT {
                free.push(memory);
            }
        }
        // The oldest are at the front.
        let mut kept: usize = free.iter().map(size).sum();
        free.retain(|memory| {
            let fits = kept <= KEPT;
            if !fits {
                kept -= size(memory);
            }
            fits
        });
    }
}

#[expect(clippy::ptr_arg, reason = "`iter` passes it so")]
const fn size(memory: &Vec<Line>) -> usize {
    memory.len() * LINE
}

/// Memory of at least so many bytes: the smallest that is free, or new one.
fn take(bytes: usize) -> Option<Vec<Line>> {
    let lines = bytes.div_ceil(LINE);
    {
        let mut free = lock(&FREE);
        // Memory much larger than this is left for the array that it was made for.
        let fits = |memory: &&Vec<Line>| memory.len() >= lines && memory.len() / 4 <= lines;
        let best = free.iter().filter(fits).map(Vec::len).min();
        if let Some(at) = free.iter().position(|memory| Some(memory.len()) == best) {
            return Some(free.swap_remove(at));
        }
    }
    let mut memory = Vec::new();
    memory.try_reserve_exact(lines).ok()?;
    memory.resize(lines, Line([0; LINE]));
    Some(memory)
}

#[cfg(test)]
mod tests {
    use super::{Conversions, FREE, KEPT, LINE, size};
    use crate::level::lock;
    use crate::pool::Pool;

    #[test]
    fn memory_is_lent_apart_and_kept_up_to_a_limit() {
        let conversions = Conversions::default();
        let [a, b] = [1000, 5].map(|bytes| conversions.lend(bytes).unwrap());
        assert_eq!((a.len(), b.len()), (1000, 5));
        let [a, b] = [a, b].map(|memory| memory.cast::<u8>().addr());
        assert_eq!((a % LINE, b % LINE), (0, 0));
        assert!(a.abs_diff(b) >= 5 && (b < a || b - a >= 1000));
        assert!(conversions.lend(usize::MAX - LINE).is_none());
        drop(conversions);
        let large = Conversions::default();
        for _ in 0..3 {
            let _ = large.lend(KEPT / 2).unwrap();
        }
        drop(large);
        assert!(lock(&FREE).iter().map(size).sum::<usize>() <= KEPT);
    }

    #[test]
    fn work_for_afterwards_is_done_once_and_in_sequence() {
        use std::sync::{Arc, Mutex};
        let done = Arc::new(Mutex::new(Vec::new()));
        let conversions = Conversions::default();
        for number in [1, 2] {
            let done = Arc::clone(&done);
            conversions.afterwards(move |_| {
                lock(&done).push(number);
                Ok(())
            });
        }
        assert!(lock(&done).is_empty());
        conversions.finish(&Pool::here()).unwrap();
        conversions.finish(&Pool::here()).unwrap();
        assert_eq!(*lock(&done), [1, 2]);
    }
}
