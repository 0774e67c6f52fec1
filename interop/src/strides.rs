//! Strides with a sign to a layout, and back.

pub(crate) mod arrange;

use arrange::{Padding, Strides, count, not_forwards, products, with_ones};

use super::error::{Error, Numbers, full, list, lowered, push, shaped, too_large};
use super::layout::layout_of;
use super::{BoundaryError, Library, StrideUnit};
use xlayout_core::{ArrayLayout, DynLayout};
use xlayout_shape::{ArrayShape, Dim, Dims, ElementType, INLINE_RANK, Layout, List};

/// What strides make of an array: the kinds exclude each other, the first that applies counts.
///
/// ```
/// use xlayout_core::ElementType::F32;
/// use xlayout_interop::{StridedArray, StridesKind};
/// assert_eq!(StridedArray::new(F32, &[2, 3], &[4, 8])?.kind(), StridesKind::Dense);
/// assert_eq!(StridedArray::new(F32, &[2, 3], &[20, 4])?.kind(), StridesKind::Padded);
/// assert_eq!(StridedArray::new(F32, &[2, 3], &[-12, 4])?.kind(), StridesKind::Reversed);
/// assert_eq!(StridedArray::new(F32, &[2, 3], &[0, 4])?.kind(), StridesKind::Broadcast);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum StridesKind {
    /// A dimension has stride 0 and more than one index: several indices share an element.
    Broadcast,
    /// A dimension has a negative stride.
    Reversed,
    /// There are gaps, which `padded_dimensions` expresses.
    Padded,
    /// A minor_to_major says it all.
    Dense,
}

/// An array that another library describes by strides: what a layout can say of it, and what is
/// left over.
///
/// What lies in memory is [`stored`](Self::stored), an ordinary shape with its layout. The array
/// itself reads some of its dimensions backwards (negative strides) or repeats them (stride 0).
/// Where neither happens, [`dense`](Self::dense) and [`padded`](Self::padded) give the array's own
/// shape.
///
/// ```
/// use xlayout_core::ElementType::F32;
/// use xlayout_interop::{StridedArray, StridesKind};
///
/// // a = np.zeros((2, 3), 'f4', order='F')
/// let dense = StridedArray::new(F32, &[2, 3], &[4, 8])?;
/// assert_eq!(dense.dense()?.to_string(), "f32[2,3]{0,1}");
///
/// // np.zeros((2, 5), 'f4')[:, :3]
/// let padded = StridedArray::new(F32, &[2, 3], &[20, 4])?;
/// assert_eq!(padded.kind(), StridesKind::Padded);
/// assert_eq!(
///     padded.dense().unwrap_err().to_string(),
///     "dimension 0 steps by 20 bytes where a dense array steps by 12; make a dense copy, or take \
///      the padded layout that `StridedArray::padded` gives",
/// );
/// assert_eq!(
///     padded.padded()?.to_string(),
///     "f32[2,3]{1,0}, padded_dimensions = [2, 5]",
/// );
///
/// // a[::-1]
/// let reversed = StridedArray::new(F32, &[2, 3], &[-4, 8])?;
/// assert_eq!(reversed.stored().to_string(), "f32[2,3]{0,1}");
/// assert!(reversed.is_reversed(0) && !reversed.is_reversed(1));
/// assert_eq!(reversed.first_element(), 1); // [0, 0] lies where the stored [1, 0] does
///
/// // np.broadcast_to(np.zeros(3, 'f4'), (2, 3))
/// let broadcast = StridedArray::new(F32, &[2, 3], &[0, 4])?;
/// assert_eq!(broadcast.stored().to_string(), "f32[1,3]{1,0}");
/// assert!(broadcast.is_broadcast(0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StridedArray {
    stored: ArrayShape,
    /// The sizes of the array itself.
    sizes: Numbers,
    /// In elements; those that mean nothing are what the stored layout would have.
    strides: Numbers,
    /// In elements, from the lowest one.
    first: i64,
    /// The first gap, where there is one.
    gap: Option<BoundaryError>,
    /// The first negative stride or stride 0.
    sign: Option<BoundaryError>,
}

/// [`StridedArray::padded`] as a layout.
///
/// ```
/// use xlayout_core::{DynLayout, ElementType::F32};
/// use xlayout_interop::StridedArray;
/// let columns = StridedArray::new(F32, &[2, 3], &[4, 8])?;
/// assert_eq!(DynLayout::try_from(&columns)?.to_string(), "f32[2,3]{0,1}");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// As there, and those of [`DynLayout::new`].
impl TryFrom<&StridedArray> for DynLayout {
    type Error = Error;

    fn try_from(array: &StridedArray) -> Result<Self, Error> {
        lowered(&array.padded()?)
    }
}

