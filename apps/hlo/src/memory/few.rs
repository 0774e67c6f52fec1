//! A list that needs no heap memory for one item, the usual case: a large module has millions of
//! them.

use std::ops::Deref;

#[derive(Clone)]
pub(super) enum Few<T, L = Vec<T>> {
    One([T; 1]),
    Several(L),
}

impl<T: Copy> Few<T> {
    pub(super) fn one(item: T) -> Self {
        Self::One([item])
    }

    pub(super) fn push(&mut self, item: T) {
        match self {
            Self::One([first]) => *self = Self::Several(vec![*first, item]),
            Self::Several(all) => all.push(item),
        }
    }
}

impl<T, L: Deref<Target = [T]>> Deref for Few<T, L> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        match self {
            Self::One(all) => all,
            Self::Several(all) => all,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_stay_in_their_sequence() {
        let mut few = Few::one(3);
        assert_eq!(*few, [3]);
        few.push(1);
        few.push(2);
        assert_eq!(*few, [3, 1, 2]);
    }
}
