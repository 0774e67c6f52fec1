//! A short list that needs no heap until it grows past `N` items.

use core::fmt;
use core::ops::{Deref, DerefMut};

use crate::error::ParseError;

#[cfg(feature = "alloc")]
use alloc::vec::Vec;

/// A list of small values: up to `N` lie inside it, more on the heap.
///
/// Dimensions, orders and tiles are lists like this one, so that reading and printing a layout of
/// ordinary rank allocates nothing. Without the feature `alloc` a list cannot grow past `N`:
/// [`try_push`](List::try_push) then answers [`TooMany`](crate::ErrorKind::TooMany).
///
/// ```
/// use xlayout_shape::List;
///
/// let mut dims: List<i64, 16> = List::new();
/// dims.try_push(2).unwrap();
/// dims.try_push(3).unwrap();
/// assert_eq!(dims[..], [2, 3]);
/// ```
#[derive(Clone)]
pub struct List<T, const N: usize> {
    len: usize,
    inline: [T; N],
    #[cfg(feature = "alloc")]
    heap: Vec<T>,
}

impl<T: Copy, const N: usize> List<T, N> {
    /// A list of at most `N` items, made at compile time. `fill` is in the unused places.
    ///
    /// ```
    /// use xlayout_shape::List;
    /// const DIMS: List<i64, 4> = List::from_slice(&[2, 3], 0);
    /// let mut dims = DIMS;
    /// dims[0] = 7;
    /// assert_eq!(dims.as_slice(), [7, 3]);
    /// assert_eq!(dims.remove(0), Some(7));
    /// dims.truncate(0);
    /// assert!(dims.is_empty() && dims == List::new());
    /// ```
    ///
    /// # Panics
    /// If there are more than `N` items.
    #[must_use]
    pub const fn from_slice(items: &[T], fill: T) -> Self {
        assert!(items.len() <= N, "more items than a constant list can hold");
        let mut inline = [fill; N];
        each!(k, 0..items.len(), {
            inline[k] = items[k];
        });
        Self {
            len: items.len(),
            inline,
            #[cfg(feature = "alloc")]
            heap: Vec::new(),
        }
    }

    /// The items.
    #[inline]
    #[must_use]
    pub const fn as_slice(&self) -> &[T] {
        #[cfg(feature = "alloc")]
        if self.len > N {
            return self.heap.as_slice();
        }
        self.inline.split_at(self.len).0
    }

    /// Adds an item that has room: the list takes as many as what its items come from, so that
    /// without a heap it is never too long.
    #[doc(hidden)]
    pub fn push(&mut self, item: T) {
        if let Err(full) = self.try_push(item) {
            unreachable!("a list has room for the items of another one: {full}");
        }
    }

    /// Adds an item.
    ///
    /// # Errors
    /// [`TooMany`](crate::ErrorKind::TooMany) when `N` items are there and the feature `alloc` is
    /// off.
    #[inline]
    pub fn try_push(&mut self, item: T) -> Result<(), ParseError> {
        if self.len < N {
            self.inline[self.len] = item;
            self.len += 1;
            return Ok(());
        }
        #[cfg(feature = "alloc")]
        {
            if self.len == N {
                self.heap = self.inline.to_vec();
            }
            self.heap.push(item);
            self.len += 1;
            Ok(())
        }
        #[cfg(not(feature = "alloc"))]
        {
            let item = crate::error::Item::Entry;
            Err(crate::error::ErrorKind::TooMany { item, limit: N }.into())
        }
    }

    /// Forgets all items from `len` on.
    pub fn truncate(&mut self, len: usize) {
        if len >= self.len {
            return;
        }
        #[cfg(feature = "alloc")]
        if self.len > N {
            self.heap.truncate(len);
            if len <= N {
                self.inline[..len].copy_from_slice(&self.heap);
                self.heap.clear();
            }
        }
        self.len = len;
    }

    /// Removes the item at `at` and closes the gap; `None` beyond the end.
    pub fn remove(&mut self, at: usize) -> Option<T> {
        let item = *self.get(at)?;
        self.copy_within(at + 1.., at);
        self.truncate(self.len - 1);
        Some(item)
    }
}

impl<T: Copy + Default, const N: usize> List<T, N> {
    /// The empty list.
    #[must_use]
    pub fn new() -> Self {
        Self {
            len: 0,
            inline: [T::default(); N],
            #[cfg(feature = "alloc")]
            heap: Vec::new(),
        }
    }

    /// A list of these items.
    ///
    /// ```
    /// use xlayout_shape::List;
    /// // More than lie inside go to the heap.
    /// let list: List<usize, 4> = List::try_from_iter(0..9).unwrap();
    /// assert_eq!(list.len(), 9);
    /// ```
    ///
    /// # Errors
    /// [`TooMany`](crate::ErrorKind::TooMany) when there are more than `N` and the feature `alloc`
    /// is off.
    pub fn try_from_iter(items: impl IntoIterator<Item = T>) -> Result<Self, ParseError> {
        let mut list = Self::new();
        for item in items {
            list.try_push(item)?;
        }
        Ok(list)
    }
}

impl<T: Copy + Default, const N: usize> Default for List<T, N> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T: Copy, const N: usize> Deref for List<T, N> {
    type Target = [T];
    #[inline]
    fn deref(&self) -> &[T] {
        self.as_slice()
    }
}

impl<T: Copy, const N: usize> DerefMut for List<T, N> {
    #[inline]
    fn deref_mut(&mut self) -> &mut [T] {
        #[cfg(feature = "alloc")]
        if self.len > N {
            return &mut self.heap;
        }
        &mut self.inline[..self.len]
    }
}

impl<T: Copy + PartialEq, const N: usize> PartialEq for List<T, N> {
    fn eq(&self, other: &Self) -> bool {
        self[..] == other[..]
    }
}

impl<T: Copy + Eq, const N: usize> Eq for List<T, N> {}

impl<T: Copy + core::hash::Hash, const N: usize> core::hash::Hash for List<T, N> {
    fn hash<H: core::hash::Hasher>(&self, state: &mut H) {
        self[..].hash(state);
    }
}

impl<T: Copy + fmt::Debug, const N: usize> fmt::Debug for List<T, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self[..].fmt(f)
    }
}

impl<'a, T: Copy, const N: usize> IntoIterator for &'a List<T, N> {
    type Item = &'a T;
    type IntoIter = core::slice::Iter<'a, T>;
    fn into_iter(self) -> Self::IntoIter {
        self.as_slice().iter()
    }
}
