//! A shape whose layouts are what matters.

use core::fmt;

use crate::compare::Compare;
use crate::error::ShapeError;
use xlayout_shape::{Layout, Shape};

/// A shape whose layouts are chosen, copied and compared (XLA: `ShapeLayout`): what a program
/// wants of an argument or a result. The shape itself stays as it was made.
///
/// There is no `==`: XLA's ignores which dimensions are dynamic, which is not transitive. It is
/// [`equal`](Self::equal).
///
/// ```
/// use xlayout_shape::Shape;
/// use xlayout_xla::ShapeLayout;
///
/// let mut wanted = ShapeLayout::new("(f32[2,3]{0,1}, token[])".parse()?);
/// assert!(!wanted.matches_layout_in_shape(&"(f32[2,3], token[])".parse()?));
/// wanted.set_to_default_layout();
/// assert!(wanted.matches_layout_in_shape(&"(f32[2,3], token[])".parse()?));
///
/// let mut given: Shape = "(f32[2,3]{0,1}, token[])".parse()?;
/// wanted.assign_layout_to_shape(&mut given)?;
/// assert_eq!(given.to_string(), "(f32[2,3]{1,0}, token[])");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[doc(alias = "ToString")]
#[doc(alias = "Print")]
#[derive(Clone, Debug)]
pub struct ShapeLayout {
    shape: Shape,
}

impl ShapeLayout {
    /// With the layouts that the shape has (XLA: `ShapeLayout(shape)`).
    ///
    /// ```
    /// use xlayout_xla::ShapeLayout;
    /// let layout = ShapeLayout::new("f32[2,3]{0,1}".parse().unwrap());
    /// assert_eq!(layout.to_string(), "f32[2,3]{0,1}");
    /// ```
    #[must_use]
    pub const fn new(shape: Shape) -> Self {
        Self { shape }
    }

    /// The shape with its layouts (XLA: `ShapeLayout::shape`).
    ///
    /// ```
    /// use xlayout_shape::Shape;
    /// use xlayout_xla::ShapeLayout;
    /// assert_eq!(ShapeLayout::new(Shape::Token).shape(), &Shape::Token);
    /// ```
    #[must_use]
    pub const fn shape(&self) -> &Shape {
        &self.shape
    }

    /// Takes over the layouts of a compatible shape; as in XLA, the whole shape, so that its
    /// dynamic dimensions come along (XLA: `ShapeLayout::CopyLayoutFromShape`).
    ///
    /// ```
    /// use xlayout_xla::ShapeLayout;
    /// let mut layout = ShapeLayout::new("f32[2,3]".parse().unwrap());
    /// layout.copy_layout_from_shape(&"f32[2,<=3]{0,1}".parse().unwrap()).unwrap();
    /// assert_eq!(layout.to_string(), "f32[2,<=3]{0,1}");
    /// assert_eq!(
    ///     layout.copy_layout_from_shape(&"f32[2,4]".parse().unwrap()).unwrap_err().to_string(),
    ///     "the shapes differ: dimension 1 is 4 in the first and <=3 in the second; give equal ones, or \
    ///      leave out of the comparison what may differ",
    /// );
    /// ```
    ///
    /// # Errors
    /// When the shapes are not compatible; nothing changes then.
    #[doc(alias = "CopyLayoutFromShape")]
    pub fn copy_layout_from_shape(&mut self, from: &Shape) -> Result<(), ShapeError> {
        Compare::compatible().check(from, &self.shape)?;
        self.shape.clone_from(from);
        Ok(())
    }

    /// Gives the layouts to a compatible shape; as in XLA, it becomes this shape as a whole, with
    /// its dynamic dimensions (XLA: `ShapeLayout::AssignLayoutToShape`).
    ///
    /// ```
    /// use xlayout_shape::Shape;
    /// use xlayout_xla::ShapeLayout;
    /// let layout = ShapeLayout::new("f32[2,3]{0,1:S(1)}".parse().unwrap());
    /// let mut shape: Shape = "f32[2,3]".parse().unwrap();
    /// layout.assign_layout_to_shape(&mut shape).unwrap();
    /// assert_eq!(shape.to_string(), "f32[2,3]{0,1:S(1)}");
    /// ```
    ///
    /// # Errors
    /// When the shapes are not compatible; nothing changes then.
    #[doc(alias = "AssignLayoutToShape")]
    pub fn assign_layout_to_shape(&self, to: &mut Shape) -> Result<(), ShapeError> {
        Compare::compatible().check(to, &self.shape)?;
        to.clone_from(&self.shape);
        Ok(())
    }

