//! Shapes of results: arrays and tuples, each distinct one once.

use super::origins::Distinct;
use super::texts::Numbers;
use crate::tally::Leaf;

/// The number of a shape; 0 is the empty tuple.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct ShapeId(u32);

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Node {
    Leaf(Leaf),
    Tuple(Box<[ShapeId]>),
}

impl Default for Node {
    fn default() -> Self {
        Self::Tuple(Box::default())
    }
}

#[derive(Debug, Default)]
pub(crate) struct Shapes(Distinct<Node>);

impl Shapes {
    pub(super) fn numbers(&self) -> &Numbers {
        &self.0.numbers
    }

    fn get(&self, shape: ShapeId) -> &Node {
        self.0.get(shape.0)
    }

    /// Returns the number of a shape, and adds a new shape.
    pub(crate) fn add(&mut self, node: Node) -> ShapeId {
        ShapeId(self.0.add(node))
    }

    /// Returns a shape from its arrays and the parentheses around them: `(` and `)` for a tuple,
    /// another byte for each array.
    pub(crate) fn nested(&mut self, leaves: &[Leaf], nesting: &[u8]) -> ShapeId {
        if let ([leaf], [_]) = (leaves, nesting) {
            return self.add(Node::Leaf(*leaf));
        }
        let mut leaves = leaves.iter();
        let mut open: Vec<Vec<ShapeId>> = vec![Vec::new()];
        for byte in nesting {
            let done = match byte {
                b'(' => {
                    open.push(Vec::new());
                    continue;
                }
                b')' if open.len() > 1 => Node::Tuple(open.pop().unwrap_or_default().into()),
                b')' => continue,
                _ => match leaves.next() {
                    Some(&leaf) => Node::Leaf(leaf),
                    None => continue,
                },
            };
            let done = self.add(done);
            if let Some(tuple) = open.last_mut() {
                tuple.push(done);
            }
        }
        open.first()
            .and_then(|top| top.first())
            .copied()
            .unwrap_or_default()
    }

    /// The array, if the shape is one.
    pub(crate) fn leaf(&self, shape: ShapeId) -> Option<Leaf> {
        match self.get(shape) {
            Node::Leaf(leaf) => Some(*leaf),
            Node::Tuple(_) => None,
        }
    }

    /// An item of a tuple.
    pub(crate) fn item(&self, shape: ShapeId, index: u32) -> Option<ShapeId> {
        self.items(shape).get(index as usize).copied()
    }

    /// The items of a tuple; empty for an array.
    pub(crate) fn items(&self, shape: ShapeId) -> &[ShapeId] {
        match self.get(shape) {
            Node::Leaf(_) => &[],
            Node::Tuple(items) => items,
        }
    }

    /// The arrays of a shape, with those of all tuple items.
    pub(crate) fn leaves(&self, shape: ShapeId) -> Vec<Leaf> {
        let mut leaves = Vec::new();
        // The reader limits the depth of the text, which is the depth here.
        let mut open = vec![shape];
        while let Some(shape) = open.pop() {
            match self.get(shape) {
                Node::Leaf(leaf) => leaves.push(*leaf),
                Node::Tuple(items) => open.extend(items.iter().rev()),
            }
        }
        leaves
    }

    /// The index of each array of a shape.
    pub(crate) fn indices(&self, shape: ShapeId) -> Vec<Vec<u32>> {
        let mut indices = Vec::new();
        let mut open = vec![(shape, Vec::new())];
        while let Some((shape, index)) = open.pop() {
            match self.get(shape) {
                Node::Leaf(_) => indices.push(index),
                Node::Tuple(items) => {
                    let items = (0..).zip(items.iter());
                    let inside = |(k, &item): (u32, &ShapeId)| {
                        let index: Vec<u32> = index.iter().copied().chain([k]).collect();
                        (item, index)
                    };
                    let first = open.len();
                    open.extend(items.map(inside));
                    open[first..].reverse();
                }
            }
        }
        indices
    }

    /// The number of arrays of a shape.
    pub(crate) fn count(&self, shape: ShapeId) -> usize {
        self.leaves(shape).len()
    }
}
