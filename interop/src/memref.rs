//! MLIR's memref types.

use core::fmt;

use super::blocked::{BlockedLayout, affine_map};
use super::element_types::{check_bits, row_of};
use super::error::{Error, Items, Numbers, full, invalid, list, lowered, push, too_large};
use super::layout::layout_of;
use super::lists::joined;
use super::strides::arrange::products;
use super::strides::{sizes, width};
use super::{BoundaryError, Library, StridedArray};
use xlayout_core::ArrayLayout;
use xlayout_shape::words::from_fn;
use xlayout_shape::{
    ArrayShape, Dim, Dims, ElementType, ErrorKind, INLINE_RANK, Layout, List, MajorToMinor,
};

/// How a [`MemRef`] says where elements lie.
///
/// ```
/// use xlayout_interop::{MemRef, MemRefLayout};
/// let dense: MemRef = "memref<2x3xf32>".parse()?;
/// assert_eq!(dense.layout, MemRefLayout::Identity);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum MemRefLayout {
    /// Nothing: row-major and dense.
    Identity,
    /// `strided<[1, 2], offset: 5>`, in elements; `None` means `?`.
    Strides {
        /// One stride for each dimension.
        strides: List<Option<i64>, INLINE_RANK>,
        /// Where the first element lies.
        offset: Option<i64>,
    },
    /// `affine_map<(d0, d1) -> (d1, d0)>`: dense, these dimensions from the most major one on.
    Permuted(MajorToMinor),
    /// `affine_map<(d0, d1) -> (d0 floordiv 8, d1, d0 mod 8)>`: blocks, as tiles make them.
    Blocked(BlockedLayout),
}

/// A memref type of MLIR: `memref<2x3xf32, strided<[1, 2]>>`.
///
/// Printed as MLIR prints it; read with blanks, with `offset: 0` and with affine maps of `+`, `*`,
/// `floordiv` and `mod` that are strides, a permutation or blocks. Whether elements narrower than a
/// byte are packed, a memref does not say.
///
/// ```
/// use xlayout_core::ArrayShape;
/// use xlayout_interop::MemRef;
///
/// let shape = |text: &str| text.parse::<ArrayShape>().unwrap();
/// let memref = |text: &str| MemRef::new(&shape(text)).unwrap().to_string();
/// assert_eq!(memref("f32[2,3]{1,0}"), "memref<2x3xf32>");
/// assert_eq!(memref("f32[2,3]{0,1:S(1)}"), "memref<2x3xf32, strided<[1, 2]>, 1>");
/// assert_eq!(memref("f32[?,3]{0,1}"), "memref<?x3xf32, strided<[1, ?]>>");
///
/// let read: MemRef = "memref<2x3xf32, affine_map<(d0, d1) -> (d1, d0)>>".parse()?;
/// assert_eq!(read.to_shape()?.to_string(), "f32[2,3]{0,1}");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[doc(alias("MemRefType", "StridedLayoutAttr", "strided"))]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MemRef {
    /// The type of an element.
    pub element_type: ElementType,
    /// The sizes; `?` is [`Dim::Unbounded`].
    pub dims: Dims,
    /// Where the elements lie.
    pub layout: MemRefLayout,
    /// The memory space; 0 is the default one.
    pub memory_space: i64,
}

