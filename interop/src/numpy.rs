//! NumPy: contiguity, `order`, and the array interface.

use core::fmt;
use core::str::FromStr;

use super::element_types::check_bits;
use super::error::{Error, about, list};
use super::lists::python_tuple;
use super::{BoundaryError, Library, StridedArray, TypeStr};
use xlayout_shape::error::Excerpt;
use xlayout_shape::{ArrayShape, ElementType, INLINE_RANK, List, MinorToMajor, ParseError};

/// NumPy's `order=`: `'C'` is row-major, `'F'` column-major.
///
/// ```
/// use xlayout_interop::NumpyOrder;
///
/// let order: NumpyOrder = "F".parse().unwrap();
/// assert_eq!(order.minor_to_major(2).unwrap()[..], [0, 1]);
/// assert_eq!(order.to_string(), "F");
/// assert_eq!(
///     "K".parse::<NumpyOrder>().unwrap_err().to_string(),
///     "expected `C` or `F`, found `K` (at byte 0); write `C` (row-major) or `F` (column-major); \
///      `A` and `K` depend on the array that is copied",
/// );
/// ```
#[doc(alias = "order")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NumpyOrder {
    /// Row-major: the last dimension varies fastest.
    C,
    /// Column-major, as in Fortran: dimension 0 varies fastest.
    F,
}

impl NumpyOrder {
    /// The dimensions of an array of this rank, most minor first.
    ///
    /// ```
    /// use xlayout_interop::NumpyOrder;
    /// assert_eq!(NumpyOrder::C.minor_to_major(3).unwrap().to_string(), "{2,1,0}");
    /// assert_eq!(NumpyOrder::F.minor_to_major(3).unwrap().to_string(), "{0,1,2}");
    /// ```
    ///
    /// # Errors
    /// [`TooMany`](xlayout_shape::ErrorKind::TooMany) for a rank above 16 without the feature
    /// `alloc`.
    pub fn minor_to_major(self, rank: usize) -> Result<MinorToMajor, ParseError> {
        match self {
            Self::C => MinorToMajor::row_major(rank),
            Self::F => MinorToMajor::column_major(rank),
        }
    }
}

/// `C` or `F`.
impl fmt::Display for NumpyOrder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::C => "C",
            Self::F => "F",
        })
    }
}

/// `C` or `F`, in lower case, too, as NumPy reads it.
impl FromStr for NumpyOrder {
    type Err = Error;
    fn from_str(text: &str) -> Result<Self, Error> {
        match text {
            "C" | "c" => Ok(Self::C),
            "F" | "f" => Ok(Self::F),
            _ => {
                let found = Excerpt::new(text);
                Err(about(text, text, BoundaryError::MemoryOrder { found }))
            }
        }
    }
}

/// NumPy's `flags.c_contiguous` and `flags.f_contiguous`.
///
/// Both hold of an array without elements and of one with a single dimension above 1: strides of
/// dimensions of size 1 do not count.
///
/// ```
/// use xlayout_core::ArrayShape;
/// use xlayout_interop::Contiguity;
///
/// let flags = |text: &str| {
///     let Contiguity { c, f } = Contiguity::of_shape(&text.parse::<ArrayShape>().unwrap());
///     (c, f)
/// };
/// assert_eq!(flags("f32[2,3]{1,0}"), (true, false));
/// assert_eq!(flags("f32[2,3]{0,1}"), (false, true));
/// assert_eq!(flags("f32[1,3]{0,1}"), (true, true));
/// assert_eq!(flags("f32[2,3,4]{1,2,0}"), (false, false));
/// ```
#[doc(alias("c_contiguous", "f_contiguous"))]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Contiguity {
    /// Row-major and dense.
    pub c: bool,
    /// Column-major and dense.
    pub f: bool,
}

