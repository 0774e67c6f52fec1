//! The items of tuples among the arrays of their shapes.

use std::rc::Rc;

use super::Follow;
use super::places::Item;
use crate::graph::ShapeId;

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
