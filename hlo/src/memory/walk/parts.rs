//! The positions of the parts of a tuple among its arrays.

use std::rc::Rc;

use super::super::super::graph::ShapeId;
use super::{Follow, Places};

/// The part of a shape at an index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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

impl Follow<'_> {
    fn begins(&mut self, shape: ShapeId) -> Rc<[u32]> {
        if let Some(known) = self.begins.get(&shape) {
            return known.clone();
        }
        let items = self.module.shapes.items(shape);
        let mut before = 0;
        let mut begins = vec![before];
        for &item in items {
            before += self.module.shapes.count(item) as u32;
            begins.push(before);
        }
        let begins: Rc<[u32]> = begins.into();
        self.begins.insert(shape, begins.clone());
        begins
    }

    /// Returns the range of the arrays of an item of a tuple.
    pub(super) fn item(&mut self, shape: ShapeId, index: u32) -> Option<std::ops::Range<usize>> {
        let begins = self.begins(shape);
        let begin = *begins.get(index as usize)?;
        let end = *begins.get(index as usize + 1)?;
        Some(begin as usize..end as usize)
    }

    /// Returns the position of the array at this index of a shape.
    pub(super) fn place(&mut self, mut shape: ShapeId, index: &[u32]) -> Item<usize> {
        let mut at = 0;
        for &k in index {
            let range = self.item(shape, k);
            let (Some(range), Some(item)) = (range, self.module.shapes.item(shape, k)) else {
                return Item::Missing;
            };
            at += range.start;
            shape = item;
        }
        match self.module.shapes.leaf(shape) {
            Some(_) => Item::Array(at),
            None => Item::WithoutArray,
        }
    }
}
