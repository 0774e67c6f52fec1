//! A layout of any rank, parsed or built at run time.

use core::fmt;
use core::str::FromStr;

use super::{IntoShape, own_layout, own_region};
use crate::ElementType;
use crate::array_layout::{ArrayLayout, delegate, sealed};
use crate::coordinates::{Coordinates, DynCoordinates, below, dot};
use crate::dims::Dim;
use crate::element::AnyType;
use crate::error::ParseError;
use crate::layout::Layout;
use crate::layout_error::LayoutError;
use crate::list::List;
use crate::modes::{
    ElementCounts, INLINE_MODES, INLINE_TERMS, Lowered, Mode, NotLowered, Resolved, Source, Term,
    factor, has_factors, take_digit,
};
use crate::shape::ArrayShape;

/// A layout of any rank that is known at run time only: parsed, built, or made from a typed one.
///
/// It answers what a typed layout answers (law 3). Up to rank 16 it needs no heap.
///
/// ```
/// use xlayout_core::{DynLayout, ArrayLayout};
///
/// let layout: DynLayout = "bf16[16,256]{1,0:T(8,128)(2,1)}".parse().unwrap();
/// assert_eq!(layout.linear_index(&[8, 0].into()), 2048);
/// assert_eq!(layout.multi_index(1).unwrap()[..], [1, 0]);
/// assert_eq!(layout.bytes(), 8192);
/// ```
///
/// `C` is the type of its coordinates. [`ranked`](DynLayout::ranked) makes a layout of known rank,
/// whose coordinates are `[usize; N]`, so that it is a [`Rank<N>`](crate::Rank). A
/// [`StridedLayout`](crate::StridedLayout) has a known rank, too; it takes no tiles.
///
/// # Speed over tiles
/// `iter` reads a run of elements inside of a tile at a time, and so do `for_each_in_memory` and
/// `indexed_iter` where the rank is known (without it the coordinates of each element cost more
/// than the element). An access by index, as `view[[i, j]]`, divides by tiles that only the run
/// time knows: it takes 20 times as long as in the arm of `specialize!` that says them. In loops
/// over indices use that, or [`try_tiles`](crate::ArrayRef::try_tiles), inside of whose blocks
/// there are strides. For the sum of a `u32[104,384]{1,0:T(8,128)}`, nanoseconds for each element,
/// by `cargo run --release --bin table 'run time'` in `benches`:
///
/// | | type of the arm | `DynLayout<[usize; 2]>` | `DynLayout` |
/// |---|---|---|---|
/// | `iter` | 0.05 | 0.21 | 0.37 |
/// | `for_each_in_memory` | 0.08 | 0.12 | 2.5 |
/// | `indexed_iter` | 0.08 | 1.1 | 19 |
/// | `view[[i, j]]` | 0.79 | 18 | |
#[derive(Clone)]
pub struct DynLayout<C = DynCoordinates> {
    shape: ArrayShape,
    sizes: C,
    modes: List<Mode, INLINE_MODES>,
    terms: List<Term, INLINE_TERMS>,
    strides: C,
    strided: bool,
    numbers: ElementCounts,
    /// For each mode the factor that takes its digit; empty where there are none.
    factors: List<u64, INLINE_MODES>,
}

impl DynLayout {
    /// The layout of a shape: an [`ArrayShape`], XLA's text, or what `layout!` writes. A shape
    /// without a layout has the default one, row-major and dense.
    ///
    /// ```
    /// use xlayout_core::{ArrayShape, DynLayout, ArrayLayout, ElementType};
    /// let shape = ArrayShape::new(ElementType::F32, &[2, 3]).unwrap();
    /// assert_eq!(DynLayout::new(shape).unwrap().buffer_len(), 6);
    /// assert_eq!(DynLayout::new("f32[2,3]{0,1}").unwrap().buffer_len(), 6);
    /// ```
    ///
    /// # Errors
    /// If the shape is not valid, has a `?`, or cannot be addressed. On a 32-bit target an
    /// [`ArrayShape`] may have more than 2^31 - 1 bytes, but a layout may not
    /// ([`NotLowered::TooLarge`]).
    #[inline]
    pub fn new(shape: impl IntoShape) -> Result<Self, LayoutError> {
        Ok(Self::lower(Self::valid(shape.into_shape()?)?)?)
    }

