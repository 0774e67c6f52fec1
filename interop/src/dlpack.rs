//! DLPack: types by number, strides in elements. As text: `dtype={kDLFloat, 32, 1}, shape={2, 3},
//! strides={3, 1}`.

use core::fmt::Write;

use super::codes;
use super::element_types::{Row, TYPES, check_bits, row};
use super::error::{Error, Printed, list};
use super::lists::joined;
use super::read::Reader;
use super::{BoundaryError, Given, Library, StridedArray};
use xlayout_shape::text::lex::TokenKind;
use xlayout_shape::{ArrayShape, ElementType, INLINE_RANK, List};

/// DLPack's `DLDataType`.
///
/// ```
/// use xlayout_core::ElementType;
/// use xlayout_interop::DlDataType;
///
/// let bf16 = DlDataType::new(ElementType::Bf16)?;
/// assert_eq!(bf16, DlDataType { code: 4, bits: 16, lanes: 1 }); // kDLBfloat
/// assert_eq!(bf16.element_type()?, ElementType::Bf16);
///
/// let float4 = DlDataType { code: 2, bits: 32, lanes: 4 };
/// assert_eq!(
///     float4.element_type().unwrap_err().to_string(),
///     "an element is a vector of 4 lanes; XLA's elements have one; make the lanes a dimension of \
///      their own, the most minor one",
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[doc(alias = "DLDataType")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(C)]
pub struct DlDataType {
    /// The `DLDataTypeCode`: 0 is `kDLInt`, 2 `kDLFloat`, 4 `kDLBfloat`, …
    pub code: u8,
    /// The bits of one lane. `kDLBool` has 8.
    pub bits: u8,
    /// The lanes of a vector type; 1 for all that XLA has.
    pub lanes: u16,
}

impl DlDataType {
    /// DLPack's type of these elements (XLA: `PrimitiveTypeToDLDataType`).
    ///
    /// ```
    /// use xlayout_core::ElementType;
    /// use xlayout_interop::DlDataType;
    /// let pred = DlDataType::new(ElementType::Pred)?; // kDLBool
    /// assert_eq!(pred, DlDataType { code: 6, bits: 8, lanes: 1 });
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// A type without elements.
    #[doc(alias = "PrimitiveTypeToDLDataType")]
    pub fn new(element_type: ElementType) -> Result<Self, Error> {
        let row = row(element_type, Library::DlPack)?;
        Ok(Self {
            code: row.code,
            bits: bits_of(row),
            lanes: 1,
        })
    }

    /// The element type (XLA: `DLDataTypeToPrimitiveType`).
    ///
    /// ```
    /// use xlayout_core::ElementType;
    /// use xlayout_interop::DlDataType;
    /// let complex = DlDataType { code: 5, bits: 64, lanes: 1 };
    /// assert_eq!(complex.element_type()?, ElementType::C64);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// More than one lane, and types that XLA does not have.
    #[doc(alias = "DLDataTypeToPrimitiveType")]
    pub fn element_type(self) -> Result<ElementType, Error> {
        let Self { code, bits, lanes } = self;
        if lanes != 1 {
            return Err(BoundaryError::Lanes { lanes }.into());
        }
        let mut rows = TYPES.iter();
        match rows.find(|row| (row.code, bits_of(row)) == (code, bits)) {
            Some(row) => Ok(row.element_type),
            None => Err(BoundaryError::DlType { code, bits }.into()),
        }
    }

    /// The code's name in `dlpack.h`; `None` for a code that it does not have.
    ///
    /// ```
    /// use xlayout_interop::DlDataType;
    /// let float8 = DlDataType { code: 10, bits: 8, lanes: 1 };
    /// assert_eq!(float8.code_name(), Some("kDLFloat8_e4m3fn"));
    /// ```
    #[must_use]
    pub fn code_name(self) -> Option<&'static str> {
        codes::name(self.code)
    }
}

/// A truth value takes a whole byte there.
fn bits_of(row: &Row) -> u8 {
    match row.element_type {
        ElementType::Pred => 8,
        // At most 128.
        _ => row.bits as u8,
    }
}

