//! A short list whose places are not written before they are used: clearing 64 of them would take
//! longer than all checks of a call.
#![allow(unsafe_code)]

use core::mem::MaybeUninit;

/// Up to 64 items, each set at most once.
pub(crate) struct Slots<T: Copy> {
    /// Which are set, a bit each.
    set: u64,
    items: [MaybeUninit<T>; 64],
}

impl<T: Copy> Slots<T> {
    #[inline(always)]
    pub(crate) const fn new() -> Self {
        Self {
            set: 0,
            items: [const { MaybeUninit::uninit() }; 64],
        }
    }

    /// Sets an item; numbers above 63 are not there.
    #[inline(always)]
    pub(crate) fn set(&mut self, number: usize, item: T) {
        if let Some(slot) = self.items.get_mut(number) {
            slot.write(item);
            self.set |= 1 << number;
        }
    }

    /// The item, if it is set.
    #[inline(always)]
    pub(crate) fn get(&self, number: usize) -> Option<&T> {
        if number < 64 && self.set >> number & 1 == 1 {
            // SAFETY: the bit says that it was written; nothing unsets it.
            Some(unsafe { self.items[number].assume_init_ref() })
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
        let mut slots = Slots::new();
        for number in [0, 7, 63] {
            slots.set(number, number as i64);
        }
        slots.set(64, 64);
        for number in 0..200 {
            let expected = [0, 7, 63].contains(&number).then_some(number as i64);
            assert_eq!(slots.get(number).copied(), expected);
        }
    }
}
