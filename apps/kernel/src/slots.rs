//! A short list whose slots are not initialised: clearing 64 of them would take longer than all
//! checks of a call.
#![allow(unsafe_code)]

use core::cell::{Cell, UnsafeCell};
use core::mem::MaybeUninit;

/// Up to 64 items, each set at most once.
pub(crate) struct Slots<T: Copy> {
    /// A mask of the items that are set.
    set: Cell<u64>,
    items: [UnsafeCell<MaybeUninit<T>>; 64],
}

impl<T: Copy> Slots<T> {
    #[inline(always)]
    pub(crate) const fn new() -> Self {
        Self {
            set: Cell::new(0),
            items: [const { UnsafeCell::new(MaybeUninit::uninit()) }; 64],
        }
    }

    /// Sets an item.
    ///
    /// # Panics
    /// When the item is set, or the number is above 63: a kernel has 64 parameters at most, and
    /// each is set once.
    #[inline(always)]
    pub(crate) fn set(&self, number: usize, item: T) {
        if number >= 64 || self.set.get() >> number & 1 == 1 {
            unreachable!("a parameter above 63, or one that was set before");
        }
        // SAFETY: the item is not set, so that `get` has returned no reference to it; the type is
        // not `Sync`, so that no other thread is here.
        unsafe { (*self.items[number].get()).write(item) };
        self.set.set(self.set.get() | 1 << number);
    }

    /// The item, if it is set.
    #[inline(always)]
    pub(crate) fn get(&self, number: usize) -> Option<&T> {
        if number < 64 && self.set.get() >> number & 1 == 1 {
            // SAFETY: the bit says that it was written, and nothing writes it again.
            Some(unsafe { (*self.items[number].get()).assume_init_ref() })
        } else {
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Slots;

    #[test]
    fn what_is_set_is_there() {
        let slots = Slots::new();
        for number in [0, 7, 63] {
            slots.set(number, number as i64);
        }
        for number in 0..200 {
            let expected = [0, 7, 63].contains(&number).then_some(number as i64);
            assert_eq!(slots.get(number).copied(), expected);
        }
    }

    #[test]
    #[should_panic(expected = "set before")]
    fn nothing_is_set_twice() {
        let slots = Slots::new();
        slots.set(7, 1);
        let lent = slots.get(7);
        slots.set(7, 2);
        let _ = lent;
    }

    #[test]
    #[should_panic(expected = "above 63")]
    fn there_are_64() {
        Slots::new().set(64, 1);
    }
}
