//! Memory for arrays that a kernel converts, and the copies back to XLA when the function has
//! returned.
#![cfg_attr(
    not(feature = "relayout"),
    allow(dead_code, reason = "only converted arrays use it")
)]

use core::cell::RefCell;
use core::ptr;
use std::sync::Mutex;

use crate::level::lock;
use crate::pool::Pool;

/// A piece of memory as the processor loads it.
#[repr(C, align(64))]
#[derive(Clone, Copy)]
struct Line([u8; LINE]);

const LINE: usize = 64;
/// The memory that is kept for later calls, in bytes.
const KEPT: usize = 128 << 20;

/// Memory that no call uses now. It is kept because getting new pages from the system takes as long
/// as copying an array.
static FREE: Mutex<Vec<Vec<Line>>> = Mutex::new(Vec::new());

/// The conversions of one call of a kernel. A call has one run for each item of a batch.
///
/// It lends memory until it is dropped, which is after the last run.
#[derive(Default)]
pub(crate) struct Conversions {
    lent: RefCell<Vec<Vec<Line>>>,
    windows: RefCell<Vec<Window>>,
}

/// Converts one array in one run: the conversions of the call, XLA's threads, and the array as XLA
/// passes it, the items of a batch one after the other.
#[derive(Clone, Copy)]
pub(crate) struct Converter<'call> {
    pub(crate) conversions: &'call Conversions,
    pub(crate) pool: Pool<'call>,
    /// The number of the parameter.
    pub(crate) parameter: usize,
    /// The first byte of all items.
    pub(crate) data: *mut u8,
    /// The bytes of one item.
    pub(crate) bytes: usize,
    /// How many items there are, and which of them the run gets.
    pub(crate) count: usize,
    pub(crate) at: usize,
}

/// Consecutive items of a parameter's array that the kernel has converted.
struct Window {
    parameter: usize,
    first: usize,
    items: usize,
    memory: *mut u8,
    back: Option<Back>,
}

/// Work that copies results to XLA's memory.
pub(crate) type Back = Box<dyn FnOnce(&Pool<'_>)>;

/// Where the items of a window are.
#[derive(Clone, Copy)]
pub(crate) struct Copied {
    /// The items as XLA passes them, and how many they are.
    pub(crate) passed: *mut [u8],
    pub(crate) items: usize,
    /// The kernel's own memory for all of them.
    pub(crate) memory: *mut [u8],
}

/// The largest number of bytes of small items that are converted together. So fewer plans run, and
/// the copy stays in the cache.
const TOGETHER: usize = 256 << 10;

impl Conversions {
    /// Lends `bytes` initialised bytes of any values; `None` if there is not enough memory. They
    /// live until `self` is dropped. Each call lends different bytes.
    fn lend(&self, bytes: usize) -> Option<*mut u8> {
        let mut memory = take(bytes)?;
        // Moving a vector does not move its items.
        let first = memory.as_mut_ptr().cast();
        self.lent.borrow_mut().push(memory);
        Some(first)
    }

    /// Copies all results to XLA's memory.
    pub(crate) fn finish(&self, pool: &Pool<'_>) {
        let windows = self.windows.take();
        for back in windows.into_iter().filter_map(|window| window.back) {
            back(pool);
        }
    }
}

impl Converter<'_> {
    /// The memory of the run's item in the kernel's layout. `None` if there is not enough memory.
    ///
    /// If `several`, items may be converted together. `load` is called with the items of a window
    /// before the first run that uses it. The work that it returns is done after the last run.
    pub(crate) fn item<E>(
        &self,
        bytes: usize,
        several: bool,
        load: impl FnOnce(Copied) -> Result<Option<Back>, E>,
    ) -> Option<Result<*mut [u8], E>> {
        let parameter = self.parameter;
        let at = self.at;
        let mut windows = self.conversions.windows.borrow_mut();
        let own = windows.iter().position(|own| own.parameter == parameter);
        let own = match own {
            Some(own) => {
                let window = &mut windows[own];
                if let Some(number) = at.checked_sub(window.first)
                    && number < window.items
                {
                    return Some(Ok(item(window.memory, number, bytes)));
                }
                if let Some(back) = window.back.take() {
                    back(&self.pool);
                }
                own
            }
            None => {
                let count = self.items_together(bytes, several);
                let memory = bytes.checked_mul(count);
                let memory = memory.and_then(|bytes| self.conversions.lend(bytes))?;
                windows.push(Window {
                    parameter,
                    first: 0,
                    items: 0,
                    memory,
                    back: None,
                });
                windows.len() - 1
            }
        };
        let own = &mut windows[own];
        let items = self.items_together(bytes, several).min(self.count - at);
        let passed = ptr::slice_from_raw_parts_mut(
            // Within the array: the number of the item is below the count.
            self.data.wrapping_add(at * self.bytes),
            items * self.bytes,
        );
        let copied = Copied {
            passed,
            items,
            memory: ptr::slice_from_raw_parts_mut(own.memory, items * bytes),
        };
        match load(copied) {
            Ok(back) => own.back = back,
            Err(error) => return Some(Err(error)),
        }
        (own.first, own.items) = (at, items);
        Some(Ok(item(own.memory, 0, bytes)))
    }

    /// The number of items that are converted together.
    fn items_together(&self, bytes: usize, several: bool) -> usize {
        if !several {
            return 1;
        }
        let bytes = bytes.max(self.bytes);
        // Nothing is copied, and the sizes of several items may be more than a layout can have.
        if bytes == 0 {
            return 1;
        }
        (TOGETHER / bytes).clamp(1, self.count.max(1))
    }
}

