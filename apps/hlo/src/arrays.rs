//! The arrays of a shape, added leaf by leaf while a text or a proto is read.

use super::tally::Leaf;

/// The arrays of a shape; a tuple adds those of its items.
#[derive(Default)]
pub(crate) struct Arrays {
    pub(crate) leaves: Vec<Leaf>,
    /// The parentheses around them: `(`, `)`, and `x` for each array.
    pub(crate) nesting: Vec<u8>,
    /// The number of the next item of each open tuple.
    pub(crate) open: Vec<u32>,
    /// The index path of each array in nested tuples, if it is asked for.
    pub(crate) paths: Option<Vec<Box<[u32]>>>,
}

impl Arrays {
    /// No arrays; the index path of each is wanted.
    pub(crate) fn with_paths() -> Self {
        Self {
            paths: Some(Vec::new()),
            ..Self::default()
        }
    }

    /// Removes everything, for the next shape.
    pub(crate) fn clear(&mut self) {
        self.leaves.clear();
        self.nesting.clear();
        self.open.clear();
        if let Some(paths) = &mut self.paths {
            paths.clear();
        }
    }

    /// Begins a tuple.
    pub(crate) fn open(&mut self) {
        self.nesting.push(b'(');
        self.open.push(0);
    }

    /// Ends a tuple.
    pub(crate) fn close(&mut self) {
        self.nesting.push(b')');
        self.open.pop();
        self.next();
    }

    /// Adds an array, or another shape that is not a tuple.
    pub(crate) fn leaf(&mut self, leaf: Leaf) {
        self.leaves.push(leaf);
        self.nesting.push(b'x');
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