impl MemRef {
    /// The memref of an array with this layout. Signed integers are signless there (`i8`), `pred`
    /// is `i1`. A bounded dimension is `?`, its bound being seen in the strides only.
    ///
    /// ```
    /// use xlayout_core::ArrayShape;
    /// use xlayout_interop::MemRef;
    ///
    /// let tiled: ArrayShape = "bf16[1000,3000]{1,0:T(8,128)(2,1)}".parse()?;
    /// assert_eq!(
    ///     MemRef::new(&tiled)?.to_string(),
    ///     "memref<1000x3000xbf16, affine_map<(d0, d1) -> (d0 floordiv 8, d1 floordiv 128, \
    ///      d0 floordiv 2 mod 4, d1 mod 128, d0 mod 2)>>",
    /// );
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Tiles that do not divide each other or that merge dimensions, splits, metadata before the
    /// data, elements of an odd width, and what [`ArrayShape::validate`] reports.
    pub fn new(shape: &ArrayShape) -> Result<Self, Error> {
        let layout = checked(shape, Library::MemRef)?;
        let strides = match strides_of(shape, &layout) {
            Ok(strides) => strides,
            Err(error) if *error.kind() == BoundaryError::Tiled => {
                return Self::blocked(shape, &layout);
            }
            Err(error) => return Err(error),
        };
        let dense = Layout::row_major(shape.rank()).map_err(full)?;
        let dense = strides_of(shape, &dense)?;
        let empty = shape.dims.iter().any(|dim| dim.bound() == Some(0));
        // A memref multiplies what it knows: the sizes, but no bound.
        let bounded = |dim: &Dim| matches!(dim, Dim::Bounded(_));
        let fixed = |d: usize| !shape.dims[d + 1..].iter().any(bounded);
        let same = |d: usize| strides[d] == dense[d] && fixed(d);
        let identity = empty || (0..shape.rank()).all(same);
        let dims = shape.dims.iter().map(|&dim| match dim {
            Dim::Static(_) => dim,
            _ => Dim::Unbounded,
        });
        let offset = Some(0);
        let own = if identity {
            MemRefLayout::Identity
        } else {
            MemRefLayout::Strides { strides, offset }
        };
        Ok(Self::in_space(&layout, shape, list(dims)?, own))
    }

    /// The memref in the memory of a layout.
    fn in_space(own: &Layout, shape: &ArrayShape, dims: Dims, layout: MemRefLayout) -> Self {
        Self {
            element_type: shape.element_type,
            dims,
            layout,
            memory_space: own.memory_space.into(),
        }
    }

    /// The memref of a tiled array, as an affine map of blocks.
    fn blocked(shape: &ArrayShape, layout: &Layout) -> Result<Self, Error> {
        if let Some(dimension) = shape.dims.iter().position(|dim| dim.is_dynamic()) {
            return Err(BoundaryError::RunTimeSize { dimension }.into());
        }
        // Whether elements are packed, a memref does not say.
        let mut whole = shape.clone();
        whole.layout = Some(layout.clone().with_element_size_in_bits(0));
        let blocked = MemRefLayout::Blocked(BlockedLayout::of(&whole, Library::MemRef)?);
        Ok(Self::in_space(layout, shape, shape.dims.clone(), blocked))
    }

    /// The memref of the whole buffer, padding and all: a dimension for each digit of an index,
    /// the most major first. This is how a tiled array looks to code that knows no tiles.
    ///
    /// ```
    /// use xlayout_core::ArrayShape;
    /// use xlayout_interop::MemRef;
    ///
    /// let tiled: ArrayShape = "bf16[1000,3000]{1,0:T(8,128)(2,1)}".parse()?;
    /// assert_eq!(MemRef::physical(&tiled)?.to_string(), "memref<125x24x4x128x2xbf16>");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`new`](Self::new) but for tiles; a `?`; an array that cannot be addressed.
    pub fn physical(shape: &ArrayShape) -> Result<Self, Error> {
        let layout = checked(shape, Library::MemRef)?;
        sizes(&shape.dims)?;
        let lowered = lowered(shape)?;
        let mut dims = Dims::new();
        // From one stride to the next larger one; strides divide each other.
        let mut above = lowered.buffer_len();
        for mode in lowered.mode_table().iter().rev() {
            // The tail alignment may end within a step: then there is a last, partial one.
            let width = above.div_ceil(mode.stride);
            push(&mut dims, Dim::Static(width as i64))?;
            above = mode.stride;
        }
        if above != 1 {
            push(&mut dims, Dim::Static(above as i64))?;
        }
        let identity = MemRefLayout::Identity;
        Ok(Self::in_space(&layout, shape, dims, identity))
    }