    /// The shape with a layout, row-major where it has none, after XLA's validation.
    #[inline]
    fn valid(mut shape: ArrayShape) -> Result<ArrayShape, ParseError> {
        if shape.layout.is_none() {
            let Ok(layout) = Layout::row_major(shape.rank()) else {
                unreachable!(
                    "a list of dimensions and a minor_to_major have room for the same rank"
                );
            };
            shape.layout = Some(layout);
        }
        shape.validate()?;
        Ok(shape)
    }

    /// The layout of a shape whose `?` get these sizes; dimension 0 first, all dimensions. A
    /// bounded dimension keeps its bound, for which storage is laid out.
    ///
    /// ```
    /// use xlayout_core::{ArrayShape, DynLayout, ArrayLayout};
    /// let shape: ArrayShape = "f32[?,3]{1,0}".parse().unwrap();
    /// assert_eq!(DynLayout::with_sizes(&shape, &[4, 3]).unwrap().buffer_len(), 12);
    /// ```
    ///
    /// # Errors
    /// When a size is not the static one or above the bound, and as [`DynLayout::new`].
    #[inline]
    pub fn with_sizes(shape: &ArrayShape, sizes: &[usize]) -> Result<Self, LayoutError> {
        if sizes.len() != shape.rank() {
            return Err(LayoutError::Listed {
                what: "sizes",
                expected: shape.rank(),
                found: sizes.len(),
            });
        }
        // A number in a message need not be exact where it is above all that can be addressed.
        let shown = |n: i64| usize::try_from(n).unwrap_or(usize::MAX);
        let mut shape = shape.clone();
        for (dimension, (dim, &size)) in shape.dims.iter_mut().zip(sizes).enumerate() {
            match *dim {
                Dim::Static(n) if n as u64 != size as u64 => {
                    return Err(LayoutError::Size {
                        dimension,
                        expected: shown(n),
                        found: size,
                    });
                }
                Dim::Bounded(n) if size as u64 > n as u64 => {
                    return Err(LayoutError::AboveBound {
                        dimension,
                        size,
                        bound: shown(n),
                    });
                }
                Dim::Unbounded => {
                    let too_large = if sizes.contains(&0) {
                        NotLowered::EmptyTooLarge
                    } else {
                        NotLowered::TooLarge
                    };
                    let size = i64::try_from(size).map_err(|_| too_large)?;
                    *dim = Dim::Static(size);
                }
                Dim::Static(_) | Dim::Bounded(_) => {}
            }
        }
        Self::new(shape)
    }

    /// The layout of a shape that a checked layout made.
    #[inline]
    pub(crate) fn of_valid(shape: ArrayShape, sizes: &[usize]) -> Self {
        Self::lower(shape).unwrap_or_else(|error| {
            // A typed layout is lowered by the same function with the same numbers.
            unreachable!("{error}: {sizes:?}")
        })
    }

    /// The layout as one of rank `N`.
    ///
    /// ```
    /// use xlayout_core::{ArrayLayout, DynLayout};
    /// let layout = DynLayout::new("f32[4,4]{1,0:T(2,2)}")?.ranked::<2>()?;
    /// assert_eq!(layout.linear_index(&[3, 2]), 14);
    /// assert!(DynLayout::new("f32[4,4]")?.ranked::<3>().is_err());
    /// # Ok::<(), xlayout_core::LayoutError>(())
    /// ```
    ///
    /// # Errors
    /// If the rank is not `N`.
    pub fn ranked<const N: usize>(self) -> Result<DynLayout<[usize; N]>, LayoutError> {
        let (Ok(sizes), Ok(strides)) = (self.sizes[..].try_into(), self.strides[..].try_into())
        else {
            return Err(LayoutError::Rank {
                expected: N,
                found: self.rank(),
            });
        };
        Ok(self.with_coordinates(sizes, strides))
    }
}

impl<C: Coordinates> DynLayout<C> {
    fn with_coordinates<D>(self, sizes: D, strides: D) -> DynLayout<D> {
        DynLayout {
            shape: self.shape,
            sizes,
            modes: self.modes,
            terms: self.terms,
            strides,
            strided: self.strided,
            numbers: self.numbers,
            factors: self.factors,
        }
    }

