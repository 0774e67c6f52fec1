//! Maps that are linear over bits: matrices over F2, as Triton's linear layouts.
//!
//! ```text
//! value(x)  = the XOR of the columns of the bits of x
//! reduce:     for each column, XOR the reduced ones by their highest bits, and note which columns went in
//!             0 is left: these columns are a vector of the kernel; otherwise the rank is one more
//! as a map:   bit p of the value = (the sum of the bits of x whose columns have bit p) % 2
//! ```

use crate::term::Sum;
use crate::{Budget, Map, MapError};

/// A matrix over F2: the XOR of the columns that the bits of an index choose. Bit `i` of the index chooses column `i`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bits {
    columns: [u64; 64],
    len: usize,
}

/// The reduced columns of a matrix.
struct Reduced {
    /// For each highest bit, a combination of columns with that highest bit, and which columns these are.
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
        let mut bits = Self {
            columns: [0; 64],
            len: columns.len(),
        };
        if columns.len() > 62 {
            return Err(MapError::Overflow);
        }
        let mut i = 0;
        while i < columns.len() {
            if columns[i] >> 62 != 0 {
                return Err(MapError::Overflow);
            }
            bits.columns[i] = columns[i];
            i += 1;
        }
        Ok(bits)
    }

    /// The matrix that leaves indices of `len` bits as they are.
    ///
    /// # Errors
    /// More than 62 bits.
    pub const fn identity(len: usize) -> Result<Self, MapError> {
        let (mut columns, mut i) = ([0; 62], 0);
        if len > 62 {
            return Err(MapError::Overflow);
        }
        while i < len {
            columns[i] = 1 << i;
            i += 1;
        }
        Self::new(columns.split_at(len).0)
    }

    /// The matrix of a map whose row-major index has a power of two as size.
    ///
    /// # Errors
    /// [`MapError::NotLinear`], or [`MapError::Undecided`].
    pub const fn of_map<const T: usize>(map: &Map<T>, budget: Budget) -> Result<Self, MapError> {
        let size = map.size();
        if !size.is_power_of_two() || map.value(&[0; crate::MAX_DIMENSIONS]) != 0 {
            return Err(MapError::NotLinear);
        }
        let mut bits = Self {
            columns: [0; 64],
            len: size.trailing_zeros() as usize,
        };
        let mut i = 0;
        while i < bits.len {
            let value = map.value(&map.coordinates(1 << i));
            if value < 0 || value >> 62 != 0 {
                return Err(MapError::NotLinear);
            }
            bits.columns[i] = value as u64;
            i += 1;
        }
        let linear: Map<T> = tri!(bits.to_map());
        match tri!(map.first_difference(&linear, budget)) {
            None => Ok(bits),
            Some(_) => Err(MapError::NotLinear),
        }
    }

    /// The columns.
    #[must_use]
    pub const fn columns(&self) -> &[u64] {
        self.columns.split_at(self.len).0
    }

    /// The XOR of the columns that the bits of `index` choose. Bits beyond the columns choose nothing.
    #[must_use]
    pub const fn at(&self, index: u64) -> u64 {
        let (mut i, mut value) = (0, 0);
        while i < self.len {
            if index >> i & 1 == 1 {
                value ^= self.columns[i];
            }
            i += 1;
        }
        value
    }

    /// The matrix of `self` after `inner`.
    ///
    /// # Errors
    /// A column of `inner` with more bits than this matrix takes.
    pub const fn after(&self, inner: &Self) -> Result<Self, MapError> {
        let (mut i, mut result) = (0, *inner);
        while i < inner.len {
            if inner.columns[i] >> self.len != 0 {
                return Err(MapError::OutOfBounds {
                    index: inner.columns[i] as i64,
                    size: 1 << self.len,
                });
            }
            result.columns[i] = self.at(inner.columns[i]);
            i += 1;
        }
        Ok(result)
    }

    const fn reduce(&self) -> Reduced {
        let mut reduced = Reduced {
            by_bit: [(0, 0); 64],
            rank: 0,
            kernel: None,
        };
        let mut i = 0;
        while i < self.len {
            let (mut value, mut from) = (self.columns[i], 1_u64 << i);
            while value != 0 {
                let top = 63 - value.leading_zeros() as usize;
                let known = reduced.by_bit[top];
                if known.0 == 0 {
                    reduced.by_bit[top] = (value, from);
                    reduced.rank += 1;
                    break;
                }
                value ^= known.0;
                from ^= known.1;
            }
            if value == 0 && reduced.kernel.is_none() {
                reduced.kernel = Some(from);
            }
            i += 1;
        }
        reduced
    }

    /// How many columns are linearly independent: 2^rank offsets occur.
    #[must_use]
    pub const fn rank(&self) -> usize {
        self.reduce().rank
    }

    /// An index other than 0 whose value is 0; `None` if the matrix is injective. Indices that differ by it have the same value.
    #[must_use]
    pub const fn kernel(&self) -> Option<u64> {
        self.reduce().kernel
    }

    /// The inverse: the index of each value. It exists if no two indices have one value, and all values below the size occur.
    ///
    /// # Errors
    /// [`MapError::Singular`] with a vector of the kernel, or [`MapError::NotLinear`] where a column has more bits than there are columns.
    pub const fn inverse(&self) -> Result<Self, MapError> {
        let mut reduced = self.reduce();
        if let Some(kernel) = reduced.kernel {
            return Err(MapError::Singular { kernel });
        }
        let mut inverse = *self;
        let mut top = 0;
        while top < 64 {
            if (reduced.by_bit[top].0 != 0) != (top < self.len) {
                return Err(MapError::NotLinear);
            }
            // The lower bits are single already.
            let (mut bit, (mut value, mut from)) = (0, reduced.by_bit[top]);
            while bit < top {
                if value >> bit & 1 == 1 {
                    value ^= reduced.by_bit[bit].0;
                    from ^= reduced.by_bit[bit].1;
                }
                bit += 1;
            }
            reduced.by_bit[top] = (value, from);
            if top < self.len {
                inverse.columns[top] = from;
            }
            top += 1;
        }
        Ok(inverse)
    }

    /// The first index at which the matrices differ; `None` if they are equal.
    #[must_use]
    pub const fn first_difference(&self, other: &Self) -> Option<u64> {
        let least = if self.len < other.len {
            self.len
        } else {
            other.len
        };
        let mut i = 0;
        while i < least {
            if self.columns[i] != other.columns[i] {
                return Some(1 << i);
            }
            i += 1;
        }
        if self.len == other.len {
            None
        } else {
            Some(1 << least)
        }
    }

    /// The matrix as a map of one coordinate.
    ///
    /// # Errors
    /// Too many terms.
    pub const fn to_map<const T: usize>(&self) -> Result<Map<T>, MapError> {
        let mut map = tri!(Map::begin(&[1 << self.len]));
        let (mut root, mut bit) = (Sum::new(0), 0);
        while bit < 62 {
            let (mut sum, mut i) = (Sum::new(0), 0);
            while i < self.len {
                if self.columns[i] >> bit & 1 == 1 {
                    tri!(map.add_digit(&Sum::coordinate(0), 1 << i, 2, 1, &mut sum));
                }
                i += 1;
            }
            tri!(map.add_digit(&sum, 1, 2, 1 << bit, &mut root));
            bit += 1;
        }
        map.finish(&root)
    }
}
