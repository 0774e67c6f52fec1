//! `hptt`: the C++ library through its crate, whose one function plans by estimate and copies; a
//! plan cannot be kept, so its time always includes planning. f32 and f64 only.

use std::hint::black_box;
use std::time::Duration;

use super::{Contestant, clock};
use crate::permute::Permutation;
use crate::value::{Hptt as Job, HpttCopy, Value};

struct Hptt<T> {
    copy: HpttCopy<T>,
    permutation: Permutation,
    threads: usize,
}

pub(super) fn new<T: Value>(
    permutation: Permutation,
    threads: usize,
) -> Option<Box<dyn Contestant<T>>> {
    // It does not support rank 1.
    (permutation.dims.len() > 1).then_some(())?;
    Some(Box::new(Hptt {
        copy: T::HPTT?,
        permutation,
        threads,
    }))
}

impl<T: Value> Contestant<T> for Hptt<T> {
    fn name(&self) -> &'static str {
        "hptt"
    }

    fn time(&mut self, src: &[T], dst: &mut [T], times: u32) -> Result<Duration, String> {
        let mut result = Ok(());
        let time = clock(times, || {
            result = (self.copy)(Job {
                dims: &self.permutation.dims,
                axes: &self.permutation.axes,
                src: black_box(src),
                dst: black_box(&mut *dst),
                threads: self.threads,
            });
        });
        result.map(|()| time).map_err(|error| error.to_string())
    }
}
