//! The faults of a call, as numbers. The checks make them without allocating, and `refuse` writes
//! the messages.
//!
//! All fields are as wide as a pointer: in a `Result`, an error shares its bytes with the value. If
//! a field were one byte, the compiler would split a pointer in the same place into bytes.

use xlayout_core::{LayoutError, NotLowered};

/// A part of what XLA passes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u64)]
pub(crate) enum FramePart {
    Frame,
    Arguments,
    Results,
    Attributes,
    Buffer,
    Dimensions,
    MetadataExtension,
    Metadata,
}

impl FramePart {
    /// Checks that a structure has all fields that this crate reads.
    #[inline(always)]
    pub(crate) fn check_size<T>(self, found: usize) -> Result<(), Fault> {
        // Additional fields belong to a later version of the API.
        self.check_exact_size::<T>(found.min(size_of::<T>()))
    }

    /// Checks that a structure has exactly these fields. It is part of another structure, whose
    /// next fields would otherwise have other offsets.
    #[inline(always)]
    pub(crate) const fn check_exact_size<T>(self, found: usize) -> Result<(), Fault> {
        if found != size_of::<T>() {
            return Err(Fault::Size {
                part: self,
                expected: size_of::<T>(),
                found,
            });
        }
        Ok(())
    }

    /// Checks a count: it is the expected one. If none is expected, it is not negative, and not
    /// more than memory can hold.
    #[inline(always)]
    pub(crate) const fn count(self, found: i64, expected: Option<usize>) -> Result<usize, Fault> {
        match expected {
            Some(expected) if found == expected as i64 => Ok(expected),
            None if found >= 0 && found <= i32::MAX as i64 => Ok(found as usize),
            _ => Err(Fault::Count { part: self, found }),
        }
    }
}

/// Why a call fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u64)]
pub(crate) enum Fault {
    /// A structure lacks fields, or is part of another structure and has additional fields.
    Size {
        part: FramePart,
        expected: usize,
        found: usize,
    },
    /// A pointer is null.
    Null(FramePart),
    /// A count is negative or larger than memory.
    Count { part: FramePart, found: i64 },
    /// An argument or a result is not a buffer.
    NotBuffer { found: i64 },
    /// The number of arguments or results is not the declared one.
    Counts { arguments: usize, results: usize },
    /// An attribute that was not declared.
    UnknownAttribute { number: usize },
    /// The attribute `BY_ITEMS` is not `true`.
    ByItems { number: usize },
    /// A parameter does not get what it declares.
    Parameter {
        parameter: usize,
        place: Place,
        wrong: Wrong,
    },
}

impl Fault {
    pub(crate) const fn at(parameter: usize, place: Place, wrong: Wrong) -> Self {
        Self::Parameter {
            parameter,
            place,
            wrong,
        }
    }
}

/// Which of a parameter's two places.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(u64)]
pub(crate) enum Place {
    /// The only one: its argument, its result or its attribute.
    #[default]
    Own,
    Argument(usize),
    Result(usize),
}

impl Place {
    pub(crate) fn number(self) -> usize {
        match self {
            Self::Own => 0,
            Self::Argument(number) | Self::Result(number) => number,
        }
    }
}

/// What is wrong with a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u64)]
pub enum Wrong {
    ElementType,
    Dimensions,
    Rank,
    Negative {
        dimension: usize,
    },
    Size {
        dimension: usize,
    },
    TooLarge,
    NoData,
    /// There is no memory for the array in the kernel's layout.
    NoMemory,
    /// A size does not equal one of an earlier parameter: the number and dimension of that one.
    Unequal {
        dimension: usize,
        first: (usize, usize),
    },
    /// A size does not equal its expression.
    Computed {
        relation: usize,
    },
    /// Argument and result of an `InOut` have different sizes.
    OtherSizes,
    NotAliased,
    Overlap {
        other: usize,
    },
    Alignment {
        beyond: usize,
    },
    NotBool {
        at: usize,
    },
    /// An attribute is missing.
    Missing,
    /// An attribute is of another kind.
    Kind,
    /// An attribute has another element type.
    AttributeType,
    /// The value of an attribute is missing.
    NoValue,
    /// A string is not one of the declared words.
    NoWord,
    /// A string is not UTF-8.
    NotUtf8 {
        at: usize,
    },
    /// A leading size does not match the batch.
    Batch {
        dimension: usize,
    },
    NegativeBatch {
        dimension: usize,
    },
    /// Items of a batch share bytes.
    BatchInBytes,
}

impl From<LayoutError> for Wrong {
    #[cold]
    fn from(error: LayoutError) -> Self {
        match error {
            LayoutError::Lower(NotLowered::TooLarge | NotLowered::EmptyTooLarge) => Self::TooLarge,
            error => unreachable!("the array was compared with the layout: {error}"),
        }
    }
}