    /// Whether a shape is the same and has the same layouts
    /// (XLA: `ShapeLayout::MatchesLayoutInShape`). Which dimensions are dynamic does not matter.
    ///
    /// ```
    /// use xlayout_xla::ShapeLayout;
    /// let layout = ShapeLayout::new("f32[2,3]{0,1}".parse().unwrap());
    /// assert!(layout.matches_layout_in_shape(&"f32[2,<=3]{0,1}".parse().unwrap()));
    /// assert!(!layout.matches_layout_in_shape(&"f32[2,3]{0,1:S(1)}".parse().unwrap()));
    /// ```
    #[doc(alias = "MatchesLayoutInShape")]
    #[must_use]
    pub fn matches_layout_in_shape(&self, shape: &Shape) -> bool {
        self.matches(shape, Compare::new())
    }

    /// Like [`matches_layout_in_shape`](Self::matches_layout_in_shape), but of the layouts only
    /// minor_to_major counts (XLA: the argument `minor_to_major_only`).
    ///
    /// ```
    /// use xlayout_xla::ShapeLayout;
    /// let layout = ShapeLayout::new("f32[2,3]{0,1}".parse().unwrap());
    /// let tiled = "f32[2,3]{0,1:T(2,2)S(1)}".parse().unwrap();
    /// assert!(layout.matches_minor_to_major_in_shape(&tiled));
    /// ```
    #[doc(alias = "MatchesLayoutInShape")]
    #[must_use]
    pub fn matches_minor_to_major_in_shape(&self, shape: &Shape) -> bool {
        self.matches(shape, Compare::new().minor_to_major_only_in_layout())
    }

    /// Like [`matches_layout_in_shape`](Self::matches_layout_in_shape), but when no array in one of
    /// the two shapes has tiles, only minor_to_major counts, as XLA has it (XLA: the argument
    /// `ignore_fully_empty_tiling`). XLA aborts for an array without a layout; here it has no
    /// tiles.
    ///
    /// ```
    /// use xlayout_xla::ShapeLayout;
    /// let tiled = ShapeLayout::new("f32[2,3]{0,1:T(2,2)}".parse().unwrap());
    /// let matches = |text: &str| {
    ///     tiled.matches_layout_in_shape_ignoring_fully_empty_tiling(&text.parse().unwrap())
    /// };
    /// assert!(matches("f32[2,3]{0,1:S(1)}"));
    /// assert!(!matches("f32[2,3]{0,1:T(2,4)}"));
    /// ```
    #[doc(alias = "MatchesLayoutInShape")]
    #[must_use]
    pub fn matches_layout_in_shape_ignoring_fully_empty_tiling(&self, shape: &Shape) -> bool {
        if has_tiles(shape) && has_tiles(&self.shape) {
            self.matches_layout_in_shape(shape)
        } else {
            self.matches_minor_to_major_in_shape(shape)
        }
    }

    fn matches(&self, shape: &Shape, by: Compare) -> bool {
        by.ignore_dynamic_dimensions().equal(shape, &self.shape)
    }

    /// Whether both have the same shape and layouts, whichever dimensions are dynamic
    /// (XLA: `ShapeLayout::operator==`).
    ///
    /// ```
    /// use xlayout_xla::ShapeLayout;
    /// let [a, b] =
    ///     ["f32[2,3]{0,1}", "f32[2,?]{0,1}"].map(|t| ShapeLayout::new(t.parse().unwrap()));
    /// assert!(a.equal(&b));
    /// ```
    #[must_use]
    pub fn equal(&self, other: &Self) -> bool {
        self.matches_layout_in_shape(&other.shape)
    }