/// An item in the memory of a window.
fn item(memory: *mut u8, number: usize, bytes: usize) -> *mut [u8] {
    ptr::slice_from_raw_parts_mut(memory.wrapping_add(number * bytes), bytes)
}

impl Drop for Conversions {
    fn drop(&mut self) {
        keep(&mut lock(&FREE), self.lent.take(), KEPT);
    }
}

/// Adds memory to the free memory, and keeps at most `limit` bytes of it: the oldest, at the front,
/// is dropped first.
fn keep(free: &mut Vec<Vec<Line>>, lent: Vec<Vec<Line>>, limit: usize) {
    free.extend(lent.into_iter().filter(|memory| size(memory) <= limit));
    let mut total: usize = free.iter().map(size).sum();
    free.retain(|memory| {
        let fits = total <= limit;
        if !fits {
            total -= size(memory);
        }
        fits
    });
}

#[expect(clippy::ptr_arg, reason = "`iter` passes it so")]
const fn size(memory: &Vec<Line>) -> usize {
    memory.len() * LINE
}

/// Memory of at least `bytes` bytes: the smallest free one that fits, or new memory.
fn take(bytes: usize) -> Option<Vec<Line>> {
    let lines = bytes.div_ceil(LINE);
    if let Some(memory) = best(&mut lock(&FREE), lines) {
        return Some(memory);
    }
    let mut memory = Vec::new();
    memory.try_reserve_exact(lines).ok()?;
    memory.resize(lines, Line([0; LINE]));
    Some(memory)
}

/// The smallest free memory of at least `lines` lines. Memory of more than four times that size is
/// left for larger arrays.
fn best(free: &mut Vec<Vec<Line>>, lines: usize) -> Option<Vec<Line>> {
    let fits = |memory: &&Vec<Line>| memory.len() >= lines && memory.len() / 4 <= lines;
    let best = free.iter().filter(fits).map(Vec::len).min()?;
    let at = free.iter().position(|memory| memory.len() == best)?;
    Some(free.swap_remove(at))
}

#[cfg(test)]
mod tests {
    use core::convert::Infallible;
    use std::sync::{Arc, Mutex};

    use super::{Conversions, Converter, FREE, KEPT, LINE, Line, TOGETHER, best, keep, size};
    use crate::level::lock;
    use crate::pool::Pool;

