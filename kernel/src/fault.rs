//! What is wrong with a call, as numbers: made where time counts, put into words by `refuse`.
//!
//! All fields are words: an error shares its bytes with the value that there would be, and the
//! compiler takes a pointer apart where a byte lies in it.

use xlayout_core::{LayoutError, LowerError};

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
    /// Whether a structure has all fields that this crate reads.
    #[inline(always)]
    pub(crate) const fn check_size<T>(self, found: usize) -> Result<(), Fault> {
        // More fields are those of a later version.
        let read = if found > size_of::<T>() {
            size_of::<T>()
        } else {
            found
        };
        self.check_exact_size::<T>(read)
    }

    /// Whether a structure has exactly these fields: what comes after it in another one, in which it
    /// lies, would otherwise be elsewhere.
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

    /// A count: not negative, and no more than there can be in memory.
    #[inline(always)]
    pub(crate) const fn count(self, found: i64) -> Result<usize, Fault> {
        if found < 0 || found > i32::MAX as i64 {
            return Err(Fault::Count { part: self, found });
        }
        Ok(found as usize)
    }
}

/// Why a call cannot be answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u64)]
pub(crate) enum Fault {
    /// A structure lacks fields, or has more where it lies inside of another.
    Size {
        part: FramePart,
        expected: usize,
        found: usize,
    },
    /// A pointer is null.
    Null(FramePart),
    /// A count is negative, or beyond anything.
    Count { part: FramePart, found: i64 },
    /// An argument or a result is something else.
    NotBuffer { found: i64 },
    /// Another number of arguments or results.
    Counts { arguments: usize, results: usize },
    /// An attribute that was not declared.
    UnknownAttribute { number: usize },
    /// The attribute `BY_ITEMS` is not `true`.
    ByItems { number: usize },
    /// A parameter does not get what it declared.
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
    /// The one that it has.
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
    /// A size is not that of a parameter before: its number and dimension.
    Unequal {
        dimension: usize,
        first: (usize, usize),
    },
    /// A size is not what its expression says.
    Computed {
        relation: usize,
    },
    /// Argument and result of an `InOut` have other sizes.
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
    /// An attribute is not there.
    Missing,
    /// An attribute is of another kind.
    Kind,
    /// An attribute has another element type.
    AttributeType,
    /// The value of an attribute is not there.
    NoValue,
    /// A string that is not one of the declared words.
    NoWord,
    /// A string is not UTF-8.
    NotUtf8 {
        at: usize,
    },
    /// A leading dimension is not that of the batch.
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
            LayoutError::Lower(LowerError::TooLarge | LowerError::EmptyTooLarge) => Self::TooLarge,
            error => unreachable!("the array was compared with the layout: {error}"),
        }
    }
}