/// What DLPack's `DLTensor` says of where elements lie: all of it but the pointer and the device.
///
/// ```
/// use xlayout_core::ArrayShape;
/// use xlayout_interop::DlTensor;
///
/// let shape: ArrayShape = "f32[2,3]{0,1}".parse()?;
/// let tensor = DlTensor::new(&shape)?;
/// assert_eq!(tensor.strides.as_ref().unwrap()[..], [1, 2]);
/// assert_eq!(tensor.to_shape()?, shape);
///
/// // Without strides it is row-major.
/// let tensor = DlTensor { strides: None, ..tensor };
/// assert_eq!(tensor.to_shape()?.to_string(), "f32[2,3]{1,0}");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[doc(alias("DLPack", "DLTensor", "DLManagedTensor", "from_dlpack"))]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DlTensor {
    /// The type of an element.
    pub dtype: DlDataType,
    /// The sizes, dimension 0 first.
    pub shape: List<i64, INLINE_RANK>,
    /// The strides in elements; `None`, DLPack's null pointer, is row-major and dense.
    pub strides: Option<List<i64, INLINE_RANK>>,
    /// How many bytes the first element lies behind `data`.
    pub byte_offset: u64,
    /// Whether elements narrower than a byte take a byte each: the flag
    /// `DLPACK_FLAG_BITMASK_IS_SUBBYTE_TYPE_PADDED` of the tensor. Without it they are packed.
    pub subbyte_type_padded: bool,
}

impl DlTensor {
    /// What DLPack would say of an array with this layout. Strides are always listed. The memory
    /// space is left out; in DLPack it is the device's.
    ///
    /// ```
    /// use xlayout_core::ArrayShape;
    /// use xlayout_interop::DlTensor;
    /// let padded = |text: &str| {
    ///     let shape: ArrayShape = text.parse().unwrap();
    ///     DlTensor::new(&shape).unwrap().subbyte_type_padded
    /// };
    /// assert!(!padded("s4[2,4]{1,0:E(4)}"));
    /// assert!(padded("s4[2,4]{1,0}"));
    /// ```
    ///
    /// # Errors
    /// As [`StridedArray::of_shape`], and elements that take other bits than DLPack's.
    pub fn new(shape: &ArrayShape) -> Result<Self, Error> {
        let host = StridedArray::of(shape, Library::DlPack)?;
        let dtype = DlDataType::new(shape.element_type)?;
        let packed = shape.element_type != ElementType::Pred;
        check_bits(shape, Library::DlPack, packed)?;
        Ok(Self {
            dtype,
            shape: list(host.shape().iter().copied())?,
            strides: Some(list(host.element_strides().iter().copied())?),
            byte_offset: 0,
            subbyte_type_padded: dtype.bits < 8 && shape.element_size_in_bits() == 8,
        })
    }

    /// What lies in memory; where the first element is there, `byte_offset` and
    /// [`StridedArray::first_element`] say.
    ///
    /// The stride of a dimension of size 1 says where it lies between the others, unless it is 1:
    /// PyTorch writes 1 for all of them (XLA: `StridesToLayout`).
    ///
    /// ```
    /// use xlayout_core::ArrayShape;
    /// use xlayout_interop::DlTensor;
    /// let shape: ArrayShape = "f32[2,3]{0,1}".parse()?;
    /// assert_eq!(DlTensor::new(&shape)?.to_strided_array()?.element_strides(), [1, 2]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`DlDataType::element_type`] and [`StridedArray::from_element_strides`].
    #[doc(alias = "StridesToLayout")]
    pub fn to_strided_array(&self) -> Result<StridedArray, Error> {
        let ty = self.dtype.element_type()?;
        let mut host = match &self.strides {
            Some(strides) => {
                let named = strides.iter().enumerate().map(|(dimension, &stride)| {
                    let is_filled_in = self.shape.get(dimension) == Some(&1) && stride == 1;
                    if is_filled_in { 0 } else { stride }
                });
                StridedArray::from_element_strides(ty, &self.shape, &list(named)?)?
            }
            None => crate::strides::row_major(ty, &self.shape)?,
        };
        if self.dtype.bits < 8 && !self.subbyte_type_padded {
            host.pack(self.dtype.bits.into());
        }
        Ok(host)
    }