    /// Takes out all layouts (XLA: `ShapeLayout::Clear`).
    ///
    /// ```
    /// use xlayout_xla::ShapeLayout;
    /// let mut layout = ShapeLayout::new("f32[2,3]{0,1}".parse().unwrap());
    /// layout.clear();
    /// assert!(!layout.layout_is_set());
    /// ```
    #[doc(alias = "Clear")]
    pub fn clear(&mut self) {
        crate::layout_util::any::clear_layout(&mut self.shape);
    }

    /// Takes out all tiles (XLA: `ShapeLayout::ClearTiles`).
    ///
    /// ```
    /// use xlayout_xla::ShapeLayout;
    /// let mut layout = ShapeLayout::new("f32[2,3]{0,1:T(2,2)}".parse().unwrap());
    /// layout.clear_tiles();
    /// assert_eq!(layout.to_string(), "f32[2,3]{0,1}");
    /// ```
    #[doc(alias = "ClearTiles")]
    pub fn clear_tiles(&mut self) {
        crate::layout_util::any::clear_tiles(&mut self.shape);
    }

    /// Makes every minor_to_major the default one; see [`layout_util::any::set_to_default_layout`]
    /// (XLA: `ShapeLayout::SetToDefaultLayout`).
    ///
    /// ```
    /// use xlayout_xla::ShapeLayout;
    /// let mut layout = ShapeLayout::new("f32[2,3]{0,1}".parse().unwrap());
    /// layout.set_to_default_layout();
    /// assert_eq!(layout.to_string(), "f32[2,3]{1,0}");
    /// ```
    ///
    /// [`layout_util::any::set_to_default_layout`]: crate::layout_util::any::set_to_default_layout
    #[doc(alias = "SetToDefaultLayout")]
    pub fn set_to_default_layout(&mut self) {
        crate::layout_util::any::set_to_default_layout(&mut self.shape);
    }

    /// Makes every dimension static; see [`shape_util::any::clear_dynamic_dimensions`] (XLA:
    /// `ShapeLayout::ClearDynamicShape`).
    ///
    /// ```
    /// use xlayout_xla::ShapeLayout;
    /// let mut layout = ShapeLayout::new("f32[2,<=3]".parse().unwrap());
    /// layout.clear_dynamic_shape().unwrap();
    /// assert_eq!(layout.to_string(), "f32[2,3]{1,0}");
    /// ```
    ///
    /// # Errors
    /// For a dimension without a bound.
    ///
    /// [`shape_util::any::clear_dynamic_dimensions`]: crate::shape_util::any::clear_dynamic_dimensions
    #[doc(alias = "ClearDynamicShape")]
    pub fn clear_dynamic_shape(&mut self) -> Result<(), ShapeError> {
        crate::shape_util::any::clear_dynamic_dimensions(&mut self.shape)
    }

    /// The layout of the array (XLA: `ShapeLayout::layout`).
    ///
    /// ```
    /// use xlayout_shape::Shape;
    /// use xlayout_xla::ShapeLayout;
    /// let layout = ShapeLayout::new("f32[2,3]{0,1}".parse().unwrap());
    /// assert_eq!(layout.layout().unwrap().to_string(), "{0,1}");
    /// assert!(ShapeLayout::new(Shape::Token).layout().is_err());
    /// ```
    ///
    /// # Errors
    /// For a shape that is not an array, and without a layout; XLA aborts.
    pub fn layout(&self) -> Result<&Layout, ShapeError> {
        let found = self.shape.element_type();
        let array = self.shape.as_array_or_buffer();
        let layout = &array.ok_or(ShapeError::NotAnArray { found })?.layout;
        layout.as_ref().ok_or(ShapeError::MissingLayout)
    }

    /// Whether every array has a layout (XLA: `ShapeLayout::LayoutIsSet`).
    ///
    /// ```
    /// use xlayout_xla::ShapeLayout;
    /// assert!(ShapeLayout::new("(f32[2], s8[])".parse().unwrap()).layout_is_set());
    /// ```
    #[doc(alias = "LayoutIsSet")]
    #[must_use]
    pub fn layout_is_set(&self) -> bool {
        crate::layout_util::has_layout(&self.shape)
    }