/// What has no strides of its own: row-major and dense.
pub(crate) fn row_major(element_type: ElementType, dims: &[i64]) -> Result<StridedArray, Error> {
    StridedArray::of_shape(&ArrayShape::new(element_type, dims).map_err(full)?)
}

/// The layout of what these strides describe.
pub(crate) fn arrange(
    element_type: ElementType,
    dims: &[i64],
    strides: &[i64],
    unit: StrideUnit,
) -> Result<StridedArray, Error> {
    let given = Strides::new(element_type, dims, strides, unit)?;
    let moving = given.moving()?;
    let placed = given.placed(&moving)?;
    let used = || (0..dims.len()).filter(|&d| given.is_used(d));
    let sign = used().find_map(|d| not_forwards((d, strides[d]), dims[d], unit));
    // A broadcast dimension has one index in memory.
    let is_broadcast = |d: usize| given.is_used(d) && strides[d] == 0;
    let stored = list((0..dims.len()).map(|d| if is_broadcast(d) { 1 } else { dims[d] }))?;
    let Padding {
        widths,
        gap,
        filler,
    } = given.padding(&stored, &moving, &placed)?;
    // Each summand is below 2^126, and added to a sum below 2^63.
    let first = (moving.iter().filter(|&&d| strides[d] < 0)).try_fold(0, |sum, &d| {
        count(i128::from(sum) + given.far(d) * i128::from(dims[d] - 1))
    })?;
    let minor_to_major = with_ones(&stored, &placed, filler)?;
    let mut layout = Layout::new(minor_to_major.clone());
    if gap.is_some() {
        layout.padded_dimensions = widths.clone();
    }
    let stored = shaped(element_type, &stored, layout)?;
    let dense = products(&minor_to_major, |d| Some(widths[d]))?;
    let element_stride = |d: usize| match dense[d] {
        Some(dense) if !given.is_used(d) => dense,
        _ => strides[d] / given.step,
    };
    Ok(StridedArray {
        stored,
        sizes: list(dims.iter().copied())?,
        strides: list((0..dims.len()).map(element_stride))?,
        first: first / given.step,
        gap,
        sign,
    })
}

/// Integers of the caller's type as those that descriptions have.
fn numbers(list: &[impl Copy + TryInto<i64>]) -> Result<Numbers, Error> {
    let mut numbers = Numbers::new();
    for &number in list {
        let number = number.try_into().map_err(|_| too_large())?;
        push(&mut numbers, number)?;
    }
    Ok(numbers)
}

