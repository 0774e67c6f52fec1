//! Lists with room for `N` items, and one way to sort them.
//!
//! ```text
//! sort(pairs): merge each ascending run with the next one, until one run is left
//!     # O(n log n); O(n) if they ascend
//! ```

use crate::Result;

/// A list of at most `N` items.
#[derive(Clone, Copy)]
#[cfg_attr(feature = "operations", derive(Debug))]
pub(crate) struct List<E, const N: usize> {
    pub(crate) list: [E; N],
    pub(crate) len: usize,
}

impl<E: Copy, const N: usize> List<E, N> {
    /// A list without items. `fill` is in the places that are not used.
    pub(crate) const fn new(fill: E) -> Self {
        Self {
            list: [fill; N],
            len: 0,
        }
    }

    pub(crate) const fn as_slice(&self) -> &[E] {
        self.list.split_at(self.len).0
    }

    /// Adds an item as the last one.
    pub(crate) const fn push(&mut self, item: E) -> Result<()> {
        ensure!(self.len < N, TooManyTerms { limit: N });
        self.list[self.len] = item;
        self.len += 1;
        Ok(())
    }

    /// Removes an item. The sequence of the others stays.
    pub(crate) const fn remove(&mut self, at: usize) {
        self.len -= 1;
        each!(i, at..self.len, {
            self.list[i] = self.list[i + 1];
        });
    }
}

impl<const N: usize> List<(i64, u64), N> {
    /// Sorts the pairs. Equal pairs stay once.
    pub(crate) const fn sort(&mut self) {
        // A sorted list needs no copy.
        if self.end_of_run(0) >= self.len {
            return;
        }
        let mut old = Self::new((0, 0));
        while self.end_of_run(0) < self.len {
            old.len = self.len;
            (old.list.split_at_mut(old.len).0).copy_from_slice(self.as_slice());
            self.len = 0;
            let mut end = 0;
            while end < old.len {
                let mut left = end;
                let middle = old.end_of_run(end);
                let mut right = middle;
                end = old.end_of_run(middle);
                while left < middle || right < end {
                    let is_right =
                        right < end && (left == middle || before(old.list[right], old.list[left]));
                    let from = if is_right { &mut right } else { &mut left };
                    let next = old.list[*from];
                    *from += 1;
                    // Not only `before(last, next)`: `last` may be of the runs merged before.
                    let last = self.list[self.len.saturating_sub(1)];
                    if self.len == 0 || before(last, next) || before(next, last) {
                        self.list[self.len] = next;
                        self.len += 1;
                    }
                }
            }
        }
    }

    /// Where the ascending pairs from `at` on end.
    const fn end_of_run(&self, mut at: usize) -> usize {
        at += 1;
        while at < self.len && before(self.list[at - 1], self.list[at]) {
            at += 1;
        }
        if at < self.len { at } else { self.len }
    }
}

const fn before(a: (i64, u64), b: (i64, u64)) -> bool {
    a.0 < b.0 || a.0 == b.0 && a.1 < b.1
}
