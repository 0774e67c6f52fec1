//! CuTe: `(shape):(stride)`.

mod read;

use core::fmt;

use super::Library;
use super::error::{Error, Items, LayoutPart, has_place, lowered, push};
use super::layout::layout_of;
use super::lists::joined;
use super::strides::sizes;
use xlayout_core::Mode;
use xlayout_shape::ArrayShape;
use xlayout_shape::words::from_fn;

/// A layout of CuTe's: for each dimension its digits as sizes and strides, the fastest first.
///
/// The digits are the [modes](xlayout_shape::Mode) of the layout. A dimension of several digits is
/// a tuple of its own. Its size there is the product of the sizes of its digits. CuTe's layouts
/// have no bounds, so in a tiled layout this is the size rounded up to whole tiles. (CuTe's
/// programs compare coordinates with the sizes of the array, as "predication".) The memory space,
/// and padding behind the last element, are left out.
///
/// ```
/// use xlayout_interop::CuteLayout;
/// use xlayout_core::ArrayShape;
/// use xlayout_core::ElementType::Bf16;
///
/// let cute = |text: &str| CuteLayout::new(&text.parse::<ArrayShape>().unwrap()).unwrap();
/// assert_eq!(cute("f32[2,3]{0,1}").to_string(), "(2,3):(1,2)");
/// let tiled = cute("bf16[1000,3000]{1,0:T(8,128)(2,1)}");
/// assert_eq!(tiled.to_string(), "((2,4,125),(128,24)):((1,256,24576),(2,1024))");
///
/// // 24 tiles of 128 are 3072 columns; CuTe does not know that 3000 are meant.
/// assert_eq!(tiled.shape().collect::<Vec<_>>(), [1000, 3072]);
/// assert_eq!(tiled.to_shape(Bf16)?.to_string(), "bf16[1000,3072]{1,0:T(8,128)(2,1)}");
/// assert_eq!(
///     tiled.to_shape_with(Bf16, &[1000, 3000])?.to_string(),
///     "bf16[1000,3000]{1,0:T(8,128)(2,1)}",
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[doc(alias("cute::Layout", "make_layout"))]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CuteLayout {
    pub(super) rank: usize,
    /// By dimension, and in each the fastest digit first. A dimension may have none.
    pub(super) digits: Items<Digit>,
}

/// One number of the shape with the number of the stride that belongs to it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Digit {
    pub(super) dim: usize,
    pub(super) size: i64,
    pub(super) stride: i64,
}

impl CuteLayout {
    /// The layout of a shape in CuTe's words.
    ///
    /// ```
    /// use xlayout_core::ArrayShape;
    /// use xlayout_interop::CuteLayout;
    ///
    /// let merged: ArrayShape = "f32[9,7]{1,0:T(2,3)(2,2)}".parse()?;
    /// assert_eq!(
    ///     CuteLayout::new(&merged).unwrap_err().to_string(),
    ///     "a CuTe layout has no place for coordinates that the tiles merge from several \
    ///      dimensions; take it out of the layout first",
    /// );
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Merged coordinates that no digits of single dimensions make up, splits, metadata before
    /// the data, a `?`, and an array that cannot be addressed.
    pub fn new(shape: &ArrayShape) -> Result<Self, Error> {
        layout_of(shape, Library::Cute)?;
        sizes(&shape.dims)?;
        let lowered = lowered(shape)?;
        let merges = |any| has_place(Library::Cute, &[(any, LayoutPart::MergedCoordinates)]);
        merges(!lowered.terms().is_empty())?;
        let mut digits = Items::<Digit>::new();
        for (dim, &size) in lowered.dims().iter().enumerate() {
            let mut divisor = 1;
            let is_next = |mode: &&Mode, divisor| mode.dim == dim && mode.divisor == divisor;
            let before = digits.len();
            while let Some(mode) = lowered
                .mode_table()
                .iter()
                .find(|mode| is_next(mode, divisor))
            {
                let digit = Digit {
                    dim,
                    size: mode.size as i64,
                    stride: mode.stride as i64,
                };
                push(&mut digits, digit)?;
                if mode.top || mode.size < 2 {
                    break;
                }
                // Below the padded size, which is allocated.
                divisor *= mode.size;
            }
            if digits.len() == before {
                let digit = Digit {
                    dim,
                    size: size as i64,
                    stride: 0,
                };
                push(&mut digits, digit)?;
            }
        }
        // Tiles that leave out a digit in the middle of a coordinate.
        let all = digits.iter().filter(|digit| digit.stride != 0).count();
        merges(all != lowered.mode_table().len())?;
        let rank = shape.rank();
        Ok(Self { rank, digits })
    }