impl Contiguity {
    /// The flags of an array with these sizes and strides in bytes. Neither holds where there are
    /// not as many strides as sizes.
    ///
    /// ```
    /// use xlayout_interop::Contiguity;
    /// // The stride of dimension 1 does not count.
    /// let flags = Contiguity::new(&[2, 1, 3], &[12, 999, 4], 4);
    /// assert_eq!(flags, Contiguity { c: true, f: false });
    /// // Nor does any where there is nothing.
    /// assert_eq!(Contiguity::new(&[2, 0], &[999, 17], 4), Contiguity { c: true, f: true });
    /// ```
    #[must_use]
    pub fn new(dims: &[i64], byte_strides: &[i64], element_bytes: i64) -> Self {
        if dims.len() != byte_strides.len() {
            return Self { c: false, f: false };
        }
        let pairs = || dims.iter().zip(byte_strides);
        let empty = dims.contains(&0);
        let mut c = Some(element_bytes);
        let mut f = c;
        // The stride that is due next, until one is another. Beyond 64 bits no stride is due.
        let step = |due: &mut Option<i64>, (&size, &stride): (&i64, &i64)| {
            if size == 1 {
                return true;
            }
            let right = *due == Some(stride);
            *due = due.and_then(|due| due.checked_mul(size));
            right
        };
        Self {
            c: empty || pairs().rev().all(|pair| step(&mut c, pair)),
            f: empty || pairs().all(|pair| step(&mut f, pair)),
        }
    }

    /// The flags of an array with the layout of this shape. Neither holds where it has no byte
    /// strides.
    ///
    /// ```
    /// use xlayout_core::ArrayShape;
    /// use xlayout_interop::Contiguity;
    /// let shape: ArrayShape = "f32[2,3]{0,1}".parse()?;
    /// let contiguity = Contiguity::of_shape(&shape);
    /// assert!(contiguity.f && !contiguity.c);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn of_shape(shape: &ArrayShape) -> Self {
        let flags = || {
            let host = StridedArray::of_shape(shape)?;
            let bytes = shape.element_size_in_bits() / 8;
            Ok::<_, Error>(Self::new(host.shape(), &host.byte_strides()?, bytes))
        };
        flags().unwrap_or(Self { c: false, f: false })
    }
}

/// What NumPy's `__array_interface__` says of where elements lie.
///
/// Printed and read as Python writes the dictionary; `data`, which is an address, and `descr`,
/// which repeats the type, are skipped over.
///
/// ```
/// use xlayout_core::ArrayShape;
/// use xlayout_interop::ArrayInterface;
///
/// let text = "{'data': (94013557830592, False), 'strides': (4, 8), 'descr': [('', '<f4')], \
///             'typestr': '<f4', 'shape': (2, 3), 'version': 3}";
/// let interface: ArrayInterface = text.parse()?;
/// assert_eq!(interface.to_shape()?.to_string(), "f32[2,3]{0,1}");
///
/// let shape: ArrayShape = "f32[2,3]{1,0}".parse()?;
/// assert_eq!(
///     ArrayInterface::new(&shape)?.to_string(),
///     "{'shape': (2, 3), 'typestr': '<f4', 'strides': None, 'version': 3}",
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[doc(alias("__array_interface__", "__cuda_array_interface__"))]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArrayInterface {
    /// The type of an element.
    pub typestr: TypeStr,
    /// The sizes, dimension 0 first.
    pub shape: List<i64, INLINE_RANK>,
    /// The strides in bytes; `None` is row-major and dense.
    pub strides: Option<List<i64, INLINE_RANK>>,
    /// How many bytes the first element lies behind the beginning of the data.
    pub offset: i64,
}

