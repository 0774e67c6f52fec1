//! Maps that are linear over bits: matrices over F2, as Triton's linear layouts.
//!
//! ```text
//! value(x)  = the XOR of the columns of the bits of x
//! reduce:     for each column, XOR the reduced ones by their highest bits, and note which columns
//!     went in
//!             0 is left: these columns are a vector of the kernel
//!             otherwise the rank is one more: XOR it to the reduced ones that have its highest bit
//! as a map:   bit p of the value = (the sum of the bits of x whose columns have bit p) % 2
//! ```

use crate::term::Sum;
use crate::{Budget, Map, MapError};

/// A matrix over F2: the XOR of the columns that the bits of an index choose. Bit `i` of the index
/// chooses column `i`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bits {
    pub(crate) columns: [u64; 64],
    len: usize,
}

/// The reduced columns of a matrix.
struct Reduced {
    /// For each highest bit, a combination of columns with that highest bit, and which columns
    /// these are.
    by_bit: [(u64, u64); 64],
    rank: usize,
    kernel: Option<u64>,
}

impl Bits {
    /// The matrix of these columns, at most 62.
    ///
    /// # Errors
    /// More columns, or a column of more than 62 bits.
    pub const fn new(columns: &[u64]) -> Result<Self, MapError> {
        let len = columns.len();
        let mut bits = tri!(Self::identity(len));
        each!(i, 0..len, {
            ensure!(columns[i] >> 62 == 0, Overflow);
            bits.columns[i] = columns[i];
        });
        Ok(bits)
    }

    /// The matrix that leaves indices of `len` bits as they are.
    ///
    /// # Errors
    /// More than 62 bits.
    pub const fn identity(len: usize) -> Result<Self, MapError> {
        ensure!(len <= 62, Overflow);
        let columns = [0; 64];
        let mut bits = Self { columns, len };
        each!(i, 0..len, {
            bits.columns[i] = 1 << i;
        });
        Ok(bits)
    }

    /// The matrix of a map whose row-major index has a power of two as size.
    ///
    /// # Errors
    /// [`MapError::NotLinear`], or [`MapError::Undecided`].
    pub const fn of_map<const T: usize>(map: &Map<T>, budget: Budget) -> Result<Self, MapError> {
        let size = map.size();
        let linear = size.is_power_of_two() && map.origin() == 0;
        ensure!(linear, NotLinear);
        let mut bits = tri!(Self::identity(size.trailing_zeros() as usize));
        each!(i, 0..bits.len, {
            let value = map.value(&map.coordinates(1 << i));
            ensure!(value >= 0 && value >> 62 == 0, NotLinear);
            bits.columns[i] = value as u64;
        });
        let linear: Map<T> = tri!(bits.to_map());
        ensure!(tri!(map.equals(&linear, budget)), NotLinear);
        Ok(bits)
    }

    /// The columns.
    #[must_use]
    pub const fn columns(&self) -> &[u64] {
        self.columns.split_at(self.len).0
    }

    /// The XOR of the columns that the bits of `index` choose. Bits beyond the columns choose
    /// nothing.
    #[must_use]
    pub const fn at(&self, index: u64) -> u64 {
        let mut value = 0;
        each!(i, 0..self.len, {
            if index >> i & 1 == 1 {
                value ^= self.columns[i];
            }
        });
        value
    }

    /// The matrix of `self` after `inner`.
    ///
    /// # Errors
    /// A column of `inner` with more bits than this matrix takes.
    pub const fn after(&self, inner: &Self) -> Result<Self, MapError> {
        let mut result = *inner;
        let size = 1 << self.len;
        each!(i, 0..inner.len, {
            let index = inner.columns[i] as i64;
            ensure!((index as u64) < size, OutOfBounds { index, size });
            result.columns[i] = self.at(index as u64);
        });
        Ok(result)
    }

    const fn reduce(&self) -> Reduced {
        let mut reduced = Reduced {
            by_bit: [(0, 0); 64],
            rank: 0,
            kernel: None,
        };
        each!(i, 0..self.len, {
            let mut value = self.columns[i];
            let mut from = 1 << i;
            each!(bit, 0..64, {
                if value >> bit & 1 == 1 {
                    let (column, columns) = reduced.by_bit[bit];
                    value ^= column;
                    from ^= columns;
                }
            });
            if value == 0 {
                reduced.kernel = Some(from);
                continue;
            }
            let top = 63 - value.leading_zeros() as usize;
            reduced.rank += 1;
            each!(bit, 0..64, {
                let (column, columns) = &mut reduced.by_bit[bit];
                if *column >> top & 1 == 1 {
                    *column ^= value;
                    *columns ^= from;
                }
            });
            reduced.by_bit[top] = (value, from);
        });
        reduced
    }

    /// How many columns are linearly independent: 2^rank offsets occur.
    #[must_use]
    pub const fn rank(&self) -> usize {
        self.reduce().rank
    }

    /// An index other than 0 whose value is 0; `None` if the matrix is injective. Indices that
    /// differ by it have the same value.
    #[must_use]
    pub const fn kernel(&self) -> Option<u64> {
        self.reduce().kernel
    }

    /// The inverse: the index of each value. It exists if no two indices have one value, and all
    /// values below the size occur.
    ///
    /// # Errors
    /// [`MapError::Singular`] with a vector of the kernel, or [`MapError::NotLinear`] where a
    /// column has more bits than there are columns.
    pub const fn inverse(&self) -> Result<Self, MapError> {
        let reduced = self.reduce();
        if let Some(kernel) = reduced.kernel {
            return Err(MapError::Singular { kernel });
        }
        let mut inverse = *self;
        each!(i, 0..self.len, {
            let (value, from) = reduced.by_bit[i];
            ensure!(value == 1 << i, NotLinear);
            inverse.columns[i] = from;
        });
        Ok(inverse)
    }

    /// The first index at which the matrices differ; `None` if they are equal.
    #[must_use]
    pub const fn first_difference(&self, other: &Self) -> Option<u64> {
        let same = self.len == other.len;
        let least = if self.len < other.len {
            self.len
        } else {
            other.len
        };
        each!(i, 0..least, {
            if self.columns[i] != other.columns[i] {
                return Some(1 << i);
            }
        });
        if same { None } else { Some(1 << least) }
    }

    /// The matrix as a map of one coordinate.
    ///
    /// # Errors
    /// Too many terms.
    pub const fn to_map<const T: usize>(&self) -> Result<Map<T>, MapError> {
        let mut map = tri!(Map::begin(&[1 << self.len]));
        let mut root = Sum::new(0);
        each!(bit, 0..62, {
            let mut sum = Sum::new(0);
            each!(i, 0..self.len, {
                if self.columns[i] >> bit & 1 == 1 {
                    tri!(map.add_digit(&Sum::coordinate(0), 1 << i, 2, 1, &mut sum));
                }
            });
            tri!(map.add_digit(&sum, 1, 2, 1 << bit, &mut root));
        });
        map.finish(&root)
    }
}