    /// Whether some array has a layout (XLA: `ShapeLayout::AnyLayoutIsSet`); see
    /// [`layout_util::has_any_layout`].
    ///
    /// ```
    /// use xlayout_xla::ShapeLayout;
    /// let mut layout = ShapeLayout::new("(f32[2], s8[])".parse().unwrap());
    /// layout.clear();
    /// assert!(!layout.any_layout_is_set());
    /// ```
    ///
    /// [`layout_util::has_any_layout`]: crate::layout_util::has_any_layout
    #[doc(alias = "AnyLayoutIsSet")]
    #[must_use]
    pub fn any_layout_is_set(&self) -> bool {
        crate::layout_util::has_any_layout(&self.shape)
    }

    /// Gives the array another layout (XLA: `ShapeLayout::ResetLayout`).
    ///
    /// ```
    /// use xlayout_xla::ShapeLayout;
    /// let mut layout = ShapeLayout::new("f32[2,3]".parse().unwrap());
    /// layout.reset_layout("{0,1:T(2,2)}".parse().unwrap()).unwrap();
    /// assert_eq!(layout.to_string(), "f32[2,3]{0,1:T(2,2)}");
    /// assert!(layout.reset_layout("{0}".parse().unwrap()).is_err());
    /// ```
    ///
    /// # Errors
    /// For a shape that is not an array, and when the layout does not fit; XLA aborts. Nothing changes then.
    #[doc(alias = "ResetLayout")]
    pub fn reset_layout(&mut self, layout: Layout) -> Result<(), ShapeError> {
        self.reset_layout_at(layout, &[])
    }

    /// Gives the array that the path leads to another layout
    /// (XLA: `ShapeLayout::ResetLayout(layout, shape_index)`).
    ///
    /// XLA then aborts also when another array is not valid; here only this one is checked.
    ///
    /// ```
    /// use xlayout_xla::ShapeLayout;
    /// let mut layout = ShapeLayout::new("(f32[2,3], (s8[4,5], token[]))".parse().unwrap());
    /// layout.reset_layout_at("{0,1}".parse().unwrap(), &[1, 0]).unwrap();
    /// assert_eq!(layout.to_string(), "(f32[2,3]{1,0}, (s8[4,5]{0,1}, token[]))");
    /// assert!(layout.reset_layout_at("{0,1}".parse().unwrap(), &[2]).is_err());
    /// ```
    ///
    /// # Errors
    /// When the path leads nowhere or to a shape that is not an array, and when the layout does not fit; XLA
    /// aborts. Nothing changes then.
    pub fn reset_layout_at(&mut self, layout: Layout, index: &[i64]) -> Result<(), ShapeError> {
        let shape = crate::shape_util::subshape_mut(&mut self.shape, index)?;
        let found = shape.element_type();
        let array = shape.as_array_or_buffer_mut();
        let array = array.ok_or(ShapeError::NotAnArray { found })?;
        layout.validate_for(array.element_type, &array.dims)?;
        array.layout = Some(layout);
        Ok(())
    }
}

/// Whether some array has tiles.
fn has_tiles(shape: &Shape) -> bool {
    let mut arrays = shape.leaves().filter_map(Shape::as_array_or_buffer);
    arrays.any(|array| {
        let layout = array.layout.as_ref();
        layout.is_some_and(|layout| !layout.tiles.is_empty())
    })
}

/// The shape with its layouts (XLA: `ShapeLayout::ToString`).
impl fmt::Display for ShapeLayout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.shape.fmt(f)
    }
}

impl From<Shape> for ShapeLayout {
    fn from(shape: Shape) -> Self {
        Self::new(shape)
    }
}

#[cfg(feature = "serde")]
mod serialized {
    use serde::de::{Deserialize, Deserializer};
    use serde::ser::{Serialize, Serializer};
    use xlayout_shape::Shape;

    use super::ShapeLayout;

    /// As its [`Shape`].
    impl Serialize for ShapeLayout {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            self.shape().serialize(serializer)
        }
    }

    impl<'de> Deserialize<'de> for ShapeLayout {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            Shape::deserialize(deserializer).map(Self::new)
        }
    }
}