    /// A valid shape lowered. Its rank is one that `C` can have.
    #[inline]
    fn lower(shape: ArrayShape) -> Result<Self, NotLowered> {
        if shape.dims.contains(&Dim::Unbounded) {
            return Err(NotLowered::Unbounded);
        }
        let Some(layout) = &shape.layout else {
            return Err(NotLowered::NotAPermutation);
        };
        let lowered = Lowered::new(&Source::of(&shape, layout))?;
        let mut sizes = C::origin(shape.rank());
        for (size, dim) in sizes.as_mut().iter_mut().zip(&shape.dims) {
            *size = dim.bound().ok_or(NotLowered::Unbounded)? as usize;
        }
        let mut strides = C::origin(shape.rank());
        strides.as_mut().copy_from_slice(&lowered.strides);
        let modes = &lowered.modes;
        let mut factors = List::new();
        if lowered.terms.is_empty() && has_factors(modes, lowered.numbers.buffer_len) {
            // Without a heap there may be no room for all: then there are none.
            let all = List::try_from_iter((0..modes.len()).map(|k| factor(modes, k)));
            factors = all.unwrap_or_default();
        }
        Ok(Self {
            sizes,
            modes: lowered.modes,
            terms: lowered.terms,
            strides,
            strided: lowered.strided,
            numbers: lowered.numbers,
            factors,
            shape,
        })
    }

    /// The size of each dimension (bounded dynamic ones at their bound), dimension 0 first.
    ///
    /// ```
    /// use xlayout_core::{DynLayout, Mode};
    /// let layout: DynLayout = "f32[2,<=3]{0,1:S(1)}".parse().unwrap();
    /// assert_eq!(layout.dims(), [2, 3]);
    /// assert_eq!(layout.mode_table(), [Mode::new(0, 1, 2, 1), Mode::new(1, 1, 3, 2)]);
    /// assert!(layout.terms().is_empty());
    /// assert_eq!(layout.array_shape().to_string(), "f32[2,<=3]{0,1:S(1)}");
    /// // A tile that does not divide the tile before it leaves terms.
    /// assert!(!"f32[9]{0:T(3,4)(2,3)}".parse::<DynLayout>().unwrap().terms().is_empty());
    /// ```
    #[inline]
    #[must_use]
    pub fn dims(&self) -> &[usize] {
        self.sizes.as_ref()
    }

    /// The modes, the most minor first; the same as [`ArrayLayout::modes`], as a slice.
    #[must_use]
    #[inline]
    pub fn mode_table(&self) -> &[Mode] {
        &self.modes
    }

    /// The terms of merged coordinates: empty but for tiles with `*` that do not divide, and for
    /// tiles that do not divide the tile before them. The same as [`ArrayLayout::terms`], as a
    /// slice.
    #[must_use]
    #[inline]
    pub fn terms(&self) -> &[Term] {
        &self.terms
    }

    /// The shape and layout as XLA's nouns.
    #[must_use]
    #[inline]
    pub fn array_shape(&self) -> &ArrayShape {
        &self.shape
    }

    /// The layout with its dimensions permuted: dimension `i` is what was dimension `numbers[i]`.
    /// No header M(…) describes it: that one lists the sizes in their own sequence.
    pub(crate) fn permuted(&self, permuted: impl Fn(&C) -> C, numbers: &[usize]) -> Self {
        let mut result = self.clone();
        result.sizes = permuted(&self.sizes);
        result.strides = permuted(&self.strides);
        // The number that a dimension gets; one of a merged coordinate stays.
        let number = |dim: usize| {
            numbers
                .iter()
                .position(|&before| before == dim)
                .unwrap_or(dim)
        };
        for mode in result.modes.iter_mut() {
            mode.dim = number(mode.dim);
        }
        for term in result.terms.iter_mut() {
            term.digit.dim = number(term.digit.dim);
        }
        for (dim, &before) in numbers.iter().enumerate() {
            result.shape.dims[dim] = self.shape.dims[before];
        }
        if let (Some(layout), Some(before)) = (&mut result.shape.layout, &self.shape.layout) {
            for dim in layout.minor_to_major.iter_mut() {
                *dim = number(*dim as usize) as i64;
            }
            for (width, &dim) in layout.padded_dimensions.iter_mut().zip(numbers) {
                *width = before.padded_dimensions[dim];
            }
            layout.dynamic_shape_metadata_prefix_bytes = 0;
        }
        result
    }

    // Tiles are rarer than strides, and take a call.
    #[inline(never)]
    fn linear_index_by_modes(&self, index: &C) -> usize {
        if index.as_ref().len() == self.rank() {
            self.resolved().linear_index(index.as_ref())
        } else {
            0
        }
    }

    #[inline]
    fn resolved(&self) -> Resolved<'_> {
        Resolved {
            sizes: self.sizes.as_ref(),
            modes: &self.modes,
            terms: &self.terms,
            numbers: self.numbers,
        }
    }
}

