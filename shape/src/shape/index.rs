//! Paths into nested tuples.

use core::fmt;
use core::ops::Deref;

use crate::list::List;
use crate::words::joined;

/// The path to a shape inside nested tuples (XLA: `ShapeIndex`): `{1,0}` is member 0 of member 1,
/// `{}` the whole shape. Entries are what XLA says and may be wrong;
/// `xlayout_xla::shape_util::subshape` follows them.
///
/// It reads as a slice of `i64`, and nothing is allocated for up to 4 entries.
///
/// ```
/// use xlayout_shape::ShapeIndex;
/// let mut index = ShapeIndex::from([1]);
/// index.push_back(0);
/// assert_eq!(index.to_string(), "{1,0}");
/// assert_eq!(index[..], [1, 0]);
/// ```
#[doc(alias("ToString", "ShapeIndexView"))]
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct ShapeIndex(List<i64, 4>);

impl ShapeIndex {
    /// `{}`: the path to the whole shape.
    ///
    /// ```
    /// use xlayout_shape::ShapeIndex;
    /// assert!(ShapeIndex::new().is_empty());
    /// ```
    #[must_use]
    #[inline]
    pub fn new() -> Self {
        Self::default()
    }

    /// Goes one tuple deeper.
    ///
    /// ```
    /// use xlayout_shape::ShapeIndex;
    /// let mut index = ShapeIndex::from([1]);
    /// index.push_back(0);
    /// assert_eq!(index[..], [1, 0]);
    /// ```
    #[inline]
    pub fn push_back(&mut self, member: i64) {
        // Shapes with members exist only where there is a heap.
        self.0.push(member);
    }

    /// Returns to the enclosing tuple; removes and returns the last entry, if there is one.
    ///
    /// ```
    /// use xlayout_shape::ShapeIndex;
    /// let mut index = ShapeIndex::from([1, 0]);
    /// assert_eq!(index.pop_back(), Some(0));
    /// assert_eq!(index[..], [1]);
    /// ```
    #[inline]
    pub fn pop_back(&mut self) -> Option<i64> {
        let last = self.len().checked_sub(1)?;
        self.0.remove(last)
    }

    /// Makes this the path in a tuple whose member number `member` is what it was the path in
    /// (XLA: `ShapeIndex::push_front`).
    ///
    /// ```
    /// use xlayout_shape::ShapeIndex;
    /// let mut index = ShapeIndex::from([0]);
    /// index.push_front(1);
    /// assert_eq!(index[..], [1, 0]);
    /// ```
    #[inline]
    pub fn push_front(&mut self, member: i64) {
        self.push_back(member);
        self.0.rotate_right(1);
    }

    /// Removes and returns the first entry, if there is one (XLA: `ShapeIndex::pop_front`,
    /// which is undefined for `{}`).
    ///
    /// ```
    /// use xlayout_shape::ShapeIndex;
    /// let mut index = ShapeIndex::from([1, 0]);
    /// assert_eq!(index.pop_front(), Some(1));
    /// assert_eq!(index[..], [0]);
    /// ```
    #[inline]
    pub fn pop_front(&mut self) -> Option<i64> {
        self.0.remove(0)
    }
}

/// The entries, the outermost tuple's first.
impl Deref for ShapeIndex {
    type Target = [i64];
    #[inline]
    fn deref(&self) -> &[i64] {
        &self.0
    }
}

impl From<&[i64]> for ShapeIndex {
    #[inline]
    fn from(entries: &[i64]) -> Self {
        entries.iter().copied().collect()
    }
}

impl<const N: usize> From<[i64; N]> for ShapeIndex {
    fn from(entries: [i64; N]) -> Self {
        entries.into_iter().collect()
    }
}

impl FromIterator<i64> for ShapeIndex {
    fn from_iter<I: IntoIterator<Item = i64>>(entries: I) -> Self {
        let mut index = Self::new();
        for entry in entries {
            index.push_back(entry);
        }
        index
    }
}

/// As XLA prints it: `{1,0}` (XLA: `ShapeIndex::ToString`).
impl fmt::Display for ShapeIndex {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("{")?;
        joined(f, self.iter(), ",")?;
        f.write_str("}")
    }
}
