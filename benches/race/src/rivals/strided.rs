//! `strided_kernel`: `copy_into` of strided-kernel, which is that of strided-basic; and
//! `strided_perm`: the engine for permutations underneath, which is faster for some cases and
//! slower for others.

use std::hint::black_box;
use std::time::Duration;

use strided_basic::{Exec, StridedView, StridedViewMut};

use super::{Contestant, clock};
use crate::permute::Permutation;
use crate::value::Value;

/// Both sides as strided views.
struct Views {
    dims: Vec<usize>,
    src: Vec<isize>,
    dst: Vec<isize>,
}

pub(super) struct Kernel(Views);
pub(super) struct Perm(Views);

impl Views {
    fn new(permutation: &Permutation) -> Self {
        let signed = |strides: Vec<usize>| strides.iter().map(|&n| n as isize).collect();
        Self {
            dims: permutation.dst_dims(),
            src: signed(permutation.src_strides()),
            dst: signed(permutation.dst_strides()),
        }
    }

    #[inline(always)]
    fn time<T: Value>(
        &self,
        src: &[T],
        dst: &mut [T],
        times: u32,
        copy: impl Fn(&mut StridedViewMut<'_, T>, &StridedView<'_, T>) -> strided_basic::Result<()>,
    ) -> Result<Duration, String> {
        let from = StridedView::new(src, &self.dims, &self.src, 0);
        let from = from.map_err(|error| error.to_string())?;
        let to = StridedViewMut::new(dst, &self.dims, &self.dst, 0);
        let mut to = to.map_err(|error| error.to_string())?;
        let mut result = Ok(());
        let time = clock(times, || {
            result = copy(black_box(&mut to), black_box(&from));
        });
        result.map(|()| time).map_err(|error| error.to_string())
    }
}

impl Kernel {
    pub(super) fn new(permutation: &Permutation) -> Self {
        Self(Views::new(permutation))
    }
}

impl Perm {
    pub(super) fn new(permutation: &Permutation) -> Self {
        Self(Views::new(permutation))
    }
}

impl<T: Value> Contestant<T> for Kernel {
    fn name(&self) -> &'static str {
        "strided_kernel"
    }

    fn time(&mut self, src: &[T], dst: &mut [T], times: u32) -> Result<Duration, String> {
        self.0.time(src, dst, times, |to, from| {
            strided_basic::copy_into(to, from, Exec::serial())
        })
    }
}

impl<T: Value> Contestant<T> for Perm {
    fn name(&self) -> &'static str {
        "strided_perm"
    }

    fn time(&mut self, src: &[T], dst: &mut [T], times: u32) -> Result<Duration, String> {
        self.0.time(src, dst, times, |to, from| {
            strided_perm::copy_into(to, from, Exec::serial())
        })
    }
}