/// The strides of a shape, where it has them.
pub(crate) fn strides_of<C: Coordinates>(shape: &ArrayShape) -> Option<C> {
    let layout = DynLayout::lower(shape.clone()).ok()?;
    layout.strided.then_some(layout.strides)
}

impl<C: Coordinates> sealed::Sealed for DynLayout<C> {}

impl<C: Coordinates> ArrayLayout for DynLayout<C> {
    type Type = AnyType;
    type Coordinates = C;
    const FIXED_SIZES: bool = false;
    own_region! { &self }
    own_layout! { self }

    #[inline]
    fn element_type(&self) -> ElementType {
        self.shape.element_type
    }

    #[inline]
    fn rank(&self) -> usize {
        self.dims().len()
    }

    #[inline(always)]
    fn shape(&self) -> C {
        self.sizes.clone()
    }

    #[inline]
    fn linear_index(&self, index: &C) -> usize {
        if self.strided && index.as_ref().len() == self.rank() {
            index.dot(&self.strides)
        } else {
            self.linear_index_by_modes(index)
        }
    }

    #[inline]
    fn linear_index_in_bounds(&self, index: &[usize]) -> Option<usize> {
        below(index, self.dims()).then(|| {
            if self.strided {
                dot(index, self.strides.as_ref())
            } else {
                self.resolved().linear_index(index)
            }
        })
    }

    #[inline]
    fn multi_index(&self, linear_index: usize) -> Option<C> {
        if self.factors.is_empty() || linear_index >= self.numbers.buffer_len {
            return self.resolved().multi_index(linear_index);
        }
        let mut index = C::origin(self.rank());
        let mut rest = linear_index as u64;
        let mut taken = 0;
        for (mode, &factor) in self.modes.iter().zip(&self.factors).rev() {
            let digit;
            (digit, rest) = take_digit(rest, factor);
            if digit >= mode.size {
                return None;
            }
            taken += digit * mode.stride;
            index.as_mut()[mode.dim] += digit * mode.divisor;
        }
        (taken == linear_index && self.in_bounds(&index)).then_some(index)
    }

    #[inline(always)]
    fn with_resolved<R>(&self, _: sealed::Token, use_: impl FnOnce(Resolved<'_>) -> R) -> R {
        use_(self.resolved())
    }

    #[inline]
    fn array_shape(&self) -> ArrayShape {
        self.shape.clone()
    }

    #[inline]
    fn strides(&self) -> Option<C> {
        self.strided.then(|| self.strides.clone())
    }
}

impl<C: Coordinates> sealed::Sealed for &DynLayout<C> {}

impl<C: Coordinates> ArrayLayout for &DynLayout<C> {
    type Type = AnyType;
    type Coordinates = C;
    const FIXED_SIZES: bool = false;
    own_region! { self }
    own_layout! { self }

    delegate! { *self:
        element_type rank shape in_bounds linear_index_in_bounds linear_index multi_index
        with_resolved array_shape strides
    }
}

/// The layout of any rank.
impl<const N: usize> From<DynLayout<[usize; N]>> for DynLayout {
    fn from(layout: DynLayout<[usize; N]>) -> Self {
        let any = |array: [usize; N]| {
            let mut coordinates = DynCoordinates::origin(N);
            coordinates.as_mut().copy_from_slice(&array);
            coordinates
        };
        let sizes = any(layout.sizes);
        let strides = any(layout.strides);
        layout.with_coordinates(sizes, strides)
    }
}

impl FromStr for DynLayout {
    type Err = LayoutError;

    /// Reads a shape with its layout, in XLA's notation or ours.
    #[inline]
    fn from_str(text: &str) -> Result<Self, LayoutError> {
        Ok(Self::lower(text.parse::<ArrayShape>()?)?)
    }
}

impl TryFrom<ArrayShape> for DynLayout {
    type Error = LayoutError;
    #[inline]
    fn try_from(shape: ArrayShape) -> Result<Self, LayoutError> {
        Self::new(shape)
    }
}

/// A copy, for functions that take a layout or a reference to one.
impl From<&DynLayout> for DynLayout {
    #[inline]
    fn from(layout: &DynLayout) -> Self {
        layout.clone()
    }
}

crate::by_value! { [C] DynLayout<C>: Hash = |it| it.shape }

impl<C> fmt::Debug for DynLayout<C> {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "DynLayout({})", self.shape)
    }
}

impl<C> fmt::Display for DynLayout<C> {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.shape.fmt(f)
    }
}
