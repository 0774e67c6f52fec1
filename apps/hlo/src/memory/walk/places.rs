//! The values of the arrays of a shape, and the positions of the parts of a tuple among its arrays.
//! Most shapes have one array, which needs no heap memory.

use std::rc::Rc;

use super::super::few::Few;

/// The values, in the order of the arrays; `None` for an array that is not followed.
pub(super) type Places = Few<Option<u32>, Rc<[Option<u32>]>>;

impl Default for Places {
    fn default() -> Self {
        Self::Several(Rc::from([]))
    }
}

impl From<&[Option<u32>]> for Places {
    fn from(all: &[Option<u32>]) -> Self {
        match *all {
            [one] => Self::One([one]),
            _ => Self::Several(Rc::from(all)),
        }
    }
}

impl FromIterator<Option<u32>> for Places {
    fn from_iter<I: IntoIterator<Item = Option<u32>>>(all: I) -> Self {
        let all: Vec<_> = all.into_iter().collect();
        Self::from(&*all)
    }
}

/// The places of the instructions of a computation: 4 bytes for each that gives one array.
pub(super) struct Results {
    /// The number of a value, or `SEVERAL` plus the number of a list.
    all: Vec<u32>,
    several: Vec<Places>,
}

/// Numbers from here on refer to lists.
const SEVERAL: u32 = 1 << 31;

impl Results {
    pub(super) fn with_capacity(count: usize) -> Self {
        Self {
            all: Vec::with_capacity(count),
            several: Vec::new(),
        }
    }

    pub(super) fn push(&mut self, places: Places) {
        let number = match places {
            Places::One([Some(value)]) if value < SEVERAL => value,
            places => {
                self.several.push(places);
                SEVERAL + (self.several.len() - 1) as u32
            }
        };
        self.all.push(number);
    }

    pub(super) fn len(&self) -> usize {
        self.all.len()
    }

    pub(super) fn get(&self, instruction: u32) -> Option<Places> {
        let number = *self.all.get(instruction as usize)?;
        Some(match number.checked_sub(SEVERAL) {
            None => Places::One([Some(number)]),
            Some(k) => self.several[k as usize].clone(),
        })
    }
}

/// The part of a shape at an index.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Item<T> {
    Array(T),
    /// A tuple, or a shape without memory, such as a token.
    WithoutArray,
    /// The shape has no such index.
    Missing,
}

impl Item<usize> {
    /// Maps the array to its value in `places`.
    pub(super) fn of(self, places: &Places) -> Item<u32> {
        match self {
            Self::Array(at) => places[at].map_or(Item::WithoutArray, Item::Array),
            Self::WithoutArray => Item::WithoutArray,
            Self::Missing => Item::Missing,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_takes_16_bytes_and_keeps_its_values() {
        assert_eq!(size_of::<Places>(), 2 * size_of::<usize>());
        for all in [
            vec![],
            vec![None],
            vec![Some(7)],
            vec![Some(1), None, Some(3)],
        ] {
            assert_eq!(*Places::from(&all[..]), all[..]);
            assert_eq!(*all.iter().copied().collect::<Places>(), all[..]);
        }
    }

    #[test]
    fn results_are_given_back() {
        let all = [
            vec![Some(7)],
            vec![],
            vec![None],
            vec![Some(SEVERAL)],
            vec![Some(1), None],
            vec![Some(SEVERAL - 1)],
        ];
        let mut results = Results::with_capacity(2);
        for one in &all {
            results.push(Places::from(&one[..]));
        }
        for (k, one) in (0..).zip(&all) {
            assert_eq!(*results.get(k).unwrap(), one[..]);
        }
        assert!(results.get(6).is_none());
    }
}