    /// Where the first element lies, in elements: 0 unless the layout is strided with an offset.
    /// `None` for `?`.
    ///
    /// ```
    /// use xlayout_interop::MemRef;
    /// let memref: MemRef = "memref<2x3xf32, strided<[8, 1], offset: 5>>".parse()?;
    /// assert_eq!(memref.offset(), Some(5));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub const fn offset(&self) -> Option<i64> {
        match &self.layout {
            MemRefLayout::Strides { offset, .. } => *offset,
            _ => Some(0),
        }
    }

    /// What lies in memory; where the first element is there, [`offset`](Self::offset) and
    /// [`StridedArray::first_element`] say. The memory space is left out.
    ///
    /// ```
    /// use xlayout_interop::{MemRef, StridesKind};
    /// let memref: MemRef = "memref<2x3xf32, strided<[-3, 1], offset: 3>>".parse()?;
    /// assert_eq!(memref.to_strided_array()?.kind(), StridesKind::Reversed);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// A `?` among sizes and strides, and as [`StridedArray::from_element_strides`].
    pub fn to_strided_array(&self) -> Result<StridedArray, Error> {
        match &self.layout {
            MemRefLayout::Strides { strides, .. } => {
                let sizes = sizes(&self.dims)?;
                StridedArray::from_element_strides(self.element_type, &sizes, &known(strides)?)
            }
            _ => StridedArray::of_shape(&self.to_shape()?),
        }
    }

    /// The shape with its layout, from the first element on (the [`offset`](Self::offset) is left
    /// out): dense, or padded where there are gaps.
    ///
    /// A `?` among the sizes may stay one where nothing lies beyond it; elsewhere it gets the bound
    /// that the strides leave for it.
    ///
    /// ```
    /// use xlayout_interop::MemRef;
    ///
    /// let shape = |text: &str| text.parse::<MemRef>()?.to_shape().map(|s| s.to_string());
    /// assert_eq!(shape("memref<?x3xf32>")?, "f32[?,3]{1,0}");
    /// assert_eq!(shape("memref<2x?xf32, strided<[8, 1]>>")?, "f32[2,<=8]{1,0}");
    /// assert_eq!(
    ///     shape("memref<?x3xf32, strided<[1, ?]>>").unwrap_err().to_string(),
    ///     "only the run time knows the stride of dimension 1; write the number in place of `?`",
    /// );
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// A `?` among the strides, as [`StridedArray::from_element_strides`] and
    /// [`StridedArray::padded`], and a memory space beyond 8 bits.
    pub fn to_shape(&self) -> Result<ArrayShape, Error> {
        let mut shape = match &self.layout {
            MemRefLayout::Strides { strides, .. } => self.strided(&known(strides)?)?,
            MemRefLayout::Blocked(blocked) => {
                blocked.to_shape(self.element_type, &sizes(&self.dims)?)?
            }
            dense => {
                let layout = match dense {
                    MemRefLayout::Permuted(order) => Layout::new(order.to_minor_to_major()),
                    _ => Layout::row_major(self.dims.len()).map_err(full)?,
                };
                ArrayShape::from_parts(self.element_type, self.dims.clone(), Some(layout))
            }
        };
        let space = self.memory_space;
        let wide = BoundaryError::Shape(ErrorKind::MemorySpace { space });
        let space = i8::try_from(space).map_err(|_| wide)?;
        shape.layout = shape.layout.map(|layout| layout.with_memory_space(space));
        shape.validate().map_err(invalid)?;
        Ok(shape)
    }

    fn strided(&self, strides: &[i64]) -> Result<ArrayShape, Error> {
        // A size that is not known has room up to the next larger stride, or 2 if no stride is
        // larger.
        let room = |d: usize| {
            let far = |d: usize| strides.get(d).map_or(0, |n| n.unsigned_abs());
            let beyond = (0..self.dims.len()).filter(|&k| self.dims[k].bound() != Some(1));
            let next = beyond.map(far).filter(|&n| n > far(d)).min();
            // A stride of 0 is refused below.
            next.map(|next| i64::try_from(next / far(d).max(1)).map_err(|_| too_large()))
                .transpose()
        };
        let mut dims = self.dims.clone();
        for (d, dim) in dims.iter_mut().enumerate() {
            if *dim == Dim::Unbounded {
                *dim = room(d)?.map_or(Dim::Unbounded, Dim::Bounded);
            }
        }
        let sizes = list(dims.iter().map(|dim| dim.bound().unwrap_or(2)))?;
        let host = StridedArray::from_element_strides(self.element_type, &sizes, strides)?;
        let mut shape = host.padded()?;
        shape.dims = dims;
        let padded = shape.layout.as_ref();
        if padded.is_some_and(|layout| !layout.padded_dimensions.is_empty())
            && let Some(dimension) = shape.dims.iter().position(|&dim| dim == Dim::Unbounded)
        {
            // Padding is a number for every dimension.
            return Err(BoundaryError::RunTimeSize { dimension }.into());
        }
        Ok(shape)
    }
}