impl StridedArray {
    /// The array with these sizes and strides in bytes, dimension 0 first, as integers of any type.
    ///
    /// An element takes whole bytes, as in [`ElementType::bytes`]. The stride of a dimension of
    /// size 1 says where it is in minor_to_major, if it fits between the others ([rules](crate)).
    /// All strides of an array without elements are ignored.
    ///
    /// ```
    /// use xlayout_core::ElementType::{F32, S16};
    /// use xlayout_interop::StridedArray;
    ///
    /// // A batch of one image, `channels_last` in PyTorch.
    /// let image = StridedArray::new(F32, &[1, 2, 3, 4], &[96, 4, 32, 8])?;
    /// assert_eq!(image.dense()?.to_string(), "f32[1,2,3,4]{1,3,2,0}");
    ///
    /// let error = StridedArray::new(S16, &[4, 3], &[2, 2]).unwrap_err();
    /// assert_eq!(
    ///     error.to_string(),
    ///     "dimension 0 steps by 2 bytes, but dimension 1 spans 6: their elements overlap or \
    ///      interleave; make a dense copy: in a layout each element has its own place",
    /// );
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`BoundaryError`]: no layout puts elements there, with the dimension. An invalid shape:
    /// negative sizes, more bytes than 64 bits count, a type without elements.
    #[doc(alias = "StridesToLayout")]
    pub fn new(
        element_type: ElementType,
        dims: &[impl Copy + TryInto<i64>],
        byte_strides: &[impl Copy + TryInto<i64>],
    ) -> Result<Self, Error> {
        let unit = StrideUnit::Bytes;
        arrange(element_type, &numbers(dims)?, &numbers(byte_strides)?, unit)
    }

    /// Like [`new`](Self::new), with strides in elements, as in DLPack and MLIR.
    ///
    /// ```
    /// use xlayout_core::ElementType::F32;
    /// use xlayout_interop::StridedArray;
    /// assert_eq!(
    ///     StridedArray::from_element_strides(F32, &[2, 3], &[1, 2]),
    ///     StridedArray::new(F32, &[2, 3], &[4, 8]),
    /// );
    /// ```
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn from_element_strides(
        element_type: ElementType,
        dims: &[impl Copy + TryInto<i64>],
        strides: &[impl Copy + TryInto<i64>],
    ) -> Result<Self, Error> {
        let unit = StrideUnit::Elements;
        arrange(element_type, &numbers(dims)?, &numbers(strides)?, unit)
    }

    /// The strides of a shape with a dense or padded layout, or with tiles that change nothing.
    /// Bounded dimensions count as their bound. A tail padding alignment lies behind the elements
    /// and is left out.
    ///
    /// ```
    /// use xlayout_core::ArrayShape;
    /// use xlayout_interop::StridedArray;
    ///
    /// let padded: ArrayShape = "f32[2,3]{0,1}, padded_dimensions = [3, 5]".parse()?;
    /// let strides = StridedArray::of_shape(&padded)?;
    /// assert_eq!(strides.byte_strides()?[..], [4, 12]);
    /// assert_eq!(strides.element_strides(), [1, 3]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Tiles, splits, metadata before the data, a `?`, and what [`ArrayShape::validate`] reports.
    pub fn of_shape(shape: &ArrayShape) -> Result<Self, Error> {
        Self::of(shape, Library::Strides)
    }

    pub(super) fn of(shape: &ArrayShape, library: Library) -> Result<Self, Error> {
        let layout = layout_of(shape, library)?;
        let sizes = sizes(&shape.dims)?;
        let lowered = lowered(shape)?;
        let strides = lowered.strides().ok_or(BoundaryError::Tiled)?;
        let own = list(strides.iter().map(|&n| n as i64))?;
        let mut host = arrange(shape.element_type, &sizes, &own, StrideUnit::Elements)?;
        host.strides = own;
        // The shape itself says more than strides tell: widths, bounds, the places of dimensions
        // of size 1, the bits of an element.
        host.stored = ArrayShape::from_parts(shape.element_type, shape.dims.clone(), Some(layout));
        Ok(host)
    }

    /// Which of the four kinds it is.
    ///
    /// ```
    /// use xlayout_core::ElementType::F32;
    /// use xlayout_interop::{StridedArray, StridesKind};
    /// assert_eq!(StridedArray::new(F32, &[2, 3], &[-12, 4])?.kind(), StridesKind::Reversed);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn kind(&self) -> StridesKind {
        let broadcast = |d| self.is_broadcast(d);
        match self.sign {
            Some(_) if (0..self.sizes.len()).any(broadcast) => StridesKind::Broadcast,
            Some(_) => StridesKind::Reversed,
            None if self.gap.is_some() => StridesKind::Padded,
            None => StridesKind::Dense,
        }
    }

    /// The array as it lies in memory: all dimensions forwards, broadcast ones of size 1, its
    /// layout dense or padded.
    ///
    /// ```
    /// use xlayout_core::ElementType::F32;
    /// use xlayout_interop::StridedArray;
    /// let host = StridedArray::new(F32, &[2, 3, 4], &[4, 0, -8])?;
    /// assert_eq!(host.stored().to_string(), "f32[2,1,4]{0,1,2}");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub const fn stored(&self) -> &ArrayShape {
        &self.stored
    }

    /// The array's shape and layout, where it is dense: each element has its place, there are no
    /// gaps, and no dimension runs backwards.
    ///
    /// ```
    /// use xlayout_core::ElementType::F32;
    /// use xlayout_interop::StridedArray;
    /// let host = StridedArray::new(F32, &[2, 3, 4], &[16, 32, 4])?;
    /// assert_eq!(host.dense()?.to_string(), "f32[2,3,4]{2,0,1}");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// The first dimension that prevents it, and why.
    pub fn dense(&self) -> Result<ArrayShape, Error> {
        match self.sign.or(self.gap) {
            Some(error) => Err(error.into()),
            None => Ok(self.stored.clone()),
        }
    }

    /// The array's shape and layout, where it is dense or has gaps that `padded_dimensions`
    /// expresses. XLA itself has no such layouts any more; all of this library knows them.
    ///
    /// ```
    /// use xlayout_core::ElementType::F32;
    /// use xlayout_interop::StridedArray;
    /// // One column of four: np.zeros((3, 4), 'f4')[:, :1]
    /// let column = StridedArray::new(F32, &[3, 1], &[16, 4])?;
    /// assert_eq!(column.padded()?.to_string(), "f32[3,1]{1,0}, padded_dimensions = [3, 4]");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// The first dimension that is broadcast or runs backwards.
    pub fn padded(&self) -> Result<ArrayShape, Error> {
        match self.sign {
            Some(error) => Err(error.into()),
            None => Ok(self.stored.clone()),
        }
    }

    /// Whether this dimension runs backwards in memory: index `i` of the array is index
    /// `size - 1 - i` of what is stored. `false` if the array has no such dimension.
    ///
    /// ```
    /// use xlayout_core::ElementType::F32;
    /// use xlayout_interop::StridedArray;
    /// let host = StridedArray::new(F32, &[2, 3], &[-12, 4])?;
    /// assert!(host.is_reversed(0) && !host.is_reversed(1));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn is_reversed(&self, dimension: usize) -> bool {
        let stride = self.strides.get(dimension);
        stride.is_some_and(|&stride| stride < 0)
    }

    /// Whether all indices of this dimension lie at one place: index `i` of the array is index 0
    /// of what is stored.
    ///
    /// ```
    /// use xlayout_core::ElementType::F32;
    /// use xlayout_interop::StridedArray;
    /// let host = StridedArray::new(F32, &[2, 3], &[0, 4])?;
    /// assert!(host.is_broadcast(0) && !host.is_broadcast(1));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn is_broadcast(&self, dimension: usize) -> bool {
        let size = |list: &Numbers| list.get(dimension).copied();
        size(&self.strides) == Some(0) && size(&self.sizes).is_some_and(|n| n > 1)
    }

    /// How many elements the array's first element, of index 0 in every dimension, lies behind
    /// the lowest one in memory: 0 unless a dimension runs backwards. Times the bytes of an
    /// element it is how far the pointer of the other library must go back to where
    /// [`stored`](Self::stored) begins.
    ///
    /// ```
    /// use xlayout_core::ElementType::F32;
    /// use xlayout_interop::StridedArray;
    /// // np.zeros((2, 3), 'f4')[::-1, ::-1]: the first element is the last one in memory.
    /// assert_eq!(StridedArray::new(F32, &[2, 3], &[-12, -4])?.first_element(), 5);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub const fn first_element(&self) -> i64 {
        self.first
    }

    /// The sizes of the array.
    ///
    /// ```
    /// use xlayout_core::ElementType::F32;
    /// use xlayout_interop::StridedArray;
    /// let host = StridedArray::new(F32, &[2, 3], &[0, 4])?;
    /// assert_eq!(host.shape(), [2, 3]); // of the array; what is stored has 1 and 3
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn shape(&self) -> &[i64] {
        &self.sizes
    }

    /// The strides of the array in elements, dimension 0 first.
    ///
    /// ```
    /// use xlayout_core::ElementType::F32;
    /// use xlayout_interop::StridedArray;
    /// assert_eq!(StridedArray::new(F32, &[2, 3], &[4, 8])?.element_strides(), [1, 2]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn element_strides(&self) -> &[i64] {
        &self.strides
    }

    /// The strides of the array in bytes, dimension 0 first. (XLA's own `ByteStrides` is
    /// `xlayout_xla::shape_util::byte_strides`, which knows no padding.)
    ///
    /// ```
    /// use xlayout_core::ArrayShape;
    /// use xlayout_interop::StridedArray;
    ///
    /// let packed: ArrayShape = "s4[2,3]{1,0:E(4)}".parse()?;
    /// let error = StridedArray::of_shape(&packed)?.byte_strides().unwrap_err();
    /// assert_eq!(
    ///     error.to_string(),
    ///     "an element takes 4 bits, so that its dimensions have no strides in whole bytes; take \
    ///      elements of whole bytes: leave out `E(n)`",
    /// );
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Elements that are no whole bytes, and strides of more bytes than 64 bits count.
    #[doc(alias = "ByteStrides")]
    pub fn byte_strides(&self) -> Result<List<i64, INLINE_RANK>, Error> {
        let bits = self.stored.element_size_in_bits();
        if bits % 8 != 0 {
            return Err(BoundaryError::PackedView { bits }.into());
        }
        let mut bytes = List::new();
        for stride in &self.strides {
            let stride = stride.checked_mul(bits / 8).ok_or_else(too_large)?;
            push(&mut bytes, stride)?;
        }
        Ok(bytes)
    }

    /// Elements take this many bits.
    pub(super) fn pack(&mut self, bits: i64) {
        if let Some(layout) = &mut self.stored.layout {
            layout.element_size_in_bits = bits;
        }
    }
}

/// The sizes, where all are known.
pub(super) fn sizes(dims: &Dims) -> Result<Numbers, Error> {
    match dims.iter().position(|&dim| dim == Dim::Unbounded) {
        Some(dimension) => Err(BoundaryError::RunTimeSize { dimension }.into()),
        None => list(dims.iter().filter_map(|dim| dim.bound())),
    }
}

/// How many indices of a dimension there is room for, if that is known.
pub(super) fn width(shape: &ArrayShape, layout: &Layout, d: usize) -> Option<i64> {
    let padded = layout.padded_dimensions.get(d).copied();
    padded.or(shape.dims[d].bound())
}
