//! Shapes inside shapes: by their path, and how many there are.

use alloc::vec::Vec;

use super::{Shape, ShapeError, ShapeIndex};

impl Shape {
    /// Whether the path leads to a shape inside this one (XLA: `ShapeUtil::IndexIsValid`).
    ///
    /// ```
    /// use xlayout_shape::Shape;
    /// let shape: Shape = "(f32[2], (s32[], token[]))".parse().unwrap();
    /// assert!(shape.index_is_valid(&[]));
    /// assert!(shape.index_is_valid(&[1, 0]));
    /// assert!(!shape.index_is_valid(&[0, 0]));
    /// assert!(!shape.index_is_valid(&[-1]));
    /// ```
    #[doc(alias = "IndexIsValid")]
    #[must_use]
    pub fn index_is_valid(&self, index: &[i64]) -> bool {
        self.subshape(index).is_ok()
    }

    /// The shape that the path leads to (XLA: `ShapeUtil::TryGetSubshape`, and `GetSubshape`, which
    /// aborts where there is none).
    ///
    /// ```
    /// use xlayout_shape::Shape;
    /// let shape: Shape = "(f32[2], (s32[], token[]))".parse().unwrap();
    /// assert_eq!(shape.subshape(&[1])?.to_string(), "(s32[], token[])");
    /// assert_eq!(
    ///     shape.subshape(&[1, 2]).unwrap_err().to_string(),
    ///     "there is no subshape {1,2}: at {1} is a tuple with 2 members",
    /// );
    /// assert_eq!(
    ///     shape.subshape(&[0, 2]).unwrap_err().to_string(),
    ///     "there is no subshape {0,2}: at {0} is no tuple",
    /// );
    /// # Ok::<(), xlayout_shape::ShapeError>(())
    /// ```
    ///
    /// # Errors
    /// Where the path leads nowhere.
    #[doc(alias = "GetSubshape")]
    #[doc(alias = "TryGetSubshape")]
    #[doc(alias = "GetSubshapeOneIndex")]
    pub fn subshape(&self, index: &[i64]) -> Result<&Self, ShapeError> {
        let mut shape = self;
        for (depth, &entry) in index.iter().enumerate() {
            let members = shape.tuple_shapes();
            let member = usize::try_from(entry).ok();
            shape = member
                .and_then(|at| members?.get(at))
                .ok_or_else(|| nowhere(index, depth, members.map(<[Self]>::len)))?;
        }
        Ok(shape)
    }

    /// The shape that the path leads to, to change (XLA: `ShapeUtil::GetMutableSubshape`).
    ///
    /// ```
    /// use xlayout_shape::Shape;
    /// let mut shape: Shape = "(f32[2], token[])".parse().unwrap();
    /// *shape.subshape_mut(&[1])? = Shape::Opaque;
    /// assert_eq!(shape.to_string(), "(f32[2]{0}, opaque[])");
    /// # Ok::<(), xlayout_shape::ShapeError>(())
    /// ```
    ///
    /// # Errors
    /// Where the path leads nowhere; XLA aborts there.
    #[doc(alias = "GetMutableSubshape")]
    pub fn subshape_mut(&mut self, index: &[i64]) -> Result<&mut Self, ShapeError> {
        let mut shape = self;
        for (depth, &entry) in index.iter().enumerate() {
            let members = match shape {
                Self::Tuple(members) => members,
                _ => return Err(nowhere(index, depth, None)),
            };
            let count = members.len();
            let member = usize::try_from(entry).ok();
            let member = member.and_then(|at| members.get_mut(at));
            shape = member.ok_or_else(|| nowhere(index, depth, Some(count)))?;
        }
        Ok(shape)
    }

