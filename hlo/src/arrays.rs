//! The arrays of a shape, leaf by leaf, as texts and protos are read.

use super::tally::Leaf;

/// The arrays of a shape, tuples item by item.
#[derive(Debug, Default)]
pub(crate) struct Arrays {
    pub(crate) leaves: Vec<Leaf>,
    /// For each of them, the number of the item of the outermost tuple that it is in; 0 without a tuple.
    pub(crate) items: Vec<u32>,
    /// The parentheses around them: `(`, `)`, and `x` for each array.
    pub(crate) nesting: Vec<u8>,
    /// The number of the next item of each open tuple.
    pub(crate) open: Vec<u32>,
    /// Where each array is in nested tuples, if it is asked for.
    pub(crate) paths: Option<Vec<Box<[u32]>>>,
}

impl Arrays {
    /// Begins with another shape.
    pub(crate) fn clear(&mut self) {
        self.leaves.clear();
        self.items.clear();
        self.nesting.clear();
        self.open.clear();
        if let Some(paths) = &mut self.paths {
            paths.clear();
        }
    }

    /// A tuple begins.
    pub(crate) fn open(&mut self) {
        self.nesting.push(b'(');
        self.open.push(0);
    }

    /// A tuple ends.
    pub(crate) fn close(&mut self) {
        self.nesting.push(b')');
        self.open.pop();
        self.next();
    }

    /// An array, or what is no tuple.
    pub(crate) fn leaf(&mut self, leaf: Leaf) {
        self.leaves.push(leaf);
        self.nesting.push(b'x');
        // A result that is not a tuple is its own first item.
        self.items.push(self.open.first().copied().unwrap_or(0));
        if let Some(paths) = &mut self.paths {
            paths.push(self.open.as_slice().into());
        }
        self.next();
    }

    fn next(&mut self) {
        if let Some(item) = self.open.last_mut() {
            *item = item.saturating_add(1);
        }
    }
}