    #[test]
    fn memory_is_lent_apart_and_kept_up_to_a_limit() {
        let conversions = Conversions::default();
        let [a, b] = [1000, 5].map(|bytes| conversions.lend(bytes).unwrap().addr());
        assert_eq!((a % LINE, b % LINE), (0, 0));
        assert!(a.abs_diff(b) >= 5 && (b < a || b - a >= 1000));
        assert!(conversions.lend(usize::MAX - LINE).is_none());
        let _ = conversions.lend(977 * LINE).unwrap();
        drop(conversions);
        assert!(lock(&FREE).iter().any(|memory| memory.len() == 977));
        let large = Conversions::default();
        for _ in 0..3 {
            let _ = large.lend(KEPT / 2).unwrap();
        }
        drop(large);
        assert!(lock(&FREE).iter().map(size).sum::<usize>() <= KEPT);
    }

    fn lines(counts: &[usize]) -> Vec<Vec<Line>> {
        let memory = |&count: &usize| vec![Line([0; LINE]); count];
        counts.iter().map(memory).collect()
    }

    #[test]
    fn the_oldest_memory_is_given_up() {
        for (free, lent, kept) in [
            (&[][..], &[3, 4][..], &[3, 4][..]),
            // Exactly the limit, and one line more.
            (&[6], &[4], &[6, 4]),
            (&[6], &[5], &[5]),
            (&[1, 6, 2], &[3], &[2, 3]),
            // One piece that exceeds the limit: it is not kept, and nothing else is dropped for it.
            (&[2], &[11, 1], &[2, 1]),
            (&[], &[10], &[10]),
        ] {
            let mut memory = lines(free);
            keep(&mut memory, lines(lent), 10 * LINE);
            let found: Vec<usize> = memory.iter().map(Vec::len).collect();
            assert_eq!(found, kept, "{free:?} {lent:?}");
        }
    }

    #[test]
    fn memory_is_used_again_up_to_four_times_what_is_needed() {
        for (free, needed, found) in [
            (&[7, 5, 9][..], 5, Some(5)),
            (&[7, 5, 9], 6, Some(7)),
            (&[4], 5, None),
            (&[20, 24], 5, Some(20)),
            (&[23], 5, Some(23)),
            (&[24], 5, None),
            (&[], 5, None),
        ] {
            let mut memory = lines(free);
            let best = best(&mut memory, needed).map(|memory| memory.len());
            assert_eq!(best, found, "{free:?} {needed}");
            assert_eq!(memory.len(), free.len() - usize::from(found.is_some()));
        }
    }

    /// Checks which items each run loads and copies back.
    #[test]
    fn windows_follow_the_runs() {
        let third = TOGETHER / 3;
        for (bytes, several, runs, expected) in [
            (third, true, vec![0, 1, 2, 3, 4], "0+3 -0 3+2 -3"),
            (third, false, vec![0, 1, 2], "0+1 -0 1+1 -1 2+1 -2"),
            (2 * TOGETHER, true, vec![0, 0, 1], "0+1 -0 1+1 -1"),
            (third, true, vec![3, 4, 3, 0, 3], "3+2 -3 0+3 -0 3+2 -3"),
            (0, true, vec![0, 4, 2], "0+1 -0 4+1 -4 2+1 -2"),
        ] {
            let conversions = Conversions::default();
            let done = Arc::new(Mutex::new(Vec::new()));
            let mut begins = [None; 5];
            for at in runs {
                let converter = Converter {
                    conversions: &conversions,
                    pool: Pool::here(),
                    parameter: 7,
                    data: core::ptr::null_mut(),
                    bytes,
                    count: 5,
                    at,
                };
                let memory = converter.item::<Infallible>(bytes, several, |copied| {
                    assert_eq!(copied.passed.addr(), at * bytes);
                    assert_eq!(copied.memory.len(), copied.items * bytes);
                    lock(&done).push(format!("{at}+{}", copied.items));
                    begins = [None; 5];
                    let done = Arc::clone(&done);
                    Ok(Some(Box::new(move |_: &Pool<'_>| {
                        lock(&done).push(format!("-{at}"));
                    })))
                });
                let Some(Ok(memory)) = memory else {
                    panic!("there is memory");
                };
                // The address of an item does not change within its window.
                let begin = begins[at].get_or_insert(memory.addr());
                assert_eq!((memory.addr(), memory.len()), (*begin, bytes));
            }
            conversions.finish(&Pool::here());
            conversions.finish(&Pool::here());
            assert_eq!(lock(&done).join(" "), expected);
        }
    }
}