impl ArrayInterface {
    /// What NumPy would say of an array with this layout. As there, `strides` is `None` where the
    /// array is C-contiguous. The memory space is left out.
    ///
    /// ```
    /// use xlayout_core::ArrayShape;
    /// use xlayout_interop::ArrayInterface;
    /// let shape: ArrayShape = "f32[2,3]{0,1}".parse()?;
    /// let interface = ArrayInterface::new(&shape)?;
    /// assert_eq!(
    ///     interface.to_string(),
    ///     "{'shape': (2, 3), 'typestr': '<f4', 'strides': (4, 8), 'version': 3}",
    /// );
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`StridedArray::of_shape`] and [`StridedArray::byte_strides`], and elements that take
    /// other bytes than NumPy's.
    pub fn new(shape: &ArrayShape) -> Result<Self, Error> {
        let host = StridedArray::of(shape, Library::Numpy)?;
        let typestr = TypeStr::new(shape.element_type)?;
        let strides = host.byte_strides()?;
        check_bits(shape, Library::Numpy, false)?;
        let bytes = shape.element_size_in_bits() / 8;
        let contiguous = Contiguity::new(host.shape(), &strides, bytes).c;
        Ok(Self {
            typestr,
            shape: list(host.shape().iter().copied())?,
            strides: (!contiguous).then_some(strides),
            offset: 0,
        })
    }

    /// What lies in memory; where the first element is there, `offset` and
    /// [`StridedArray::first_element`] say.
    ///
    /// ```
    /// use xlayout_interop::ArrayInterface;
    /// let text = "{'shape': (2, 3), 'typestr': '<f4', 'strides': (0, 4), 'version': 3}";
    /// let host = text.parse::<ArrayInterface>()?.to_strided_array()?;
    /// assert!(host.is_broadcast(0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`TypeStr::element_type`] and [`StridedArray::new`].
    pub fn to_strided_array(&self) -> Result<StridedArray, Error> {
        self.strided_array(self.typestr.element_type()?)
    }

    /// The shape with its layout, from the array's first element on (`offset` is left out): dense,
    /// or padded where there are gaps.
    ///
    /// ```
    /// use xlayout_interop::ArrayInterface;
    /// let text = "{'shape': (2, 3), 'typestr': '<f4', 'version': 3}";
    /// let interface: ArrayInterface = text.parse()?;
    /// assert_eq!(interface.to_shape()?.to_string(), "f32[2,3]{1,0}");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`to_strided_array`](Self::to_strided_array) and [`StridedArray::padded`].
    pub fn to_shape(&self) -> Result<ArrayShape, Error> {
        self.to_strided_array()?.padded()
    }

    /// Like [`to_shape`](Self::to_shape), with a given element type: the strings of
    /// ml_dtypes' types state only their number of bytes.
    ///
    /// ```
    /// use xlayout_core::ElementType;
    /// use xlayout_interop::ArrayInterface;
    ///
    /// let text = "{'shape': (2,), 'typestr': '<V2', 'version': 3}";
    /// let interface: ArrayInterface = text.parse()?;
    /// assert!(interface.to_shape().is_err());
    /// assert_eq!(interface.to_shape_of(ElementType::Bf16)?.to_string(), "bf16[2]{0}");
    /// assert!(interface.to_shape_of(ElementType::F32).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`to_shape`](Self::to_shape), and a type that does not go by this type string.
    pub fn to_shape_of(&self, element_type: ElementType) -> Result<ArrayShape, Error> {
        let found = self.typestr.excerpt();
        if self.typestr.may_be(element_type) {
            self.strided_array(element_type)?.padded()
        } else {
            Err(BoundaryError::OtherType {
                element_type,
                found,
            }
            .into())
        }
    }

    fn strided_array(&self, element_type: ElementType) -> Result<StridedArray, Error> {
        match &self.strides {
            Some(strides) => StridedArray::new(element_type, &self.shape, strides),
            None => crate::strides::row_major(element_type, &self.shape),
        }
    }
}

/// As Python writes the dictionary; `offset` only where it is not 0.
impl fmt::Display for ArrayInterface {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sizes = python_tuple(&self.shape);
        let typestr = self.typestr;
        write!(f, "{{'shape': {sizes}, 'typestr': '{typestr}', 'strides': ")?;
        match &self.strides {
            Some(strides) => write!(f, "{}", python_tuple(strides))?,
            None => f.write_str("None")?,
        }
        if self.offset != 0 {
            write!(f, ", 'offset': {}", self.offset)?;
        }
        f.write_str(", 'version': 3}")
    }
}
