//! `mdarray`: `assign` from a permuted view with static rank. It supports ranks up to 6.

use std::hint::black_box;
use std::time::Duration;

use mdarray::{View, ViewMut};

use super::{Contestant, clock};
use crate::permute::Permutation;
use crate::value::Value;

struct MdArray<const N: usize> {
    dims: [usize; N],
    axes: [usize; N],
    dst_dims: [usize; N],
}

pub(super) fn new<T: Value>(permutation: &Permutation) -> Option<Box<dyn Contestant<T>>> {
    match permutation.dims.len() {
        1 => Some(Box::new(MdArray::<1>::new(permutation)?)),
        2 => Some(Box::new(MdArray::<2>::new(permutation)?)),
        3 => Some(Box::new(MdArray::<3>::new(permutation)?)),
        4 => Some(Box::new(MdArray::<4>::new(permutation)?)),
        5 => Some(Box::new(MdArray::<5>::new(permutation)?)),
        6 => Some(Box::new(MdArray::<6>::new(permutation)?)),
        _ => None,
    }
}

impl<const N: usize> MdArray<N> {
    fn new(permutation: &Permutation) -> Option<Self> {
        Some(Self {
            dims: permutation.dims[..].try_into().ok()?,
            axes: permutation.axes[..].try_into().ok()?,
            dst_dims: permutation.dst_dims().try_into().ok()?,
        })
    }
}

macro_rules! contestant {
    ($rank:literal: $($axis:literal)+) => {
        impl<T: Value> Contestant<T> for MdArray<$rank> {
            fn name(&self) -> &'static str {
                "mdarray"
            }

            fn time(&mut self, src: &[T], dst: &mut [T], times: u32) -> Result<Duration, String> {
                let from = View::from(src).into_shape(self.dims);
                let from = from.permute(($(self.axes[$axis],)+));
                let mut to = ViewMut::from(dst).into_shape(self.dst_dims);
                Ok(clock(times, || black_box(&mut to).assign(black_box(&from))))
            }
        }
    };
}

contestant!(1: 0);
contestant!(2: 0 1);
contestant!(3: 0 1 2);
contestant!(4: 0 1 2 3);
contestant!(5: 0 1 2 3 4);
contestant!(6: 0 1 2 3 4 5);