/// All strides, where none is a `?`.
fn known(strides: &[Option<i64>]) -> Result<Numbers, Error> {
    match strides.iter().position(Option::is_none) {
        Some(dimension) => Err(BoundaryError::RunTimeStride { dimension }.into()),
        None => list(strides.iter().flatten().copied()),
    }
}

/// The layout, if a memref can have it.
pub(super) fn checked(shape: &ArrayShape, library: Library) -> Result<Layout, Error> {
    let layout = layout_of(shape, library)?;
    check_bits(shape, library, true).map(|()| layout)
}

/// The stride of each dimension in elements; `None` where it depends on a `?`.
fn strides_of(shape: &ArrayShape, layout: &Layout) -> Result<Items<Option<i64>>, Error> {
    if layout.tiles.is_empty() {
        // No element lies at an index of an array without elements.
        return if shape.dims.iter().any(|dim| dim.bound() == Some(0)) {
            list(shape.dims.iter().map(|_| Some(1)))
        } else {
            products(&layout.minor_to_major, |d| width(shape, layout, d))
        };
    }
    if shape.dims.contains(&Dim::Unbounded) {
        return Err(BoundaryError::Tiled.into());
    }
    let lowered = lowered(shape)?;
    let strides = lowered.strides().ok_or(BoundaryError::Tiled)?;
    list(strides.iter().map(|&n| Some(n as i64)))
}

/// As MLIR prints it; `offset: 0` and memory space 0 are left out.
impl fmt::Display for MemRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "memref<{}", sized(&self.dims, self.element_type))?;
        match &self.layout {
            MemRefLayout::Identity => {}
            MemRefLayout::Strides { strides, offset } => {
                let strides = strides.iter().map(|&stride| number(stride));
                write!(f, ", strided<[{}]", joined(strides, ", "))?;
                if *offset != Some(0) {
                    write!(f, ", offset: {}", number(*offset))?;
                }
                f.write_str(">")?;
            }
            MemRefLayout::Permuted(order) => {
                write!(f, ", {}", affine_map(order, &[]))?;
            }
            MemRefLayout::Blocked(BlockedLayout {
                major_to_minor,
                blocks,
            }) => write!(f, ", {}", affine_map(major_to_minor, blocks))?,
        }
        if self.memory_space != 0 {
            write!(f, ", {}", self.memory_space)?;
        }
        f.write_str(">")
    }
}

/// A number that may be known at run time only.
fn number(number: Option<i64>) -> impl fmt::Display {
    from_fn(move |f| match number {
        Some(number) => write!(f, "{number}"),
        None => f.write_str("?"),
    })
}

/// `2x3xf32`
pub(super) fn sized(dims: &Dims, element_type: ElementType) -> impl fmt::Display {
    let name = row_of(element_type).map_or("none", |row| row.mlir);
    from_fn(move |f| {
        let mut sizes = dims.iter().map(|dim| number(dim.bound()));
        sizes.try_for_each(|size| write!(f, "{size}x"))?;
        f.write_str(name)
    })
}