    /// The shape with its layout, from the array's first element on (`byte_offset` is left out):
    /// dense, or padded where there are gaps.
    ///
    /// ```
    /// use xlayout_core::List;
    /// use xlayout_interop::{DlDataType, DlTensor};
    ///
    /// let list = |items: &[i64]| List::try_from_iter(items.iter().copied()).unwrap();
    /// let tensor = DlTensor {
    ///     dtype: DlDataType { code: 2, bits: 32, lanes: 1 },
    ///     shape: list(&[2, 3]),
    ///     strides: Some(list(&[0, 1])),
    ///     byte_offset: 0,
    ///     subbyte_type_padded: false,
    /// };
    /// assert_eq!(
    ///     tensor.to_shape().unwrap_err().to_string(),
    ///     "dimension 0 is broadcast: its stride is 0, so that its 2 indices share one place; \
    ///      make a copy, or use `StridedArray`: `stored` is the array before the broadcast",
    /// );
    /// ```
    ///
    /// # Errors
    /// As [`to_strided_array`](Self::to_strided_array) and [`StridedArray::padded`].
    pub fn to_shape(&self) -> Result<ArrayShape, Error> {
        self.to_strided_array()?.padded()
    }
}

/// The flag that says that elements narrower than a byte have a byte each.
pub(super) const PADDED: &str = "DLPACK_FLAG_BITMASK_IS_SUBBYTE_TYPE_PADDED";

/// `{kDLFloat, 32, 1}`, also with the names of the members or with the number of the code.
pub(super) fn dtype(reader: &mut Reader<'_>) -> Result<DlDataType, Error> {
    let start = *reader;
    if !reader.eat(b'(') {
        reader.expect(b'{', "`{` and a type: `{kDLFloat, 32, 1}`")?;
    }
    member(reader, "code");
    let code = match codes::of_name(reader.found()) {
        Some(code) => {
            reader.advance();
            code
        }
        None if reader.token.tok == TokenKind::Integer => narrow(reader, "at most 255")?,
        None => return Err(reader.unexpected("a type code such as `kDLFloat`")),
    };
    reader.expect(b',', "`,` and the bits")?;
    member(reader, "bits");
    let bits = narrow(reader, "at most 255 bits")?;
    reader.expect(b',', "`,` and the lanes")?;
    member(reader, "lanes");
    let lanes = narrow(reader, "at most 65535 lanes")?;
    if !reader.eat(b')') {
        reader.expect(b'}', "`}`")?;
    }
    let dtype = DlDataType { code, bits, lanes };
    let known = dtype.element_type();
    known.map_err(|error| start.error_until(reader, *error.kind()))?;
    Ok(dtype)
}

/// Passes the name of a member, if it is there: `.code = `, `code=`, `code: `.
fn member(reader: &mut Reader<'_>, name: &str) {
    reader.eat(b'.');
    if reader.eat_word(name) && !reader.eat(b'=') {
        reader.eat(b':');
    }
}

fn narrow<T: TryFrom<i64>>(reader: &mut Reader<'_>, limit: &'static str) -> Result<T, Error> {
    let here = *reader;
    T::try_from(reader.size()?).map_err(|_| here.unexpected(limit))
}

pub(super) fn print(shape: &ArrayShape, _: &Given<'_>, out: &mut dyn Write) -> Printed {
    let tensor = DlTensor::new(shape)?;
    let dtype = tensor.dtype;
    let (Some(code), Some(strides)) = (dtype.code_name(), &tensor.strides) else {
        unreachable!("`new` gives a type of the table, and strides");
    };
    let DlDataType { bits, lanes, .. } = dtype;
    let [sizes, strides] = [&tensor.shape, strides].map(|list| joined(&list[..], ", "));
    let flags = if tensor.subbyte_type_padded {
        ", flags=DLPACK_FLAG_BITMASK_IS_SUBBYTE_TYPE_PADDED"
    } else {
        ""
    };
    Ok(write!(
        out,
        "dtype={{{code}, {bits}, {lanes}}}, shape={{{sizes}}}, strides={{{strides}}}{flags}"
    ))
}
