//! Walks through nested tuples, and copies of them, without recursion: an input controls how deeply
//! tuples are nested, and a thread may have a small stack.
//!
//! ```text
//! walk:  the next step is the next member of the innermost open tuple;
//!        a tuple is opened, and closed after its last member.
//! build: the same steps in reverse: a shape becomes a member of the innermost open tuple.
//! ```

use alloc::vec::Vec;

use super::Shape;

/// A step of a [`Walk`].
#[derive(Clone, Copy, Debug)]
pub enum Step<'a> {
    /// A tuple begins, which is the member of this number.
    Open(&'a Shape, usize),
    /// What is not a tuple, and the number of this member.
    Leaf(&'a Shape, usize),
    /// A tuple ends.
    Close(&'a Shape),
}

/// All shapes in a shape, in the sequence of its text. A tuple comes before and after its members.
///
/// ```
/// use xlayout_shape::Shape;
/// use xlayout_shape::walk::Step;
///
/// let shape: Shape = "(f32[2], (), s32[])".parse()?;
/// let arrays = shape.walk().filter(|step| matches!(step, Step::Leaf(..)));
/// assert_eq!(arrays.count(), 2);
/// # Ok::<(), xlayout_shape::ParseError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Walk<'a> {
    whole: Option<&'a Shape>,
    /// The tuples around the next step, each with the number of its next member.
    open: Vec<(&'a Shape, usize)>,
}

impl<'a> Iterator for Walk<'a> {
    type Item = Step<'a>;

    fn next(&mut self) -> Option<Step<'a>> {
        let (shape, member) = match self.whole.take() {
            Some(whole) => (whole, 0),
            None => {
                let (tuple, next) = self.open.last_mut()?;
                let Some(shape) = tuple.tuple_shapes().and_then(|members| members.get(*next))
                else {
                    let closed = *tuple;
                    self.open.pop();
                    return Some(Step::Close(closed));
                };
                *next += 1;
                (shape, *next - 1)
            }
        };
        if shape.is_tuple() {
            self.open.push((shape, 0));
            return Some(Step::Open(shape, member));
        }
        Some(Step::Leaf(shape, member))
    }
}

impl Shape {
    /// Walks through this shape and all that is inside.
    #[must_use]
    pub fn walk(&self) -> Walk<'_> {
        Walk {
            whole: Some(self),
            open: Vec::new(),
        }
    }

    /// The shapes inside that are not tuples (XLA: `ShapeUtil::FlattenTupleShape`, `GetLeafCount`).
    ///
    /// ```
    /// use xlayout_shape::Shape;
    /// let shape: Shape = "(f32[2], ((), token[]))".parse().unwrap();
    /// assert!(shape.leaves().eq([&"f32[2]".parse().unwrap(), &Shape::Token]));
    /// assert_eq!("((), ())".parse::<Shape>().unwrap().leaves().count(), 0);
    /// ```
    #[doc(alias("FlattenTupleShape", "GetLeafCount", "GetLeafCountTuple"))]
    pub fn leaves(&self) -> impl Iterator<Item = &Self> {
        self.walk().filter_map(|step| match step {
            Step::Leaf(leaf, _) => Some(leaf),
            Step::Open(..) | Step::Close(_) => None,
        })
    }
}

/// A shape that is made in the sequence of its text.
///
/// ```
/// use xlayout_shape::Shape;
/// use xlayout_shape::walk::Build;
///
/// let mut build = Build::default();
/// build.open(1);
/// assert!(build.put("f32[2]".parse()?).is_none());
/// assert_eq!(build.close(), Some("(f32[2])".parse()?));
/// # Ok::<(), xlayout_shape::ParseError>(())
/// ```
#[derive(Debug, Default)]
pub struct Build {
    /// The members so far of each open tuple.
    open: Vec<Vec<Shape>>,
}

impl Build {
    /// A tuple begins; it will have about this number of members.
    pub fn open(&mut self, members: usize) {
        self.open.push(Vec::with_capacity(members));
    }

    /// How many tuples are open.
    #[must_use]
    pub fn depth(&self) -> usize {
        self.open.len()
    }

    /// A shape is complete. It is the answer if it is not inside of a tuple.
    #[must_use]
    pub fn put(&mut self, shape: Shape) -> Option<Shape> {
        match self.open.last_mut() {
            Some(members) => {
                members.push(shape);
                None
            }
            None => Some(shape),
        }
    }

    /// The innermost open tuple is complete. It is the answer if it is not inside of another.
    #[must_use]
    pub fn close(&mut self) -> Option<Shape> {
        let members = self.open.pop()?;
        self.put(Shape::Tuple(members))
    }
}

impl Clone for Shape {
    fn clone(&self) -> Self {
        let mut build = Build::default();
        for step in self.walk() {
            let whole = match step {
                Step::Open(tuple, _) => {
                    build.open(tuple.tuple_shapes().map_or(0, <[Self]>::len));
                    None
                }
                Step::Leaf(Self::Array(array), _) => build.put(Self::Array(array.clone())),
                Step::Leaf(Self::Buffer(array), _) => build.put(Self::Buffer(array.clone())),
                Step::Leaf(Self::Opaque, _) => build.put(Self::Opaque),
                Step::Leaf(_, _) => build.put(Self::Token),
                Step::Close(_) => build.close(),
            };
            if let Some(whole) = whole {
                return whole;
            }
        }
        unreachable!("the last step of a walk is the whole shape")
    }
}