    /// How many dimensions there are.
    ///
    /// ```
    /// use xlayout_interop::CuteLayout;
    /// let layout: CuteLayout = "((2,4),3):((1,6),2)".parse()?;
    /// assert_eq!(layout.rank(), 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub const fn rank(&self) -> usize {
        self.rank
    }

    /// The sizes and strides of a dimension's digits, the fastest first.
    ///
    /// ```
    /// use xlayout_interop::CuteLayout;
    /// let layout: CuteLayout = "((2,4),3):((1,6),2)".parse().unwrap();
    /// assert_eq!(layout.digits(0).collect::<Vec<_>>(), [(2, 1), (4, 6)]);
    /// ```
    pub fn digits(&self, dimension: usize) -> impl Iterator<Item = (i64, i64)> + Clone + '_ {
        let own = self.digits.iter().filter(move |d| d.dim == dimension);
        own.map(|digit| (digit.size, digit.stride))
    }

    /// The size of each dimension: the product of its digits' sizes, at most `i64::MAX`.
    ///
    /// ```
    /// use xlayout_interop::CuteLayout;
    /// let layout: CuteLayout = "((2,4),3):((1,6),2)".parse().unwrap();
    /// assert_eq!((layout.rank(), layout.shape().collect()), (2, vec![8, 3]));
    /// ```
    pub fn shape(&self) -> impl Iterator<Item = i64> + '_ {
        let size = |all: i64, digit: (i64, i64)| all.saturating_mul(digit.0);
        (0..self.rank).map(move |d| self.digits(d).fold(1, size))
    }

    /// The same memory map in as few digits as it takes.
    fn coalesced(&self) -> Result<Self, Error> {
        let mut digits = Items::<Digit>::new();
        for &digit in &self.digits {
            if digit.size == 1 {
                continue;
            }
            if let Some(last) = digits.last_mut()
                && last.dim == digit.dim
                && last.stride.checked_mul(last.size) == Some(digit.stride)
                && let Some(size) = last.size.checked_mul(digit.size)
            {
                last.size = size;
            } else {
                push(&mut digits, digit)?;
            }
        }
        let rank = self.rank;
        Ok(Self { rank, digits })
    }

    /// The sizes, or the strides: one number of each digit.
    fn numbers(&self, number: fn((i64, i64)) -> i64, of_one: i64) -> impl fmt::Display {
        let dimension = move |d| {
            let numbers = joined(self.digits(d).map(number), ",");
            from_fn(move |f| match self.digits(d).count() {
                0 => write!(f, "{of_one}"),
                1 => write!(f, "{numbers}"),
                _ => write!(f, "({numbers})"),
            })
        };
        // A vector of one digit is a number; else there would be no telling it from a tuple.
        let bare = self.rank == 1 && self.digits(0).count() <= 1;
        let all = joined((0..self.rank).map(dimension), ",");
        from_fn(move |f| {
            if bare {
                write!(f, "{all}")
            } else {
                write!(f, "({all})")
            }
        })
    }
}

/// As CuTe prints integers that are known at run time: `((2,4),3):((1,6),2)`, a vector `6:1`.
impl fmt::Display for CuteLayout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sizes = self.numbers(|digit| digit.0, 1);
        write!(f, "{sizes}:{}", self.numbers(|digit| digit.1, 0))
    }
}
