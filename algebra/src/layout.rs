//! Maps of XLA's layouts.

use xlayout_shape::{Mode, Term};

use crate::number::product;
use crate::term::Sum;
use crate::{MAX_DIMENSIONS, Map, MapError, Result};

impl<const T: usize> Map<T> {
    /// The map of a layout of XLA's: the sizes, the modes and the terms that it was lowered to.
    /// Offsets are in elements.
    ///
    /// ```
    /// use xlayout_algebra::{Map, MapError};
    /// use xlayout_shape::{Mode, Term};
    /// // The modes of f32[16]{0:T(8)}.
    /// let modes = [Mode::new(0, 1, 8, 1).inner(), Mode::new(0, 8, 2, 8)];
    /// let map = Map::<64>::of_modes(&[16], &modes, &[])?;
    /// assert_eq!((map.at(&[11]), map.terms().len()), (Some(11), 1));
    /// # Ok::<(), MapError>(())
    /// ```
    ///
    /// # Errors
    /// Modes and terms of another layout: a coordinate that does not exist. Too many dimensions,
    /// terms or merged coordinates, and numbers above 62 bits.
    pub const fn of_modes(
        sizes: &[usize],
        modes: &[Mode],
        terms: &[Term],
    ) -> Result<Self, MapError> {
        let rank = sizes.len();
        let limit = MAX_DIMENSIONS;
        ensure!(rank <= limit, TooManyDimensions { found: rank, limit });
        let mut extents = [1; MAX_DIMENSIONS];
        each!(dim, 0..rank, {
            extents[dim] = sizes[dim] as u64;
        });
        let map = tri!(Self::begin(extents.split_at(rank).0));
        map.with_modes(&Dims { sizes, index: None }, modes, terms)
    }

    /// The same map of one coordinate, the row-major index. There may be any number of dimensions.
    /// Dimension `order[i]` of the layout is dimension `i` of the index; an empty list stands for
    /// the sequence that they have.
    ///
    /// ```
    /// use xlayout_algebra::{Budget, Map, MapError};
    /// use xlayout_shape::{Mode, Term};
    /// // The modes of f32[2,3]{0,1}: it is f32[3,2], if its dimensions are exchanged.
    /// let modes = [Mode::new(0, 1, 2, 1), Mode::new(1, 1, 3, 2)];
    /// let exchanged = Map::<8>::of_index(&[2, 3], &[1, 0], &modes, &[])?;
    /// assert_eq!(exchanged.at(&[5]), Some(5));
    /// assert_eq!(Map::<8>::of_index(&[2, 3], &[], &modes, &[])?.at(&[1]), Some(2));
    /// # Ok::<(), MapError>(())
    /// ```
    ///
    /// # Errors
    /// As [`of_modes`](Self::of_modes); a list that repeats a dimension or names an unknown one.
    pub const fn of_index(
        sizes: &[usize],
        order: &[i64],
        modes: &[Mode],
        terms: &[Term],
    ) -> Result<Self, MapError> {
        let mut size = 1;
        each!(extent, &sizes, {
            size = tri!(product(size, *extent as u64));
        });
        let map = tri!(Self::begin(&[size]));
        let index = Some(order);
        map.with_modes(&Dims { sizes, index }, modes, terms)
    }

    /// The map with the sum of these modes.
    const fn with_modes(mut self, dims: &Dims<'_>, modes: &[Mode], terms: &[Term]) -> Result<Self> {
        // The merged coordinates in terms of the dimensions: each is made of earlier ones.
        let mut merged = self;
        let mut coordinate = dims.sizes.len();
        loop {
            let mut sum = Sum::new(0);
            let mut found = false;
            each!(term, &terms, {
                if term.coordinate == coordinate {
                    found = true;
                    tri!(self.add_mode(&term.digit, dims, &merged, &mut sum));
                }
            });
            if !found {
                break;
            }
            tri!(self.collect(&mut sum));
            tri!(merged.keep(&sum));
            coordinate += 1;
        }
        let mut root = Sum::new(0);
        each!(mode, &modes, {
            tri!(self.add_mode(mode, dims, &merged, &mut root));
        });
        self.finish(&root)
    }

    /// Adds a mode of a dimension, or of a coordinate that `merged` has.
    const fn add_mode(
        &mut self,
        mode: &Mode,
        dims: &Dims<'_>,
        merged: &Self,
        out: &mut Sum<T>,
    ) -> Result<()> {
        let dim = mode.dim;
        let own = dims.sizes.len();
        let rank = own + merged.count;
        ensure!(dim < rank, NoDimension { dim, rank });
        ensure!(mode.stride <= i64::MAX as usize, Overflow);
        let source = if dim < own {
            tri!(self.dimension(dims, dim))
        } else {
            merged.sum(dim - own)
        };
        let size = if mode.top { 0 } else { mode.size as u64 };
        self.add_digit(&source, mode.divisor as u64, size, mode.stride as i64, out)
    }

    /// A dimension of a layout: a coordinate of the map, or a digit of the index that is its only
    /// one.
    const fn dimension(&mut self, dims: &Dims<'_>, dim: usize) -> Result<Sum<T>> {
        let Some(order) = dims.index else {
            return Ok(Sum::coordinate(dim));
        };
        let sizes = dims.sizes;
        let mut place = 1;
        let mut i = sizes.len();
        ensure!(order.is_empty() || order.len() == i, NotPermutation);
        while i > 0 {
            i -= 1;
            let next = if order.is_empty() {
                i
            } else {
                order[i] as usize
            };
            if next == dim {
                return self.digit_of(&Sum::coordinate(0), place, sizes[dim] as u64);
            }
            ensure!(next < sizes.len(), NotPermutation);
            place = tri!(product(place, sizes[next] as u64));
        }
        Err(MapError::NotPermutation)
    }
}

/// The dimensions of a layout, and in which sequence they are an index, if they are one coordinate.
struct Dims<'a> {
    sizes: &'a [usize],
    index: Option<&'a [i64]>,
}
