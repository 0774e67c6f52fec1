//! `ndarray`: `assign` from a permuted view. The rank is static up to 6, as a user who needs speed
//! would write it.

use std::hint::black_box;
use std::time::Duration;

use ndarray::{
    ArrayView, ArrayViewMut, Dimension, IntoDimension, Ix1, Ix2, Ix3, Ix4, Ix5, Ix6, IxDyn,
};

use super::{Contestant, clock};
use crate::permute::Permutation;
use crate::value::Value;

struct NdArray<D> {
    dims: D,
    axes: D,
    dst_dims: D,
}

pub(super) fn new<T: Value>(permutation: &Permutation) -> Option<Box<dyn Contestant<T>>> {
    match permutation.dims.len() {
        1 => of::<T, Ix1, 1>(permutation),
        2 => of::<T, Ix2, 2>(permutation),
        3 => of::<T, Ix3, 3>(permutation),
        4 => of::<T, Ix4, 4>(permutation),
        5 => of::<T, Ix5, 5>(permutation),
        6 => of::<T, Ix6, 6>(permutation),
        _ => Some(Box::new(NdArray {
            dims: IxDyn(&permutation.dims),
            axes: IxDyn(&permutation.axes),
            dst_dims: IxDyn(&permutation.dst_dims()),
        })),
    }
}

fn of<T: Value, D, const N: usize>(permutation: &Permutation) -> Option<Box<dyn Contestant<T>>>
where
    D: Dimension + 'static,
    [usize; N]: IntoDimension<Dim = D>,
{
    let dim = |numbers: &[usize]| -> Option<D> {
        <[usize; N]>::try_from(numbers)
            .ok()
            .map(IntoDimension::into_dimension)
    };
    Some(Box::new(NdArray {
        dims: dim(&permutation.dims)?,
        axes: dim(&permutation.axes)?,
        dst_dims: dim(&permutation.dst_dims())?,
    }))
}

impl<T: Value, D: Dimension> Contestant<T> for NdArray<D> {
    fn name(&self) -> &'static str {
        "ndarray"
    }

    fn time(&mut self, src: &[T], dst: &mut [T], times: u32) -> Result<Duration, String> {
        let from = ArrayView::from_shape(self.dims.clone(), src)
            .map_err(|error| error.to_string())?
            .permuted_axes(self.axes.clone());
        let mut to = ArrayViewMut::from_shape(self.dst_dims.clone(), dst)
            .map_err(|error| error.to_string())?;
        Ok(clock(times, || black_box(&mut to).assign(black_box(&from))))
    }
}
