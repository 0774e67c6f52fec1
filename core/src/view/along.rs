//! Reductions along a dimension.

use alloc::vec::Vec;

use super::unchecked::Inside;
use super::{ArrayBase, Storage, StorageMut};
use crate::Coordinates;
use crate::array_layout::ArrayLayout;
use crate::layout_error::LayoutError;
use crate::region::strides_in_part;

impl<S: Storage<Item: Copy>, L: ArrayLayout> ArrayBase<S, L> {
    /// Sets each element of `out` to the reduction of a line of this array. A line has all elements
    /// along one dimension. `out` has the sizes of this array without that dimension.
    ///
    /// The reduction gets each line as a slice, in the sequence of the index. So the functions of
    /// [`reduce`](crate::reduce) have the order that they document, and the result has the same bits
    /// for every layout. A line that is contiguous is not copied. Other lines are copied one by one.
    /// Parts of arrays have lines, too.
    ///
    /// ```
    /// use xlayout_core::{Array, DynLayout, View, reduce};
    ///
    /// let layout: DynLayout = "f32[2,3]{0,1}".parse()?;
    /// let x = View::new(&[1.0_f32, 2.0, 3.0, 4.0, 5.0, 6.0][..], layout)?;
    /// let mut columns = Array::<f32, DynLayout>::zeros("f32[3]".parse()?)?;
    /// x.reduce_along(0, &mut columns, reduce::sum)?;
    /// assert_eq!(columns.memory(), [3.0, 7.0, 11.0]);
    /// let mut rows = Array::<i32, DynLayout>::zeros("s32[2]".parse()?)?;
    /// x.reduce_along(1, &mut rows, |row| reduce::argmax(row).map_or(-1, |k| k as i32))?;
    /// assert_eq!(rows.memory(), [2, 2]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If there is no such dimension, or if `out` has another rank or another size.
    pub fn reduce_along<U, O: StorageMut<Item = U>, M: ArrayLayout>(
        &self,
        dimension: usize,
        out: &mut ArrayBase<O, M>,
        mut reduction: impl FnMut(&[S::Item]) -> U,
    ) -> Result<(), LayoutError> {
        let mut lines = Lines::of(self, dimension)?;
        lines.fit(&out.layout)?;
        let layout = out.layout.clone();
        layout.for_each_index(|index| {
            let value = reduction(lines.at(index.as_ref()));
            match out.get_mut(index) {
                Some(item) => *item = value,
                None => unreachable!("the index is one of this layout"),
            }
        });
        Ok(())
    }

    /// Sets each element of `out` to the reduction of a line of this array and the same line of
    /// `other`, which has equal sizes. See [`reduce_along`](Self::reduce_along).
    ///
    /// ```
    /// use xlayout_core::{Array, DynLayout, View, reduce};
    ///
    /// let layout: DynLayout = "f32[2,2]".parse()?;
    /// let x = View::new(&[1.0_f32, 2.0, 3.0, 4.0][..], layout)?;
    /// let mut squares = Array::<f32, DynLayout>::zeros("f32[2]".parse()?)?;
    /// x.reduce_both_along(1, &x, &mut squares, reduce::dot)?;
    /// assert_eq!(squares.memory(), [5.0, 25.0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If there is no such dimension, or if `other` or `out` has another rank or another size.
    pub fn reduce_both_along<U, B: Storage<Item: Copy>, K: ArrayLayout, O, M: ArrayLayout>(
        &self,
        dimension: usize,
        other: &ArrayBase<B, K>,
        out: &mut ArrayBase<O, M>,
        mut reduction: impl FnMut(&[S::Item], &[B::Item]) -> U,
    ) -> Result<(), LayoutError>
    where
        O: StorageMut<Item = U>,
    {
        same(
            self.layout.sizes().as_ref().iter().copied(),
            other.layout.sizes().as_ref(),
        )?;
        let mut lines = Lines::of(self, dimension)?;
        let mut others = Lines::of(other, dimension)?;
        lines.fit(&out.layout)?;
        let layout = out.layout.clone();
        layout.for_each_index(|index| {
            let value = reduction(lines.at(index.as_ref()), others.at(index.as_ref()));
            match out.get_mut(index) {
                Some(item) => *item = value,
                None => unreachable!("the index is one of this layout"),
            }
        });
        Ok(())
    }
}

/// The lines of an array along one dimension.
struct Lines<'a, S: Storage, L: ArrayLayout> {
    data: &'a S,
    layout: &'a L,
    dimension: usize,
    size: usize,
    /// Whether the elements of a line are adjacent, in the sequence of the index.
    contiguous: bool,
    at: L::Coordinates,
    copy: Vec<S::Item>,
}

impl<'a, S: Storage<Item: Copy>, L: ArrayLayout> Lines<'a, S, L> {
    fn of(array: &'a ArrayBase<S, L>, dimension: usize) -> Result<Self, LayoutError> {
        let layout = &array.layout;
        let sizes = layout.sizes();
        let rank = layout.rank();
        let Some(&size) = sizes.as_ref().get(dimension) else {
            return Err(LayoutError::NoDimension { dimension, rank });
        };
        let strides = strides_in_part(layout);
        let stride = strides.and_then(|strides| strides.as_ref().get(dimension).copied());
        Ok(Self {
            data: &array.data,
            layout,
            dimension,
            size,
            contiguous: size == 1 || stride == Some(1) && !layout.is_reversed(dimension),
            at: L::Coordinates::origin(rank),
            copy: Vec::new(),
        })
    }

    /// Whether a layout has the sizes without the dimension.
    fn fit(&self, out: &impl ArrayLayout) -> Result<(), LayoutError> {
        let sizes = self.layout.sizes();
        let kept = sizes.as_ref().iter().enumerate();
        let kept = kept.filter(|(d, _)| *d != self.dimension);
        same(kept.map(|(_, &size)| size), out.sizes().as_ref())
    }

    /// The line with these other coordinates, which are in bounds.
    fn at(&mut self, others: &[usize]) -> &[S::Item] {
        let mut others = others.iter();
        for (d, at) in self.at.as_mut().iter_mut().enumerate() {
            if d == self.dimension {
                *at = 0;
                continue;
            }
            match others.next() {
                Some(&other) => *at = other,
                None => unreachable!("`fit` compared the ranks"),
            }
        }
        if self.size == 0 {
            return &[];
        }
        if self.contiguous {
            // `at` is in bounds, and so are the indices after it along the dimension, which has stride 1.
            let first = Inside::of(self.layout.linear_index(&self.at));
            return self.data.line(first, self.size);
        }
        self.copy.clear();
        for k in 0..self.size {
            self.at.set(self.dimension, k);
            // `at` is in bounds.
            let place = Inside::of(self.layout.linear_index(&self.at));
            self.copy.push(*self.data.item(place));
        }
        &self.copy
    }
}

/// Whether sizes are equal.
fn same(expected: impl Iterator<Item = usize> + Clone, found: &[usize]) -> Result<(), LayoutError> {
    let rank = expected.clone().count();
    if rank != found.len() {
        return Err(LayoutError::Rank {
            expected: rank,
            found: found.len(),
        });
    }
    match expected.zip(found).enumerate().find(|(_, (e, f))| e != *f) {
        None => Ok(()),
        Some((dimension, (expected, &found))) => Err(LayoutError::Size {
            dimension,
            expected,
            found,
        }),
    }
}