    /// Whether the path leads to something other than a tuple (XLA: `ShapeUtil::IsLeafIndex`).
    ///
    /// ```
    /// use xlayout_shape::Shape;
    /// let shape: Shape = "(f32[2], (s32[], token[]))".parse().unwrap();
    /// assert!(shape.is_leaf_index(&[0])?);
    /// assert!(!shape.is_leaf_index(&[1])?);
    /// # Ok::<(), xlayout_shape::ShapeError>(())
    /// ```
    ///
    /// # Errors
    /// Where the path leads nowhere; XLA aborts there.
    #[doc(alias = "IsLeafIndex")]
    pub fn is_leaf_index(&self, index: &[i64]) -> Result<bool, ShapeError> {
        self.subshape(index).map(|shape| !shape.is_tuple())
    }

    /// How many shapes there are in the tree: this one, and in a tuple those of its members
    /// (XLA: `ShapeUtil::SubshapeCount`).
    ///
    /// ```
    /// use xlayout_shape::Shape;
    /// let shape: Shape = "(f32[2], (s32[], token[]))".parse().unwrap();
    /// assert_eq!(shape.subshape_count(), 5);
    /// assert_eq!(shape.leaf_count(), 3);
    /// ```
    #[doc(alias = "SubshapeCount")]
    #[must_use]
    pub fn subshape_count(&self) -> usize {
        let members = self.tuple_shapes().unwrap_or(&[]);
        1 + members.iter().map(Self::subshape_count).sum::<usize>()
    }

    /// How many shapes in the tree are no tuples
    /// (XLA: `ShapeUtil::GetLeafCount`, `GetLeafCountTuple`).
    ///
    /// ```
    /// use xlayout_shape::Shape;
    /// assert_eq!("f32[2]".parse::<Shape>().unwrap().leaf_count(), 1);
    /// assert_eq!("((), ())".parse::<Shape>().unwrap().leaf_count(), 0);
    /// ```
    #[doc(alias = "GetLeafCount")]
    #[doc(alias = "GetLeafCountTuple")]
    #[must_use]
    pub fn leaf_count(&self) -> usize {
        match self {
            Self::Tuple(members) => members.iter().map(Self::leaf_count).sum(),
            _ => 1,
        }
    }

    /// The shapes in the tree that are no tuples, with their paths, in the sequence of
    /// [`for_each_subshape`](Self::for_each_subshape) (XLA: `ShapeUtil::GetLeafShapes`, whose
    /// entries are `IndexedShape`s).
    ///
    /// ```
    /// use xlayout_shape::Shape;
    /// let shape: Shape = "(f32[2], (s32[], token[]))".parse().unwrap();
    /// let paths: Vec<String> =
    ///     shape.leaf_shapes().iter().map(|(index, leaf)| format!("{index} {leaf}")).collect();
    /// assert_eq!(paths, ["{0} f32[2]{0}", "{1,0} s32[]", "{1,1} token[]"]);
    /// ```
    #[doc(alias = "GetLeafShapes")]
    #[doc(alias = "IndexedShape")]
    #[must_use]
    pub fn leaf_shapes(&self) -> Vec<(ShapeIndex, &Self)> {
        let mut leaves = Vec::new();
        self.for_each_leaf_shape(|shape, index| leaves.push((index.clone(), shape)));
        leaves
    }

    /// The shapes in the tree that are no tuples (XLA: `ShapeUtil::FlattenTupleShape`).
    ///
    /// ```
    /// use xlayout_shape::Shape;
    /// let shape: Shape = "(f32[2], ((), token[]))".parse().unwrap();
    /// let leaves = shape.flatten_tuple_shape();
    /// assert_eq!(leaves, [&"f32[2]".parse().unwrap(), &Shape::Token]);
    /// ```
    #[doc(alias = "FlattenTupleShape")]
    #[must_use]
    pub fn flatten_tuple_shape(&self) -> Vec<&Self> {
        let mut leaves = Vec::new();
        self.for_each_leaf_shape(|shape, _| leaves.push(shape));
        leaves
    }
}

/// The path leads nowhere behind its first `depth` entries.
fn nowhere(index: &[i64], depth: usize, members: Option<usize>) -> ShapeError {
    ShapeError::NoSuchSubshape {
        index: ShapeIndex::from(index),
        depth,
        members,
    }
}
